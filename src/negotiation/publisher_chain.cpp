// Chains: a publisher whose messages are generated from those of upstream subscriptions.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "negotiation/publisher_core.hpp"

namespace caribou::negotiation {

Result<void> PublisherCore::add_upstream(NegotiatedSubscription& upstream, Mapping mapping) {
    SubscriptionCore* const core = upstream.core_.get();
    if (std::ranges::find(upstreams_, core, &Upstream::subscription) != upstreams_.end())
        return fail(Code::already_exists, fmt::format("{} is upstream of {} already", core->base, base));
    if (upstreams_.size() >= options.limits.max_upstreams)
        return fail(Code::limit_exceeded, limit_reached("max_upstreams", upstreams_.size() + 1,
                                                        options.limits.max_upstreams, "subscriptions"));
    if (!mapping) mapping = [](const TypeKey& a, const TypeKey& b) { return a == b; };
    upstreams_.push_back({core, std::move(mapping)});
    core->add_listener(
        this, {.on_change =
                   [this] {
                       has_upstream_changed_ = true;
                       change();
                   },
               .on_settled = [this] { outlets.proceed(); },
               .is_through = [this] { return is_through(); },
               .on_end =
                   [this, core] {
                       std::erase_if(upstreams_, [&](const Upstream& u) { return u.subscription == core; });
                       change();
                   }});
    tell_upstreams();
    change();
    return {};
}

Result<void> PublisherCore::remove_upstream(NegotiatedSubscription& upstream) {
    SubscriptionCore* const core = upstream.core_.get();
    if (std::erase_if(upstreams_, [&](const Upstream& u) { return u.subscription == core; }) == 0)
        return fail(Code::not_found, fmt::format("{} is not upstream of {}", core->base, base));
    core->remove_downstream(this);
    change();
    return {};
}

/// Returns, for every type that the upstream subscription supports, the demands that can be served from it.
DownstreamWants PublisherCore::wants_of(const Upstream& upstream) const {
    DownstreamWants wants;
    for (const TypeKey& key : upstream.subscription->supported_keys())
        for (const Demand& demand : market.problem().demands) {
            if (demand.is_cycle) continue;
            bool is_served = false;
            for (const Want& want : demand.wants) {
                if (!upstream.mapping(key, market.problem().offers[want.offer].key)) continue;
                wants.types[key].weight += want.weight;
                is_served = true;
            }
            if (is_served) ++wants.types[key].demands;
        }
    wants.chain = market.chain();
    wants.chain.insert(base);
    return wants;
}

void PublisherCore::tell_upstreams() {
    for (const Upstream& upstream : std::vector(upstreams_))
        if (upstream.subscription->set_downstream(this, wants_of(upstream)))
            answer_due_ = loop_.clock().now() + options.limits.answer_limit;
    if (is_holding_) hold_timer_->arm(std::max(loop_.clock().now(), answer_due_));
}

/// Returns whether the previous result stays in effect although it serves nobody any more: the upstreams have
/// been asked for other types and may still switch to them.
bool PublisherCore::awaits_answer(const Choice& choice) const {
    if (choice.success || !result.success || upstreams_.empty()) return false;
    return wants_changed_ || loop_.clock().now() < answer_due_;
}

bool PublisherCore::is_through() const {
    if (!is_started() || market.lists().empty()) return true;
    return !has_upstream_changed_ && !outlets.is_switching();
}

void PublisherCore::open_upstreams() {
    if (!is_through()) return;
    for (std::size_t i = 0; i < upstreams_.size(); ++i) upstreams_[i].subscription->open();
}

bool PublisherCore::upstreams_are_settled() const {
    return std::ranges::all_of(upstreams_,
                               [](const Upstream& upstream) { return upstream.subscription->is_settled(); });
}

bool PublisherCore::upstreams_deliver(const TypeKey& key) const {
    return std::ranges::all_of(upstreams_, [&](const Upstream& upstream) {
        const auto connected = upstream.subscription->connected_type();
        return connected && upstream.mapping(*connected, key);
    });
}

void PublisherCore::update_usable() {
    for (std::size_t i = 0; i < market.problem().offers.size(); ++i)
        market.set_usable(i, upstreams_deliver(market.problem().offers[i].key));
    const bool waits = std::ranges::any_of(
        upstreams_, [](const Upstream& upstream) { return !upstream.subscription->connected_type(); });
    const bool is_wanted =
        std::ranges::any_of(market.lists(), [](const auto& list) { return !list.types.empty(); });
    if (!waits || !is_wanted)
        upstream_timer_->cancel();
    else if (!awaits_upstream_)
        upstream_timer_->arm(loop_.clock().now() + options.limits.upstream_limit);
    awaits_upstream_ = waits && is_wanted;
}

/// Reports upstreams that have not negotiated. This is also how a cycle is detected if the nodes in it do not
/// forward chain entries.
void PublisherCore::on_upstream_limit() {
    if (!options.on_unsatisfied) return;
    for (const Upstream& upstream : upstreams_)
        if (!upstream.subscription->connected_type())
            options.on_unsatisfied(fmt::format(
                "{}: upstream {} has not negotiated for {} s; is it published, in a type that is wanted "
                "here? Or does it "
                "wait for {} itself?",
                base, upstream.subscription->base, to_seconds(options.limits.upstream_limit), base));
}

}  // namespace caribou::negotiation
