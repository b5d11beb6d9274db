#pragma once

#include <memory>

#include "bus/client_options.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

class BusEnds;

/// Carries topics over the bus, through its own bus client. Each writer is a variable of the broker, and the
/// broker reports which clients connect and disconnect. While there is no connection, all remote peers count
/// as gone; they rejoin when the connection is restored.
class BusTransport final : public Transport {
public:
    /// `loop` and `network` must outlive the transport. `options.name` is the name of the client, and the
    /// peer name that other processes see.
    BusTransport(Loop& loop, Network& network, bus::ClientOptions options);
    ~BusTransport() override;

    /// Starts connecting. Returns the errors of bus::Client::start().
    Result<void> start();
    /// Closes the connection. All readers and writers are notified at once that their peers are gone.
    void stop();
    /// Returns whether there is a connection to the broker.
    bool connected() const;

    Result<std::unique_ptr<Writer>> advertise(const Topic& topic, const TopicQos& qos,
                                              WriterEvents& events) override;
    Result<std::unique_ptr<Reader>> subscribe(const Topic& topic, const TopicQos& qos,
                                              ReaderEvents& events) override;

private:
    std::shared_ptr<BusEnds> ends_;
};

}  // namespace caribou::negotiation
