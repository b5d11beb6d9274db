#include "negotiation/subscription_core.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "negotiation/market.hpp"
#include "negotiation/topic_names.hpp"

namespace caribou::negotiation {

SubscriptionCore::SubscriptionCore(Loop& loop, Transport& transport, std::string base_name,
                                   SubscriptionOptions with)
    : base(std::move(base_name)),
      options(std::move(with)),
      transport_(transport),
      clock_(loop.clock()),
      reconsider_timer_(loop.make_timer([this] {
          if (followed_) apply(NegotiatedTopicsInfo(latest_[*followed_]));
      })),
      answer_timer_(loop.make_timer([this] { on_answer_due(); })),
      inlets_(loop, transport, options.limits, count) {
    inlets_.set_gate([this] {
        const auto listeners = listeners_;
        for (const auto& [publisher, listener] : listeners) listener.on_settled();
        return downstreams_are_through();
    });
    inlets_.on_complete([this] {
        if (std::exchange(is_postponed_, false)) reconsider();
    });
}

SubscriptionCore::~SubscriptionCore() {
    for (auto& [publisher, listener] : std::exchange(listeners_, {})) listener.on_end();
}

Result<void> SubscriptionCore::add(TypeKey key, double weight, const TopicQos& qos, Inlets::Sink sink,
                                   std::optional<Topic> compatible) {
    if (auto checked = check_key(key); !checked) return checked;
    if (auto checked = check_weight(key, weight); !checked) return checked;
    if (compatible)
        if (auto checked = check_topic(*compatible, qos); !checked) return checked;
    for (const auto& support : supports_)
        if (support->key == key)
            return fail(Code::already_exists,
                        fmt::format("{} is supported on {} already", to_string(key), base));
    if (supports_.size() >= options.limits.max_listed_types)
        return fail(Code::limit_exceeded, limit_reached("max_listed_types", supports_.size() + 1,
                                                        options.limits.max_listed_types, "types"));
    supports_.push_back(std::make_shared<Support>(
        Support{std::move(key), weight, qos, std::move(sink), std::move(compatible)}));
    return {};
}

Result<void> SubscriptionCore::remove(const TypeKey& key, const std::optional<Topic>& compatible) {
    const auto found = std::ranges::find_if(supports_, [&](const auto& support) {
        return support->key == key && support->compatible == compatible;
    });
    if (found == supports_.end()) return fail(not_supported(key, compatible.has_value()));
    const bool is_connected = connected_type() == key;
    supports_.erase(found);
    if (is_connected) disconnect(SubscriptionState::waiting, "");
    return {};
}

Result<void> SubscriptionCore::set_weight(const TypeKey& key, double weight) {
    if (auto checked = check_weight(key, weight); !checked) return checked;
    const auto found = std::ranges::find(supports_, key, [](const auto& support) { return support->key; });
    if (found == supports_.end()) return fail(not_supported(key, false));
    (*found)->weight = weight;
    return {};
}

/// Returns the error for a type that was not added.
Error SubscriptionCore::not_supported(const TypeKey& key, bool is_compatible) const {
    std::vector<std::string> known;
    for (const auto& support : supports_)
        if (support->compatible.has_value() == is_compatible) known.push_back(to_string(support->key));
    return {Code::not_found, fmt::format("{} is not supported on {}{}", to_string(key), base,
                                         instead_of(to_string(key), known))};
}

Result<void> SubscriptionCore::start() {
    if (lists_) {
        send();
        // The publisher does not send its result again if it is unchanged.
        if (followed_ && state != SubscriptionState::connected)
            if (const auto chosen = chosen_of(possible_in(latest_[*followed_]));
                chosen != NegotiatedTopicInfo{})
                connect(chosen);
        return {};
    }
    auto lists = transport_.advertise(supported_types_topic(base), supported_types_offer, *this);
    if (!lists) return fail(std::move(lists.error()));
    auto results = transport_.subscribe(result_topic(base), result_qos, *this);
    if (!results) return fail(std::move(results.error()));
    lists_ = std::move(*lists);
    results_ = std::move(*results);
    state = SubscriptionState::waiting;
    send();
    return {};
}

SupportedTypes SubscriptionCore::supported_types() const {
    SupportedTypes list;
    for (const auto& support : supports_) {
        double weight = support->weight;
        bool is_wanted = downstream_.empty();
        for (const auto& [publisher, wants] : downstream_)
            if (const auto wanted = wants.types.find(support->key); wanted != wants.types.end()) {
                is_wanted = true;
                weight += wanted->second.weight;
            }
        if (!is_wanted) continue;
        list.supported_types.push_back(
            {support->key.ros_type_name, support->key.supported_type_name, weight});
    }
    std::set<std::string> chain;
    for (const auto& [publisher, wants] : downstream_) chain.insert(wants.chain.begin(), wants.chain.end());
    for (const std::string& topic : chain)
        list.supported_types.push_back({std::string(chain_type_name), topic, 0});
    return list;
}

void SubscriptionCore::send() {
    ++count.lists_sent;
    const auto list = std::make_shared<const SupportedTypes>(supported_types());
    // A full queue loses nothing, because the transport keeps the last list written.
    static_cast<void>(lists_->write(make_sample(list, clock_.wall())));
}

// Downstream publishers.

bool SubscriptionCore::set_downstream(Key publisher, DownstreamWants wants) {
    const auto known = downstream_.find(publisher);
    if (known != downstream_.end() && known->second == wants) return false;
    downstream_[publisher] = std::move(wants);
    answer_due_ = clock_.now() + options.limits.answer_limit;
    if (lists_) send();
    reconsider();
    return true;
}

void SubscriptionCore::remove_downstream(Key publisher) {
    listeners_.erase(publisher);
    open();
    if (downstream_.erase(publisher) == 0) return;
    if (lists_) send();
    reconsider();
}

bool SubscriptionCore::downstreams_are_through() const {
    return std::ranges::all_of(listeners_, [](const auto& each) { return each.second.is_through(); });
}

void SubscriptionCore::open() {
    if (downstreams_are_through()) inlets_.open();
}

bool SubscriptionCore::is_wanted(const TypeKey& key) const {
    return downstream_.empty() || std::ranges::any_of(downstream_, [&](const auto& each) {
               return each.second.types.contains(key);
           });
}

bool SubscriptionCore::is_anything_wanted() const {
    return std::ranges::any_of(supports_, [this](const auto& support) { return is_wanted(support->key); });
}

/// Returns how many downstream subscriptions can be served if it connects to the entry.
std::size_t SubscriptionCore::served_by(const NegotiatedTopicInfo& entry) const {
    std::size_t demands = 0;
    for (const auto& [publisher, wants] : downstream_)
        if (const auto want = wants.types.find({entry.ros_type_name, entry.supported_type_name});
            want != wants.types.end())
            demands += want->second.demands;
    return demands;
}

std::vector<TypeKey> SubscriptionCore::supported_keys() const {
    std::vector<TypeKey> keys;
    for (const auto& support : supports_) keys.push_back(support->key);
    return keys;
}

std::optional<TypeKey> SubscriptionCore::connected_type() const {
    if (state != SubscriptionState::connected) return std::nullopt;
    return TypeKey{connection.ros_type_name, connection.supported_type_name};
}

// Results.

void SubscriptionCore::on_writer_joined(const Peer& publisher) {
    if (publishers_.size() >= options.limits.max_publishers) return;
    publishers_.push_back(publisher.id);
    const Instant due = clock_.now() + options.limits.list_retries.front();
    if (unanswered_.empty()) answer_timer_->arm(due);
    unanswered_[publisher.id] = {.name = publisher.name, .attempts = 0, .due = due};
}

/// Sends the list again to publishers that have not answered. Publishers of the original send their result
/// when a list arrives, and only to readers that they know by then, so it may be lost.
void SubscriptionCore::on_answer_due() {
    const Instant now = clock_.now();
    const auto& intervals = options.limits.list_retries;
    std::vector<std::string> silent;
    bool sends = false;
    for (auto& [id, publisher] : unanswered_) {
        if (publisher.due > now) continue;
        if (++publisher.attempts == intervals.size()) {
            silent.push_back(publisher.name);
        } else {
            publisher.due = now + intervals[publisher.attempts];
            sends = true;
        }
    }
    std::erase_if(unanswered_, [&](const auto& each) { return each.second.attempts == intervals.size(); });
    if (!is_anything_wanted()) silent.clear();
    if (sends && is_anything_wanted()) send();
    Instant next = Instant::max();
    for (const auto& [id, publisher] : unanswered_) next = std::min(next, publisher.due);
    if (next != Instant::max()) answer_timer_->arm(next);
    if (!options.on_unsatisfied) return;
    Duration limit{};
    for (const Duration interval : intervals) limit += interval;
    for (const std::string& name : silent)
        options.on_unsatisfied(
            fmt::format("{}: publisher {} has not answered for {} s", base, name, to_seconds(limit)));
}

void SubscriptionCore::on_writer_gone(const Peer& publisher) {
    unanswered_.erase(publisher.id);
    std::erase(publishers_, publisher.id);
    latest_.erase(publisher.id);
    if (followed_ == publisher.id) follow();
}

void SubscriptionCore::on_sample(const Peer& publisher, const Sample& result) {
    if (std::ranges::find(publishers_, publisher.id) == publishers_.end()) return;
    auto info = object_of<NegotiatedTopicsInfo>(result);
    if (!info) {
        ++count.malformed;
        return;
    }
    ++count.results;
    unanswered_.erase(publisher.id);
    latest_[publisher.id] = **info;
    auto& entries = latest_[publisher.id].negotiated_topics;
    if (entries.size() > options.limits.max_results) entries.resize(options.limits.max_results);
    if (!followed_ || *followed_ == publisher.id || state != SubscriptionState::connected) {
        followed_ = publisher.id;
        apply(latest_[publisher.id]);
    }
}

/// Selects another publisher after the followed one is gone, and applies its result if there is one.
void SubscriptionCore::follow() {
    followed_.reset();
    for (const PeerId& publisher : publishers_) {
        const auto result = latest_.find(publisher);
        if (result == latest_.end()) continue;
        followed_ = publisher;
        return apply(result->second);
    }
    disconnect(SubscriptionState::waiting, "the publisher is gone");
}

SubscriptionCore::Support* SubscriptionCore::supporting(const NegotiatedTopicInfo& entry) {
    for (const auto& support : supports_)
        if (support->key.ros_type_name == entry.ros_type_name &&
            support->key.supported_type_name == entry.supported_type_name &&
            (!support->compatible || support->compatible->name == entry.topic_name))
            return support.get();
    return nullptr;
}

NegotiatedTopicsInfo SubscriptionCore::possible_in(const NegotiatedTopicsInfo& result) {
    NegotiatedTopicsInfo possible{.success = result.success, .negotiated_topics = {}};
    if (result.success)
        std::ranges::copy_if(result.negotiated_topics, std::back_inserter(possible.negotiated_topics),
                             [this](const auto& entry) {
                                 return supporting(entry) != nullptr &&
                                        is_wanted({entry.ros_type_name, entry.supported_type_name});
                             });
    return possible;
}

NegotiatedTopicInfo SubscriptionCore::chosen_of(const NegotiatedTopicsInfo& possible) {
    const auto& entries = possible.negotiated_topics;
    if (entries.empty()) return {};
    const auto is_possible = [&](const NegotiatedTopicInfo& entry) {
        return std::ranges::find(entries, entry) != entries.end();
    };
    if (options.choose) {
        NegotiatedTopicInfo chosen = options.choose(connection, possible);
        return is_possible(chosen) ? chosen : NegotiatedTopicInfo{};
    }
    // Data of a compatible publisher arrives at the plain subscription anyway.
    const auto plain = std::ranges::find_if(
        entries, [this](const auto& entry) { return supporting(entry)->compatible.has_value(); });
    if (plain != entries.end()) return *plain;
    const auto served = [this](const NegotiatedTopicInfo& entry) { return served_by(entry); };
    const NegotiatedTopicInfo& best = *std::ranges::max_element(entries, {}, served);
    return is_possible(connection) && served(connection) == served(best) ? connection : best;
}

void SubscriptionCore::reconsider() { reconsider_timer_->arm(clock_.now()); }

/// Returns whether a node in a chain stays connected although nothing in the result is wanted downstream:
/// other types were requested recently, and the publisher may not have answered yet.
bool SubscriptionCore::keeps_connection(const NegotiatedTopicsInfo& result) const {
    if (state != SubscriptionState::connected) return false;
    if (!options.disconnect_on_failure) return true;
    return !downstream_.empty() && result.success && is_anything_wanted() && clock_.now() < answer_due_ &&
           std::ranges::find(result.negotiated_topics, connection) != result.negotiated_topics.end();
}

void SubscriptionCore::apply(const NegotiatedTopicsInfo& result) {
    if (!listeners_.empty() && inlets_.is_busy()) {
        is_postponed_ = true;
        return;
    }
    const NegotiatedTopicInfo chosen = chosen_of(possible_in(result));
    if (chosen == NegotiatedTopicInfo{}) {
        if (keeps_connection(result)) {
            if (clock_.now() < answer_due_) reconsider_timer_->arm(answer_due_);
        } else if (result.success && !is_anything_wanted()) {
            disconnect(SubscriptionState::waiting, "");
        } else {
            disconnect(SubscriptionState::unsatisfied,
                       result.success ? "nothing that it supports was chosen" : "the negotiation has failed");
        }
        return;
    }
    if (state != SubscriptionState::connected || chosen != connection) connect(chosen);
}

void SubscriptionCore::connect(const NegotiatedTopicInfo& entry) {
    const auto support =
        *std::ranges::find_if(supports_, [&](const auto& s) { return s.get() == supporting(entry); });
    if (support->compatible) {
        inlets_.disconnect();  // the plain subscription receives the data
    } else {
        const auto made = inlets_.connect({entry.topic_name, entry.ros_type_name}, support->qos,
                                          std::shared_ptr<Inlets::Sink>(support, &support->sink));
        if (!made) return disconnect(SubscriptionState::unsatisfied, made.error().message);
    }
    ++count.connections;
    connection = entry;
    state = SubscriptionState::connected;
    tell_listeners();
    const auto callbacks = after_subscription;
    for (const auto& [number, callback] : callbacks) callback(entry);
}

void SubscriptionCore::disconnect(SubscriptionState to, std::string_view why) {
    const SubscriptionState before = std::exchange(state, to);
    inlets_.disconnect();
    connection = {};
    if (before == SubscriptionState::connected) tell_listeners();
    if (to == SubscriptionState::unsatisfied && options.on_unsatisfied)
        options.on_unsatisfied(fmt::format("{}: {}", base, why));
}

void SubscriptionCore::tell_listeners() {
    for (const auto& [publisher, listener] : std::map(listeners_)) listener.on_change();
}

}  // namespace caribou::negotiation
