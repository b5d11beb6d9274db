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

/// The data readers of one subscription, normally one. A switch adds a second reader, whose samples are held
/// back until the first one has delivered all of its own: until its writers are gone, or it reaches the stamp
/// at which the second one began, or a limit expires. No sample is lost, duplicated or reordered.
///
/// In a node that passes messages on, a gate holds them back further, until the node's publisher can publish
/// them in their new type.
class Inlets {
public:
    struct Sink {
        /// Returns an error if the sample cannot be decoded.
        std::move_only_function<Result<void>(const Sample&)> deliver;
        TypeOptions options;
    };

    /// All arguments must outlive it. `count` is incremented for each message delivered and each malformed
    /// one.
    Inlets(Loop& loop, Transport& transport, const Limits& limits, SubscriptionCount& count);
    ~Inlets();
    Inlets(const Inlets&) = delete;
    Inlets& operator=(const Inlets&) = delete;

    /// Replaces the current reader. `sink` may call any function of this class. Fails, with nothing changed,
    /// if the transport cannot carry the topic.
    Result<void> connect(const Topic& topic, const TopicQos& qos, std::shared_ptr<Sink> sink);
    void disconnect();
    /// Returns whether an old reader still delivers.
    bool is_switching() const { return line_.size() > 1; }
    /// Returns whether a switch is not complete yet.
    bool is_busy() const { return is_switching() || is_gated_; }
    /// Sets a handler for the end of a switch.
    void on_complete(std::move_only_function<void()> handler) { on_complete_ = std::move(handler); }
    /// Sets the gate. It is called when the old reader has delivered everything; if it returns false, samples
    /// of the new one are held until open() or until the limit expires.
    void set_gate(std::move_only_function<bool()> gate) { gate_ = std::move(gate); }
    /// Delivers what the gate has held.
    void open();

private:
    class Inlet;

    void on_sample(Inlet& from, const Sample& sample);
    void on_writer_gone(Inlet& from);
    /// Returns whether a sample has the same content as one that the previous reader has delivered, judging
    /// by its stamp and the newest one `delivered`.
    bool is_twin(const Sample& sample, WallTime delivered) const;
    void deliver(Inlet& from, const Sample& sample);
    void retire_first();
    /// Releases the first reader, which is finished, and delivers the samples held behind it.
    void advance();
    /// Delivers the held samples of the first reader.
    void release();

    Loop& loop_;
    Transport& transport_;
    const Limits& limits_;
    SubscriptionCount& count_;
    std::deque<std::unique_ptr<Inlet>> line_;  ///< the first one delivers, the others are held
    /// Finished readers that may be in the middle of a callback; destroyed at the next event.
    std::vector<std::unique_ptr<Inlet>> retired_;
    std::optional<WallTime> delivered_;   ///< newest stamp delivered
    std::optional<WallTime> skip_until_;  ///< end of the duplicates of samples delivered before a switch
    std::move_only_function<bool()> gate_;
    std::move_only_function<void()> on_complete_;
    bool is_gated_ = false;  ///< samples of the first reader are held, too
    std::unique_ptr<Timer> limit_;
};

}  // namespace caribou::negotiation
