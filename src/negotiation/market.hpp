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

/// Entries of this ROS type name in a list of supported types say through which topics the list has
/// come: their other name is the base topic. Publishers that do not know it do not offer it, and so they
/// pass over it.
inline constexpr std::string_view chain_type_name = "caribou/chain";

/// NaN and infinities are not weights.
Result<void> check_weight(const TypeKey& key, double weight);
/// Both names are there, and short enough to be carried.
Result<void> check_key(const TypeKey& key);

/// Who offers what and who wants what at one publisher: turns lists from outside, which may be anything,
/// into a problem.
class Market {
public:
    Market(std::string base, const Limits& limits) : base_(std::move(base)), limits_(limits) {}

    Result<void> add_offer(Offer offer);
    Result<void> remove_offer(const TypeKey& key, bool is_compatible);
    /// Null: it is not offered.
    const Offer* find(const TypeKey& key) const;
    /// Whether it changed anything.
    bool set_usable(std::size_t offer, bool is_usable);

    /// A subscription's list, in place of its last one. Returns whether anything changed. Fails if there
    /// are too many subscriptions.
    Result<bool> hear(const Peer& from, const msg::negotiated_interfaces::SupportedTypes& list);
    bool forget(const PeerId& from);
    void forget_all();

    const ChoiceProblem& problem() const { return problem_; }
    ChoiceProblem& problem() { return problem_; }

    /// What is known of the subscription whose demand is at the same place of the problem.
    struct Listed {
        Peer from;
        std::vector<msg::negotiated_interfaces::SupportedType> types;  ///< as it came, within the limits
        std::set<std::string> chain;                                   ///< base topics behind it
        std::size_t refused = 0;                                       ///< entries that make no sense
    };
    const std::vector<Listed>& lists() const { return lists_; }
    /// All base topics behind all subscriptions. Those of a cycle are among them: only so do all of its
    /// publishers come to know of it.
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
