#pragma once

#include <memory>
#include <string>

#include "loop/loop.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// Carries topics within one process: a sample is handed over as it is. What is written in one turn of
/// the loop arrives at its end.
class InProcessTransport final : public Transport {
public:
    /// The loop outlives the transport.
    explicit InProcessTransport(Loop& loop);
    ~InProcessTransport() override;

    Result<std::unique_ptr<Writer>> advertise(const Topic& topic, const TopicQos& qos,
                                              WriterEvents& events) override;
    Result<std::unique_ptr<Reader>> subscribe(const Topic& topic, const TopicQos& qos,
                                              ReaderEvents& events) override;

    /// The same for a reader that is somewhere else, with a name that says where.
    Result<std::unique_ptr<Reader>> subscribe_for(std::string name, const Topic& topic, const TopicQos& qos,
                                                  ReaderEvents& events);

    /// Events on their way; more than that cannot be written in one turn.
    static constexpr std::size_t max_undelivered = 1'000'000;

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace caribou::negotiation
