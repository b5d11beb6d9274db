#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "msg/negotiated_interfaces/supported_types.hpp"
#include "negotiation/choice.hpp"
#include "negotiation/limits.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// ROS type name of the entries in a list of supported types that record the topics through which the list
/// has passed; their supported_type_name is the base topic. Publishers that do not know this type ignore the
/// entries, because they do not offer it.
inline constexpr std::string_view chain_type_name = "caribou/chain";

/// Largest absolute value of a weight. Sums of weights cannot overflow.
inline constexpr double max_weight = 1e100;

/// Returns an error if `weight` is NaN or beyond max_weight.
Result<void> check_weight(const TypeKey& key, double weight);
/// Returns an error if either name is empty, too long, or not allowed in a topic.
Result<void> check_key(const TypeKey& key);

/// The offers and demands at one publisher. Converts lists received from peers, which may contain anything,
/// into a ChoiceProblem.
class Market {
public:
    Market(std::string base, const Limits& limits) : base_(std::move(base)), limits_(limits) {}

    /// Fails if the key or weight is invalid, the key is already offered, or there are too many offers.
    Result<void> add_offer(Offer offer);
    Result<void> remove_offer(const TypeKey& key, bool is_compatible);
    /// Returns null if `key` is not offered. Valid until offers are added or removed.
    const Offer* find(const TypeKey& key) const;
    /// Returns whether the value changed.
    bool set_usable(std::size_t offer, bool is_usable);

    /// Stores a subscription's list in place of its previous one. Returns whether anything changed. Fails
    /// with limit_exceeded if there are too many subscriptions.
    Result<bool> hear(const Peer& from, const msg::negotiated_interfaces::SupportedTypes& list);
    /// Removes the list of a subscription. Returns false if there is none.
    bool forget(const PeerId& from);
    void forget_all();

    const ChoiceProblem& problem() const { return problem_; }
    ChoiceProblem& problem() { return problem_; }

    /// The list of one subscription. Its index is that of the subscription's demand in the problem.
    struct Listed {
        Peer from;
        std::vector<msg::negotiated_interfaces::SupportedType> types;  ///< as received, within the limits
        std::set<std::string> chain;                                   ///< base topics downstream of it
        std::size_t refused = 0;                                       ///< entries invalid or beyond a limit
    };
    const std::vector<Listed>& lists() const { return lists_; }
    /// Returns all base topics downstream of all subscriptions, including those in a cycle: that is how every
    /// publisher in the cycle detects it.
    std::set<std::string> chain() const;

private:
    Listed read(const Peer& from, const msg::negotiated_interfaces::SupportedTypes& list) const;
    Demand demand_of(const Listed& listed) const;
    void read_again();

    std::string base_;
    const Limits& limits_;
    ChoiceProblem problem_;
    std::map<TypeKey, std::size_t> offer_of_;
    std::vector<Listed> lists_;
    std::map<PeerId, std::size_t> place_of_;
};

}  // namespace caribou::negotiation
