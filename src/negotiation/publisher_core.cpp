#include "negotiation/publisher_core.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "negotiation/topic_names.hpp"

namespace caribou::negotiation {

PublisherCore::PublisherCore(Loop& loop, Transport& transport, std::string base_name, PublisherOptions with)
    : base(std::move(base_name)),
      options(std::move(with)),
      market(base, options.limits),
      outlets(loop, transport, base, options.limits),
      loop_(loop),
      transport_(transport),
      timer_(loop.make_timer([this] { on_due(); })),
      upstream_timer_(loop.make_timer([this] { on_upstream_limit(); })),
      hold_timer_(loop.make_timer([this] { change(); })),
      report_timer_(loop.make_timer([this] { send_report(); })) {
    market.problem().maximum_solutions = options.maximum_solutions;
    outlets.may_complete([this] { return upstreams_are_settled(); });
    outlets.on_complete([this] {
        on_complete();
        open_upstreams();
        wake();
    });
}

PublisherCore::~PublisherCore() {
    for (const Upstream& upstream : upstreams_) upstream.subscription->remove_downstream(this);
}

// Offers.

Result<void> PublisherCore::add(Offer offer, const TopicQos& qos, TypeOptions type, const void* tag) {
    const TypeKey key = offer.key;
    if (auto checked = check_topic({outlets.topic_of(key), key.ros_type_name}, qos); !checked) return checked;
    if (auto added = market.add_offer(std::move(offer)); !added) return added;
    outlets.add(key, qos, std::move(type), tag);
    change();
    return {};
}

Result<void> PublisherCore::add_compatible(Offer offer, const Topic& topic, Writer* writer) {
    const TypeKey key = offer.key;
    if (auto checked = check_topic(topic, {}); !checked) return checked;
    if (auto added = market.add_offer(std::move(offer)); !added) return added;
    compatible_topics_[key] = topic;
    if (writer != nullptr) outlets.add_compatible(key, *writer);
    change();
    return {};
}

Result<void> PublisherCore::remove(const TypeKey& key) {
    if (auto removed = market.remove_offer(key, false); !removed) return removed;
    outlets.remove(key);
    change();
    return {};
}

Result<void> PublisherCore::remove_compatible(const TypeKey& key, const Topic& topic) {
    const auto known = compatible_topics_.find(key);
    if (known != compatible_topics_.end() && known->second != topic)
        return fail(Code::not_found,
                    fmt::format("the compatible publisher of {} on {} is that of topic {}, not of {}",
                                to_string(key), base, known->second.name, topic.name));
    if (auto removed = market.remove_offer(key, true); !removed) return removed;
    compatible_topics_.erase(key);
    outlets.remove(key);
    change();
    return {};
}

// Start and stop.

Result<void> PublisherCore::start() {
    if (is_started()) return fail(Code::wrong_state, fmt::format("{} has been started already", base));
    if (options.maximum_solutions == 0)
        return fail(
            Code::invalid_argument,
            fmt::format("{}: maximum_solutions is 0, so nothing could ever be published; 1 is the least",
                        base));
    auto results = transport_.advertise(result_topic(base), result_qos, *this);
    if (!results) return fail(std::move(results.error()));
    auto lists = transport_.subscribe(supported_types_topic(base), supported_types_request, *this);
    if (!lists) return fail(std::move(lists.error()));
    auto reports = transport_.advertise(report_topic(base), report_qos, report_readers_);
    if (!reports) return fail(std::move(reports.error()));
    results_ = std::move(*results);
    lists_ = std::move(*lists);
    reports_ = std::move(*reports);
    has_changed_ = false;  // subscriptions that join later see everything added so far
    return {};
}

void PublisherCore::stop() {
    results_.reset();
    lists_.reset();
    reports_.reset();
    report_readers_.count = 0;
    outlets.close();
    market.forget_all();
    for (const auto& timer : {timer_.get(), upstream_timer_.get(), hold_timer_.get(), report_timer_.get()})
        timer->cancel();
    has_result_ = has_changed_ = has_newcomer_ = wants_changed_ = awaits_upstream_ = is_holding_ = false;
    result = {};
    choice_ = {};
    unserved_.clear();
    unsatisfied_.clear();
    tell_upstreams();
}

Result<void> PublisherCore::negotiate() {
    if (!is_started())
        return fail(Code::wrong_state, fmt::format("{}: start() comes before negotiate()", base));
    change();
    return {};
}

// Events of subscriptions.

void PublisherCore::on_sample(const Peer& subscription, const Sample& list) {
    const auto types = object_of<SupportedTypes>(list);
    if (!types) {
        ++count.malformed;
        return;
    }
    const auto changed = market.hear(subscription, **types);
    if (!changed) {
        ++count.refused_lists;
        return;
    }
    if (!*changed) return;
    wants_changed_ = true;
    update_expected();
    if (options.on_downstream_update) options.on_downstream_update();
    options.negotiate_on_subscription_added ? change() : wake();
}

void PublisherCore::on_writer_gone(const Peer& subscription) {
    if (!market.forget(subscription.id)) return;
    wants_changed_ = true;
    update_expected();
    if (options.on_downstream_update) options.on_downstream_update();
    options.negotiate_on_subscription_removed ? change() : wake();
}

void PublisherCore::on_reader_joined(const Peer&) {
    has_newcomer_ = true;
    wake();
}

// Rate limits.

void PublisherCore::change() {
    has_changed_ = true;
    wake();
}

/// Returns whether a switch has to be completed before the next negotiation, so that no type is skipped while
/// messages of it are on their way.
bool PublisherCore::has_to_wait() const { return outlets.is_switching() && !market.lists().empty(); }

void PublisherCore::wake() {
    if (!is_started()) return;
    const Instant now = loop_.clock().now();
    Instant due = Instant::max();
    if (wants_changed_) due = std::max(now, next_wants_);
    if (has_newcomer_ && has_result_) due = std::min(due, std::max(now, next_result_));
    if (has_changed_ && !has_to_wait()) due = std::min(due, std::max({now, next_result_, next_choice_}));
    if (due != Instant::max()) timer_->arm(due);
}

void PublisherCore::on_due() {
    const Instant now = loop_.clock().now();
    if (wants_changed_ && now >= next_wants_) {
        wants_changed_ = false;
        next_wants_ = now + options.limits.result_interval;
        tell_upstreams();
    }
    if (has_changed_ && !has_to_wait() && now >= std::max(next_result_, next_choice_)) negotiate_now();
    if (has_newcomer_ && has_result_ && now >= next_result_) send_result();
    open_upstreams();
    wake();
}

// The negotiation.

void PublisherCore::negotiate_now() {
    has_changed_ = has_upstream_changed_ = is_holding_ = false;
    hold_timer_->cancel();
    ++count.negotiations;
    update_usable();
    if (market.lists().empty()) {
        // No subscriptions are present, so no result needs to be sent.
        outlets.close();
        result = {};
        choice_ = {};
        has_result_ = false;
        unserved_.clear();
        unsatisfied_.clear();
        return;
    }
    Choice choice = options.negotiate ? custom_choice() : choose_now();
    if (!is_started()) return;  // stopped by the user's function
    // The pause is proportional to the effort, so peers that cause frequent changes wait longer.
    const double effort = static_cast<double>(choice.steps + 1) / static_cast<double>(options.budget + 1);
    const Duration pause = from_seconds(to_seconds(options.limits.longest_pause) * std::min(1.0, effort));
    next_choice_ = loop_.clock().now() + std::max(options.limits.result_interval, pause);
    if (awaits_answer(choice)) {
        is_holding_ = true;
        if (!wants_changed_) hold_timer_->arm(answer_due_);
        return;
    }
    apply(std::move(choice));
}

Choice PublisherCore::choose_now() const {
    return choose(market.problem(),
                  {.budget = options.budget, .previous = told_offers(), .switch_cost = options.switch_cost});
}

/// Returns the indices of the offers in the current result.
std::vector<std::size_t> PublisherCore::told_offers() const {
    std::vector<std::size_t> places;
    for (const NegotiatedTopicInfo& topic : result.negotiated_topics) {
        const Offer* offer = market.find({topic.ros_type_name, topic.supported_type_name});
        if (offer != nullptr)
            places.push_back(static_cast<std::size_t>(offer - market.problem().offers.data()));
    }
    return places;
}

/// Applies the user's function. The types it returns are published if they are offered; the subscriptions
/// that are not served are determined here.
Choice PublisherCore::custom_choice() const {
    const ChoiceProblem& problem = market.problem();
    const std::vector<TypeKey> keys = options.negotiate(problem);
    Choice choice;
    for (std::size_t i = 0; i < problem.offers.size(); ++i) {
        if (std::ranges::find(keys, problem.offers[i].key) == keys.end()) continue;
        (problem.offers[i].is_compatible ? choice.compatible : choice.published).push_back(i);
        if (!problem.offers[i].is_compatible) choice.weights.push_back(weight_of(problem, i));
    }
    choice.success = !choice.published.empty() || !choice.compatible.empty();
    for (const double weight : choice.weights) choice.weight += weight;
    const auto is_chosen = [&](const Want& want) {
        return std::ranges::find(choice.published, want.offer) != choice.published.end() ||
               std::ranges::find(choice.compatible, want.offer) != choice.compatible.end();
    };
    for (std::size_t i = 0; i < problem.demands.size(); ++i)
        if (problem.demands[i].is_cycle)
            choice.unserved.push_back({i, Unserved::cycle});
        else if (std::ranges::none_of(problem.demands[i].wants, is_chosen))
            choice.unserved.push_back({i, Unserved::nothing_offered});
    return choice;
}

void PublisherCore::apply(Choice choice) {
    choice_ = std::move(choice);
    if (choice_.success) {
        std::vector<TypeKey> keys;
        for (const auto& offers : {choice_.published, choice_.compatible})
            for (const std::size_t offer : offers)
                if (outlets.find(market.problem().offers[offer].key) != nullptr)
                    keys.push_back(market.problem().offers[offer].key);
        if (const auto changed = outlets.change_to(keys, expected_readers(choice_)); !changed) {
            choice_ = {};
            if (options.on_unsatisfied) options.on_unsatisfied(changed.error().message);
        }
    }
    if (!is_started()) return;  // stopped by a callback
    if (!choice_.success && options.disconnect_on_failure) outlets.close();
    tell(info_of(choice_));
    tell_unsatisfied(choice_);
    if (report_readers_.count > 0) report_timer_->arm(std::max(loop_.clock().now(), next_report_));
}

/// Returns the result with the types in order of descending weight, because subscriptions take the first one
/// they support.
NegotiatedTopicsInfo PublisherCore::info_of(const Choice& choice) const {
    NegotiatedTopicsInfo info{.success = choice.success, .negotiated_topics = {}};
    const auto& offers = market.problem().offers;
    std::vector<std::pair<double, std::size_t>> in_order;
    for (std::size_t i = 0; i < choice.published.size(); ++i)
        in_order.emplace_back(-choice.weights[i], choice.published[i]);
    std::ranges::stable_sort(in_order, {}, &std::pair<double, std::size_t>::first);
    for (const auto& [weight, offer] : in_order) {
        const TypeKey& key = offers[offer].key;
        info.negotiated_topics.push_back(
            NegotiatedTopicInfo{key.ros_type_name, key.supported_type_name, outlets.topic_of(key)});
    }
    for (const std::size_t offer : choice.compatible) {
        const TypeKey& key = offers[offer].key;
        info.negotiated_topics.push_back(
            NegotiatedTopicInfo{key.ros_type_name, key.supported_type_name, compatible_topics_.at(key).name});
    }
    return info;
}

/// Returns the number of subscriptions that will read one of the published types.
std::size_t PublisherCore::expected_readers(const Choice& choice) const {
    const auto lists_any = [](const Demand& demand, const std::vector<std::size_t>& offers) {
        return std::ranges::any_of(offers, [&](std::size_t offer) { return demand.lists(offer); });
    };
    return static_cast<std::size_t>(
        std::ranges::count_if(market.problem().demands, [&](const Demand& demand) {
            return !demand.is_cycle && lists_any(demand, choice.published) &&
                   !lists_any(demand, choice.compatible);
        }));
}

/// Updates how many subscriptions a switch waits for after a list has come or gone.
void PublisherCore::update_expected() {
    if (!outlets.is_switching()) return;
    Choice present;
    for (const std::size_t place : told_offers())
        (market.problem().offers[place].is_compatible ? present.compatible : present.published)
            .push_back(place);
    outlets.expect(expected_readers(present));
}

void PublisherCore::tell(NegotiatedTopicsInfo info) {
    const bool is_news = !has_result_ || info != result;
    if (is_news && info.success) ++count.switches;
    result = std::move(info);
    has_result_ = true;
    if (is_news || has_newcomer_) send_result();
    if (is_news && !outlets.is_switching()) on_complete();
}

void PublisherCore::send_result() {
    has_newcomer_ = false;
    next_result_ = loop_.clock().now() + options.limits.result_interval;
    const auto message = std::make_shared<const NegotiatedTopicsInfo>(result);
    if (results_->write(make_sample(message, loop_.clock().wall())))
        ++count.results_sent;
    else
        has_newcomer_ = true;  // queue full: sent again when the rate limit allows
}

void PublisherCore::on_complete() {
    if (has_result_ && result.success && options.on_success) options.on_success(result);
}

void PublisherCore::tell_unsatisfied(const Choice& choice) {
    std::string text;
    unserved_.clear();
    for (const UnservedDemand& unserved : choice.unserved) {
        unserved_.emplace(market.lists()[unserved.demand].from.id, unserved.reason);
        // A subscription that lists nothing is not waiting for anything.
        if (market.lists()[unserved.demand].types.empty() && unserved.reason != Unserved::cycle) continue;
        if (!text.empty()) text += "; ";
        text += fmt::format("{} is not served: {}", market.problem().demands[unserved.demand].who,
                            sentence_of(unserved.reason, choice.at_least, options.maximum_solutions));
    }
    if (text == unsatisfied_) return;
    unsatisfied_ = std::move(text);
    if (!unsatisfied_.empty() && options.on_unsatisfied) options.on_unsatisfied(base + ": " + unsatisfied_);
}

}  // namespace caribou::negotiation
