#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "bus/limits.hpp"
#include "bus/moment.hpp"
#include "bus/run_writer.hpp"
#include "bus/variable.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Is notified of changed values; implemented by the journal.
class ValueWitness {
public:
    /// Called when the variable was written and Variable::journal_changed was not set.
    virtual void on_written(Variable& variable) = 0;
    virtual void on_cleared() = 0;

protected:
    ~ValueWitness() = default;
};

/// The core of the broker: the latest value of every variable, its subscribers and their intervals.
/// Independent of connections.
class Exchange {
public:
    static constexpr Duration max_interval = std::chrono::years(1);

    Exchange(std::string community, const BrokerLimits& limits);

    /// Writes a value from `writer` (nullptr: the broker itself). `raw` are the bytes that `message` was
    /// decoded from. Fails if the type differs from that of the first write, or if there are too many
    /// variables.
    Result<void> notify(Member* writer, const wire::MessageView& message, ByteView raw, const Moment& at);
    /// Same, but the value may take effect only at end_run(), together with further values of the same
    /// variable. Until then, only notify_in_run() may be called, with the same `writer` and `at`.
    Result<void> notify_in_run(Member& writer, const wire::MessageView& message, ByteView raw,
                               const Moment& at);
    /// Returns the head (wire/head.hpp) of the message that the present run began with; empty without a run.
    ByteView run_head() const { return run_.variable ? run_writer_.head() : ByteView(); }
    /// Same as notify_in_run() for a message with this head and at most max_similar bytes.
    void notify_similar(ByteView raw) {
        if (!run_writer_.append_similar(raw)) continue_run(raw);
    }
    static constexpr std::size_t max_similar = 2048;
    void end_run();
    /// Same, for a message created by the broker.
    Result<void> publish(const wire::MessageView& message, const Moment& at);

    /// Subscribes, or changes the interval, and delivers the latest value at once. The interval is clamped to
    /// [0, max_interval].
    Result<void> subscribe(Member& member, std::string_view name, Duration interval, const Moment& at);
    void unsubscribe(Member& member, std::string_view name);
    /// Subscribes to all matching variables: existing ones, and later ones at their first write.
    Result<void> subscribe_wildcard(Member& member, Wildcard wildcard, const Moment& at);
    /// Removes the filter and every subscription to a variable that matches it.
    void unsubscribe_wildcard(Member& member, const Wildcard& wildcard);
    /// Removes the member's subscriptions and filters; values that it wrote are kept.
    void leave(Member& member);
    void join(Member& member) { members_.push_back(&member); }

    /// Returns when the next value delayed by an interval is due, on the warped clock.
    std::optional<Instant> next_due() const;
    /// Delivers the latest values of all subscriptions whose interval has passed.
    void deliver_due(const Moment& at);

    /// Returns the steps of work done so far: variables compared with patterns, messages delivered, and so
    /// on.
    std::size_t work() const { return work_; }

    /// Discards all values. The next write sets a variable's type again; subscriptions are kept.
    void clear();

    /// Sets the object that is notified of every write; nullptr for none. It must outlive the exchange or
    /// reset itself here.
    void set_witness(ValueWitness* witness) { witness_ = witness; }
    /// Restores the value that a variable had before a restart, from one encoded message.
    Result<Variable*> restore(ByteView message, double written, std::uint64_t writes);

    /// Creates the variable without writing it. For the broker's own variables: limits do not apply.
    Variable& declare(std::string_view name, wire::DataType type = wire::DataType::none);
    const Variable* find(std::string_view name) const;
    /// Returns all variables, sorted by name.
    std::vector<const Variable*> sorted() const;
    /// Calls visit(const Variable&) for each variable, in unspecified order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const auto& [name, variable] : variables_) visit(*variable);
    }
    std::size_t size() const { return variables_.size(); }
    const std::string& community() const { return community_; }

private:
    /// When a delayed value is due. Each pending subscription has exactly one.
    struct Due {
        Instant at;
        Variable* variable;
        Member* member;
        auto operator<=>(const Due&) const = default;
    };

    /// Returns the variable of that name, created if the limits allow it.
    Result<Variable*> find_or_admit(std::string_view name);
    void deliver_run();
    /// Delivers the present run and begins the next one with a message with the same head.
    void continue_run(ByteView raw);
    /// Returns the variable that the message may be written to.
    Result<Variable*> writable(const wire::MessageView& message);
    std::string_view community_of(const wire::MessageView& message) const {
        return message.community.empty() ? std::string_view(community_) : message.community;
    }
    void store(Variable& variable, const wire::MessageView& message, ByteView raw);
    /// Returns the variable's buffer for a new value; the old value is lost.
    static Bytes& clear_latest(Variable& variable);
    void note_writes(Member* writer, Variable& variable, std::size_t count, const Moment& at);
    void first_write(Variable& variable, std::string_view writer_name);
    void note_writer(Member& writer, Variable& variable);
    void deliver(Variable& variable, const MessageRun& run, const Moment& at);
    void stop_waiting(Variable& variable, Subscription& subscription);
    void subscribe(Member& member, Variable& variable, Duration interval, const Moment& at);
    void unsubscribe(Member& member, Variable& variable);

    std::string community_;
    const BrokerLimits& limits_;
    std::unordered_map<std::string_view, std::unique_ptr<Variable>> variables_;
    std::vector<Member*> members_;
    std::set<Due> due_;
    std::size_t work_ = 0;
    ValueWitness* witness_ = nullptr;
    Bytes scratch_;

    /// The values of one variable that were received together; no variable: none.
    struct Run {
        Variable* variable = nullptr;
        Member* writer = nullptr;
        Moment at{};
    };
    Run run_;
    RunWriter run_writer_;
};

}  // namespace caribou::bus
