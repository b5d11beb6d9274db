#include "bus/exchange.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.hpp"
#include "bus/encoded_messages.hpp"
#include "bus/outbox.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

constexpr std::size_t bytes_per_step = 64;  // of a latest value that is copied

/// Returns the message for a new subscriber: the latest value with the writer's name and time, and only the
/// field of the variable's type filled in.
Bytes latest_for_newcomer(const Variable& variable) {
    const wire::MessageView value = variable.value();
    wire::MessageView told{.type = wire::MessageType::notify,
                           .data_type = variable.type,
                           .source = value.source,
                           .aux = value.aux,
                           .community = value.community,
                           .key = value.key,
                           .time = value.time};
    if (told.is_number())
        told.value = value.value;
    else
        told.payload = value.payload;
    Bytes bytes;
    wire::append_message(bytes, told);
    return bytes;
}

template <class T>
void erase_one(std::vector<T>& from, const T& item) {
    const auto found = std::ranges::find(from, item);
    if (found == from.end()) return;
    *found = from.back();
    from.pop_back();
}

Subscription* subscription_of(Variable& variable, Member& member) {
    const auto* const entry = member.subscribed.find(variable);
    return entry ? &variable.subscriptions[entry->number] : nullptr;
}

Subscription& add_subscription(Member& member, Variable& variable) {
    member.subscribed.add(variable, variable.subscriptions.size());
    return variable.subscriptions.emplace_back(&member);
}

/// Moves the last subscription into the freed slot.
void remove_subscription(Member& member, Variable& variable) {
    const std::size_t place = member.subscribed.find(variable)->number;
    Subscription& last = variable.subscriptions.back();
    last.member->subscribed.find(variable)->number = place;
    variable.subscriptions[place] = last;
    variable.subscriptions.pop_back();
    member.subscribed.remove(variable);
}

}  // namespace

Exchange::Exchange(std::string community, const BrokerLimits& limits)
    : community_(std::move(community)), limits_(limits) {}

Result<void> Exchange::notify(Member* writer, const wire::MessageView& message, ByteView raw,
                              const Moment& at) {
    end_run();
    auto admitted = writable(message);
    if (!admitted) return fail(std::move(admitted.error()));
    Variable& variable = **admitted;
    const bool first = !variable.is_written();
    store(variable, message, raw);
    note_writes(writer, variable, 1, at);
    if (first) first_write(variable, message.source);
    deliver(variable, variable.latest, at);
    return {};
}

Result<void> Exchange::notify_in_run(Member& writer, const wire::MessageView& message, ByteView raw,
                                     const Moment& at) {
    const std::string_view community = community_of(message);
    const std::size_t size = wire::size_with_community(message, community);
    if (run_.variable && message.key == run_.variable->name && message.data_type == run_.variable->type &&
        size < Outbox::share_from && run_writer_.append(raw, message, community))
        return {};
    end_run();
    // A large message is shared alone, and a first one may add subscribers.
    const auto known = variables_.find(message.key);
    if (size >= Outbox::share_from || known == variables_.end() || !known->second->is_written() ||
        known->second->type != message.data_type)
        return notify(&writer, message, raw, at);
    run_ = {known->second.get(), &writer, at};
    run_writer_.begin(raw, message, community);
    return {};
}

void Exchange::continue_run(ByteView raw) {
    deliver_run();
    run_writer_.begin_similar(raw);
}

void Exchange::end_run() {
    if (!run_.variable) return;
    deliver_run();
    run_.variable = nullptr;
}

void Exchange::deliver_run() {
    Variable& variable = *run_.variable;
    const MessageRun run = run_writer_.run();
    append(clear_latest(variable), run_writer_.newest());
    note_writes(run_.writer, variable, run.count, run_.at);
    deliver(variable, run, run_.at);
}

Result<Variable*> Exchange::writable(const wire::MessageView& message) {
    auto admitted = find_or_admit(message.key);
    if (!admitted) return admitted;
    Variable& variable = **admitted;
    if (!variable.is_written())
        variable.type = message.data_type;
    else if (variable.type != message.data_type) [[unlikely]]
        return fail(Code::refused,
                    fmt::format("{} has type {}; a value of type {} is refused", message.key,
                                static_cast<char>(variable.type), static_cast<char>(message.data_type)));
    return admitted;
}

Result<void> Exchange::publish(const wire::MessageView& message, const Moment& at) {
    scratch_.clear();
    wire::append_message(scratch_, message);
    return notify(nullptr, message, scratch_, at);
}

