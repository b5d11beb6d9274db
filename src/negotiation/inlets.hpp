#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "loop/loop.hpp"
#include "negotiation/limits.hpp"
#include "negotiation/negotiated_subscription.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// The data's readers of one subscription. Mostly there is one. A switch makes a second one, whose samples
/// wait until the first has brought all of its own: until its writers are gone, or it has come as far as
/// the second one began, or a limit has passed. So nothing is lost, doubled or out of order.
class Inlets {
public:
    struct Sink {
        /// Fails if the sample makes no sense.
        std::move_only_function<Result<void>(const Sample&)> deliver;
        TypeOptions options;
    };

    /// All outlive it. Counts what was delivered, and what made no sense.
    Inlets(Loop& loop, Transport& transport, const Limits& limits, SubscriptionCount& count);
    ~Inlets();
    Inlets(const Inlets&) = delete;
    Inlets& operator=(const Inlets&) = delete;

    /// In place of the present one. The sink may call anything here. Fails, with nothing changed, if the
    /// transport cannot carry it.
    Result<void> connect(const Topic& topic, const TopicQos& qos, std::shared_ptr<Sink> sink);
    void disconnect();
    bool is_switching() const { return line_.size() > 1; }

private:
    class Inlet;

    void on_sample(Inlet& from, const Sample& sample);
    void on_writer_gone(Inlet& from);
    /// Whether the sample carries what was delivered from the one before, as far as stamps tell.
    bool is_twin(const Sample& sample) const;
    void deliver(Inlet& from, const Sample& sample);
    void retire_first();
    /// The first one is done: lets go of it and delivers what waited behind it.
    void advance();

    Loop& loop_;
    Transport& transport_;
    const Limits& limits_;
    SubscriptionCount& count_;
    std::deque<std::unique_ptr<Inlet>> line_;  ///< the first is heard, the others wait
    /// Done, but perhaps in the middle of telling: they go when the next event comes.
    std::vector<std::unique_ptr<Inlet>> retired_;
    std::optional<WallTime> delivered_;   ///< the newest stamp
    std::optional<WallTime> skip_until_;  ///< twins of what was delivered before a switch
    std::unique_ptr<Timer> limit_;
};

}  // namespace caribou::negotiation
