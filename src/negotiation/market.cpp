#include "negotiation/market.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "negotiation/cover.hpp"

namespace caribou::negotiation {

using msg::negotiated_interfaces::SupportedTypes;

Result<void> check_weight(const TypeKey& key, double weight) {
    if (std::abs(weight) <= max_weight) return {};
    return fail(Code::invalid_argument,
                fmt::format("the weight of {} is {}; expected a number from {} to {}, 0 for no preference",
                            to_string(key), weight, -max_weight, max_weight));
}

Result<void> check_key(const TypeKey& key) {
    const auto wrong = [&](std::string_view what) {
        return fail(Code::invalid_argument, fmt::format("supported type `{}` of `{}`: {}",
                                                        key.supported_type_name, key.ros_type_name, what));
    };
    if (key.supported_type_name.empty()) return wrong("supported_type_name is empty");
    if (key.ros_type_name.empty()) return wrong("the name of the message is empty");
    // The topic of the data is named after the supported type.
    if (auto checked = check_topic({"/" + key.supported_type_name, key.ros_type_name}, {}); !checked)
        return wrong(checked.error().message);
    return {};
}

Result<void> Market::add_offer(Offer offer) {
    if (auto checked = check_key(offer.key); !checked) return checked;
    if (auto checked = check_weight(offer.key, offer.weight); !checked) return checked;
    if (find(offer.key) != nullptr)
        return fail(Code::already_exists,
                    fmt::format("{} is offered on {} already", to_string(offer.key), base_));
    const auto alike = static_cast<std::size_t>(
        std::ranges::count(problem_.offers, offer.is_compatible, &Offer::is_compatible));
    const std::size_t limit = offer.is_compatible ? limits_.max_compatible : max_types;
    if (alike >= limit)
        return fail(Code::limit_exceeded,
                    fmt::format("{} on {}: {}", to_string(offer.key), base_,
                                limit_reached(offer.is_compatible ? "max_compatible" : "max_types", alike + 1,
                                              limit, "types")));
    problem_.offers.push_back(std::move(offer));
    read_again();
    return {};
}

Result<void> Market::remove_offer(const TypeKey& key, bool is_compatible) {
    const Offer* offer = find(key);
    if (offer == nullptr || offer->is_compatible != is_compatible) {
        std::vector<std::string> known;
        for (const Offer& o : problem_.offers)
            if (o.is_compatible == is_compatible) known.push_back(to_string(o.key));
        return fail(Code::not_found, fmt::format("{} is not offered on {}{}", to_string(key), base_,
                                                 instead_of(to_string(key), known)));
    }
    problem_.offers.erase(problem_.offers.begin() + (offer - problem_.offers.data()));
    read_again();
    return {};
}

const Offer* Market::find(const TypeKey& key) const {
    const auto found = offer_of_.find(key);
    return found == offer_of_.end() ? nullptr : &problem_.offers[found->second];
}

bool Market::set_usable(std::size_t offer, bool is_usable) {
    return std::exchange(problem_.offers[offer].is_usable, is_usable) != is_usable;
}

Result<bool> Market::hear(const Peer& from, const SupportedTypes& list) {
    const auto known = place_of_.find(from.id);
    if (known == place_of_.end() && lists_.size() >= limits_.max_subscriptions)
        return fail(Code::limit_exceeded, limit_reached("max_subscriptions", lists_.size() + 1,
                                                        limits_.max_subscriptions, "subscriptions"));
    Listed listed = read(from, list);
    if (known == place_of_.end()) {
        place_of_.emplace(from.id, lists_.size());
        problem_.demands.push_back(demand_of(listed));
        lists_.push_back(std::move(listed));
        return true;
    }
    Listed& old = lists_[known->second];
    const bool changed = old.types != listed.types || old.chain != listed.chain;
    old = std::move(listed);
    if (changed) problem_.demands[known->second] = demand_of(old);
    return changed;
}

bool Market::forget(const PeerId& from) {
    const auto found = place_of_.find(from);
    if (found == place_of_.end()) return false;
    const std::size_t place = found->second;
    place_of_.erase(found);
    if (place + 1 != lists_.size()) {
        lists_[place] = std::move(lists_.back());
        problem_.demands[place] = std::move(problem_.demands.back());
        place_of_[lists_[place].from.id] = place;
    }
    lists_.pop_back();
    problem_.demands.pop_back();
    return true;
}

void Market::forget_all() {
    lists_.clear();
    place_of_.clear();
    problem_.demands.clear();
}

std::set<std::string> Market::chain() const {
    std::set<std::string> all;
    for (const Listed& listed : lists_) all.insert(listed.chain.begin(), listed.chain.end());
    return all;
}

Market::Listed Market::read(const Peer& from, const SupportedTypes& list) const {
    Listed listed{.from = from, .types = {}, .chain = {}};
    for (msg::negotiated_interfaces::SupportedType type : list.supported_types) {
        if (type.ros_type_name == chain_type_name) {
            // One more than allowed suffices to detect that it is too long.
            if (listed.chain.size() <= limits_.max_chain) listed.chain.insert(type.supported_type_name);
            continue;
        }
        const bool is_sound = std::isfinite(type.weight) && type.ros_type_name.size() <= limits_.max_name &&
                              type.supported_type_name.size() <= limits_.max_name;
        if (!is_sound || listed.types.size() >= limits_.max_listed_types) {
            ++listed.refused;
            continue;
        }
        type.weight = std::clamp(type.weight, -max_weight, max_weight);
        listed.types.push_back(std::move(type));
    }
    return listed;
}

Demand Market::demand_of(const Listed& listed) const {
    Demand demand{.who = listed.from.name,
                  .wants = {},
                  .is_cycle = listed.chain.contains(base_) || listed.chain.size() > limits_.max_chain};
    for (const msg::negotiated_interfaces::SupportedType& type : listed.types) {
        const auto found = offer_of_.find({type.ros_type_name, type.supported_type_name});
        if (found != offer_of_.end() && !demand.lists(found->second))
            demand.wants.push_back({found->second, type.weight});
    }
    return demand;
}

/// Rebuilds the index and all demands after the offers have changed.
void Market::read_again() {
    offer_of_.clear();
    for (std::size_t i = 0; i < problem_.offers.size(); ++i) offer_of_.emplace(problem_.offers[i].key, i);
    for (std::size_t i = 0; i < lists_.size(); ++i) problem_.demands[i] = demand_of(lists_[i]);
}

}  // namespace caribou::negotiation