void Exchange::store(Variable& variable, const wire::MessageView& message, ByteView raw) {
    wire::append_with_community(clear_latest(variable), raw, message, community_of(message));
}

Bytes& Exchange::clear_latest(Variable& variable) {
    // Outboxes may still refer to the old buffer; otherwise it is reused.
    if (!variable.latest || variable.latest.use_count() > 1) variable.latest = std::make_shared<Bytes>();
    variable.latest->clear();
    return *variable.latest;
}

void Exchange::note_writes(Member* writer, Variable& variable, std::size_t count, const Moment& at) {
    variable.written = at.stamp;
    variable.writes += count;
    variable.rate.on_writes(at.warped, count);
    if (writer && variable.last_writer != writer) note_writer(*writer, variable);
    if (witness_ && !variable.journal_changed) witness_->on_written(variable);
}

void Exchange::note_writer(Member& writer, Variable& variable) {
    variable.last_writer = &writer;
    writer.published.add(variable);
}

void Exchange::first_write(Variable& variable, std::string_view writer_name) {
    for (Member* member : members_) {
        work_ += member->wildcards.size();
        if (member->wildcards.empty() || subscription_of(variable, *member)) continue;
        for (const Wildcard& wildcard : member->wildcards) {
            if (!wildcard.matches(variable.name, writer_name)) continue;
            add_subscription(*member, variable).interval = wildcard.interval;
            break;
        }
    }
}

void Exchange::deliver(Variable& variable, const MessageRun& run, const Moment& at) {
    work_ += variable.subscriptions.size();
    const auto wait = [&](Subscription& s) {
        if (!s.pending) due_.insert({s.last_sent + s.interval, &variable, s.member});
        s.pending = true;
    };
    for (Subscription& s : variable.subscriptions) {
        const bool paced = s.interval > Duration::zero();
        if (paced && s.sent_any && at.warped - s.last_sent < s.interval) {
            wait(s);
            continue;
        }
        stop_waiting(variable, s);
        s.last_sent = at.warped;
        s.sent_any = true;
        if (!paced || run.count == 1) {
            s.member->deliver(run);
        } else {
            // All were written at the same time: the interval begins with the first one.
            s.member->deliver({nullptr, first_message(run.messages), 1});
            wait(s);
        }
    }
}

void Exchange::stop_waiting(Variable& variable, Subscription& s) {
    if (!s.pending) return;
    s.pending = false;
    due_.erase({s.last_sent + s.interval, &variable, s.member});
}

std::optional<Instant> Exchange::next_due() const {
    if (due_.empty()) return std::nullopt;
    return due_.begin()->at;
}

void Exchange::deliver_due(const Moment& at) {
    while (!due_.empty() && due_.begin()->at <= at.warped) {
        Variable& variable = *due_.begin()->variable;
        Subscription* s = subscription_of(variable, *due_.begin()->member);
        check(s && s->pending, "a due value belongs to a pending subscription");
        stop_waiting(variable, *s);
        s->last_sent = at.warped;
        s->member->deliver(variable.latest);
    }
}

Result<void> Exchange::subscribe(Member& member, std::string_view name, Duration interval, const Moment& at) {
    auto variable = find_or_admit(name);
    if (!variable) return fail(std::move(variable.error()));
    subscribe(member, **variable, interval, at);
    return {};
}

void Exchange::subscribe(Member& member, Variable& variable, Duration interval, const Moment& at) {
    Subscription* s = subscription_of(variable, member);
    if (!s) s = &add_subscription(member, variable);
    stop_waiting(variable, *s);
    s->interval = std::clamp(interval, Duration::zero(), max_interval);
    if (!variable.is_written()) return;
    s->last_sent = at.warped;
    s->sent_any = true;
    auto latest = std::make_shared<Bytes>(latest_for_newcomer(variable));
    work_ += 1 + latest->size() / bytes_per_step;
    member.deliver(latest);
}

void Exchange::unsubscribe(Member& member, std::string_view name) {
    if (const auto found = variables_.find(name); found != variables_.end())
        unsubscribe(member, *found->second);
}

void Exchange::unsubscribe(Member& member, Variable& variable) {
    Subscription* s = subscription_of(variable, member);
    if (!s) return;
    stop_waiting(variable, *s);
    remove_subscription(member, variable);
}

