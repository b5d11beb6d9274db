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
#include "bus/variable.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Hears which values have changed: a journal.
class ValueWitness {
public:
    /// The variable was written, and Variable::journal_changed was not set.
    virtual void on_written(Variable& variable) = 0;
    virtual void on_cleared() = 0;

protected:
    ~ValueWitness() = default;
};

/// The heart of the bus: the latest value of every variable, who wants to hear of it and how
/// often. Knows nothing of connections.
class Exchange {
public:
    static constexpr Duration max_interval = std::chrono::years(1);

    Exchange(std::string community, const BrokerLimits& limits);

    /// A value was written by `writer` (nullptr: the broker itself). `raw` are the bytes that
    /// `message` was decoded from. Refused: another type than the first write's, or one variable
    /// too many.
    Result<void> notify(Member* writer, const wire::MessageView& message, ByteView raw, const Moment& at);
    /// The same for a message that is made here.
    Result<void> publish(const wire::MessageView& message, const Moment& at);

    /// Subscribes, or changes the interval; the latest value is delivered at once. Intervals below
    /// zero count as zero, those over max_interval as that.
    Result<void> subscribe(Member& member, std::string_view name, Duration interval, const Moment& at);
    void unsubscribe(Member& member, std::string_view name);
    /// Subscribes to all variables that match, now and at the first write of each later on.
    Result<void> subscribe_wildcard(Member& member, Wildcard wildcard, const Moment& at);
    /// Ends the filter and every subscription to a variable that matches it.
    void unsubscribe_wildcard(Member& member, const Wildcard& wildcard);
    /// The member leaves: its subscriptions and filters go, the values that it wrote stay.
    void leave(Member& member);
    void join(Member& member) { members_.push_back(&member); }

    /// When the next value that waited for its interval is due, on the warped clock.
    std::optional<Instant> next_due() const;
    /// Delivers the newest value to everyone whose interval has passed with something waiting.
    void deliver_due(const Moment& at);

    /// Forgets every value; types are fixed anew by the next write, subscriptions stay.
    void clear();

    /// Who hears of every value that is written; nullptr: nobody. It outlives the exchange, or
    /// takes itself away.
    void set_witness(ValueWitness* witness) { witness_ = witness; }
    /// Gives a variable the value that it had before a restart: one encoded message.
    Result<Variable*> restore(ByteView message, double written, std::uint64_t writes);

    /// Makes the variable known without writing it. For the broker's own: no limit applies.
    Variable& declare(std::string_view name, wire::DataType type = wire::DataType::none);
    const Variable* find(std::string_view name) const;
    /// All variables by name.
    std::vector<const Variable*> sorted() const;
    /// Calls visit(const Variable&) for each, in no order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const auto& [name, variable] : variables_) visit(*variable);
    }
    std::size_t size() const { return variables_.size(); }
    const std::string& community() const { return community_; }

private:
    /// A value that waits for a subscription's interval. Each pending subscription has exactly one.
    struct Due {
        Instant at;
        Variable* variable;
        Member* member;
        auto operator<=>(const Due&) const = default;
    };

    /// The variable of that name, made if the limits allow.
    Result<Variable*> find_or_admit(std::string_view name);
    void store(Variable& variable, const wire::MessageView& message, ByteView raw);
    void first_write(Variable& variable, std::string_view writer_name);
    void note_writer(Member& writer, Variable& variable);
    void deliver(Variable& variable, const Moment& at);
    void stop_waiting(Variable& variable, Subscription& subscription);
    void subscribe(Member& member, Variable& variable, Duration interval, const Moment& at);
    void unsubscribe(Member& member, Variable& variable);

    std::string community_;
    const BrokerLimits& limits_;
    std::unordered_map<std::string_view, std::unique_ptr<Variable>> variables_;
    std::vector<Member*> members_;
    std::set<Due> due_;
    ValueWitness* witness_ = nullptr;
    Bytes scratch_;
};

}  // namespace caribou::bus
