#pragma once

#include <memory>

#include "bus/client_options.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

class BusEnds;

/// Carries topics over the bus, through a client of its own. A writer is a variable of the broker; who
/// is there and who has gone is told by the broker. While there is no connection everybody is gone, and
/// comes back with it.
class BusTransport final : public Transport {
public:
    /// Loop and network outlive it. The name in `options` is that of the client, and what others see.
    BusTransport(Loop& loop, Network& network, bus::ClientOptions options);
    ~BusTransport() override;

    /// Starts to connect; refuses what bus::Client refuses.
    Result<void> start();
    /// Ends the connection. Everybody is told at once that everybody else is gone.
    void stop();
    bool connected() const;

    Result<std::unique_ptr<Writer>> advertise(const Topic& topic, const TopicQos& qos,
                                              WriterEvents& events) override;
    Result<std::unique_ptr<Reader>> subscribe(const Topic& topic, const TopicQos& qos,
                                              ReaderEvents& events) override;

private:
    std::shared_ptr<BusEnds> ends_;
};

}  // namespace caribou::negotiation