Result<void> Exchange::subscribe_wildcard(Member& member, Wildcard wildcard, const Moment& at) {
    wildcard.interval = std::clamp(wildcard.interval, Duration::zero(), max_interval);
    const std::size_t longest = std::max(wildcard.app_pattern.size(), wildcard.var_pattern.size());
    if (longest > limits_.max_name)
        return fail(Code::limit_exceeded, "the wildcard's pattern: " +
                                              limit_reached("max_name", longest, limits_.max_name, "bytes"));
    const auto same =
        std::ranges::find_if(member.wildcards, [&](const Wildcard& w) { return w.same_patterns(wildcard); });
    if (same == member.wildcards.end() && member.wildcards.size() >= limits_.max_filters)
        return fail(Code::limit_exceeded, limit_reached("max_filters", member.wildcards.size() + 1,
                                                        limits_.max_filters, "wildcard registrations"));
    std::vector<Variable*> matching;
    work_ += variables_.size() + member.wildcards.size();
    for (const auto& [name, known] : variables_)
        if (known->is_written() && wildcard.matches(known->name, known->value().source))
            matching.push_back(known.get());
    std::ranges::sort(matching, {}, [](const Variable* v) -> const std::string& { return v->name; });
    for (Variable* variable : matching) subscribe(member, *variable, wildcard.interval, at);
    if (same == member.wildcards.end())
        member.wildcards.push_back(std::move(wildcard));
    else
        *same = std::move(wildcard);
    return {};
}

void Exchange::unsubscribe_wildcard(Member& member, const Wildcard& wildcard) {
    std::erase_if(member.wildcards, [&](const Wildcard& w) { return w.same_patterns(wildcard); });
    const auto subscribed = member.subscribed.entries();
    work_ += subscribed.size();
    for (const auto& [variable, place] : subscribed)
        if (glob_matches(wildcard.var_pattern, variable->name) &&
            (!variable->is_written() || glob_matches(wildcard.app_pattern, variable->value().source)))
            unsubscribe(member, *variable);
}

void Exchange::leave(Member& member) {
    while (!member.subscribed.empty()) unsubscribe(member, *member.subscribed.entries().back().variable);
    for (const auto& [variable, place] : member.published.entries())
        if (variable->last_writer == &member) variable->last_writer = nullptr;
    member.published.clear();
    member.wildcards.clear();
    erase_one(members_, &member);
}

void Exchange::clear() {
    for (auto& [name, variable] : variables_) {
        variable->latest.reset();
        variable->written = -1;
        variable->writes = 0;
        variable->rate = {};
        variable->last_writer = nullptr;
        for (Subscription& s : variable->subscriptions) s.pending = s.sent_any = false;
    }
    for (Member* member : members_) member->published.clear();
    due_.clear();
    if (witness_) witness_->on_cleared();
}

Result<Variable*> Exchange::restore(ByteView message, double written, std::uint64_t writes) {
    const auto value = wire::decode_message(message);
    if (!value) return fail(value.error());
    auto admitted = find_or_admit(value->key);
    if (!admitted) return admitted;
    Variable& variable = **admitted;
    variable.type = value->data_type;
    variable.latest = std::make_shared<Bytes>(message.begin(), message.end());
    variable.written = written;
    variable.writes = writes;
    return &variable;
}

Result<Variable*> Exchange::find_or_admit(std::string_view name) {
    if (const auto found = variables_.find(name); found != variables_.end()) return found->second.get();
    if (name.size() > limits_.max_name)
        return fail(Code::limit_exceeded, "the variable's name: " + limit_reached("max_name", name.size(),
                                                                                  limits_.max_name, "bytes"));
    if (variables_.size() >= limits_.max_variables)
        return fail(Code::limit_exceeded, fmt::format("{}: {}", name,
                                                      limit_reached("max_variables", variables_.size() + 1,
                                                                    limits_.max_variables, "variables")));
    return &declare(name);
}

Variable& Exchange::declare(std::string_view name, wire::DataType type) {
    auto made = std::make_unique<Variable>(std::string(name));
    made->type = type;
    return *variables_.emplace(made->name, std::move(made)).first->second;
}

const Variable* Exchange::find(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : found->second.get();
}

std::vector<const Variable*> Exchange::sorted() const {
    std::vector<const Variable*> all;
    all.reserve(variables_.size());
    for (const auto& [name, variable] : variables_) all.push_back(variable.get());
    std::ranges::sort(all, {}, [](const Variable* v) -> const std::string& { return v->name; });
    return all;
}

}  // namespace caribou::bus
