#pragma once

#include <memory>
#include <string>

#include "loop/loop.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// Carries topics within one process. Samples are passed on without copying or encoding. Samples written in
/// one iteration of the loop are delivered at its end.
class InProcessTransport final : public Transport {
public:
    /// `loop` must outlive the transport.
    explicit InProcessTransport(Loop& loop);
    ~InProcessTransport() override;

    Result<std::unique_ptr<Writer>> advertise(const Topic& topic, const TopicQos& qos,
                                              WriterEvents& events) override;
    Result<std::unique_ptr<Reader>> subscribe(const Topic& topic, const TopicQos& qos,
                                              ReaderEvents& events) override;

    /// Same as subscribe(), for a remote reader. `name` is the peer name that writers see.
    Result<std::unique_ptr<Reader>> subscribe_for(std::string name, const Topic& topic, const TopicQos& qos,
                                                  ReaderEvents& events);

    /// Limit on undelivered events; write() fails with limit_exceeded beyond it.
    static constexpr std::size_t max_undelivered = 1'000'000;

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace caribou::negotiation
