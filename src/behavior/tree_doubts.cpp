#include "behavior/tree_doubts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "behavior/engine_classes.hpp"

namespace caribou::behavior {
namespace {

/// The flags of the circumstances; a combination of them is a number from 0 to 7.
constexpr std::array<std::string_view, 3> allowed_flags{"allowed_charging", "allowed_off_ground",
                                                        "allowed_carrying"};
constexpr unsigned combinations = 1U << allowed_flags.size();

class DoubtFinder {
public:
    DoubtFinder(const TreePlan& plan, const ClassRegistry& classes)
        : plan_(plan),
          classes_(classes),
          can_want_(plan.entries.size() * combinations),
          surely_wants_(plan.entries.size() * combinations),
          forbidden_(plan.entries.size(), false) {}

    std::vector<TreeFinding> find() {
        for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
            const ChildOrder order = class_of(i).order;
            if (order == ChildOrder::by_priority) find_outranked(i);
            if (order == ChildOrder::in_turn || order == ChildOrder::as_fallback) find_unreachable_turn(i);
            find_empty_promises(i);
        }
        find_base_that_fails();
        for (const auto& [name, action] : classes_.actions()) find_missing_promises_and_flags(action);
        for (std::size_t i = 0; i < plan_.entries.size(); ++i)
            if (class_of(i).order == ChildOrder::in_turn) find_forbidden_turns(i);
        find_children_below_themselves();
        std::ranges::stable_sort(findings_, {}, &TreeFinding::node);
        return std::move(findings_);
    }

private:
    const BehaviorClass& class_of(std::size_t entry) const {
        return classes_.behaviors().at(plan_.entries[entry].class_name);
    }
    const TreeEntry& entry(std::size_t i) const { return plan_.entries[i]; }

    bool is_dispatcher(std::size_t i) const {
        const AskedChildren asked = class_of(i).asked_children;
        return asked == AskedChildren::first || asked == AskedChildren::all;
    }
    /// Returns whether the circumstances permit its activation. Dispatchers leave that to their children.
    bool is_allowed(std::size_t i, unsigned circumstances) const {
        for (std::size_t flag = 0; flag < allowed_flags.size(); ++flag) {
            const bool* given_flag = given<bool>(entry(i).values, allowed_flags[flag]);
            const bool allowed = given_flag ? *given_flag : is_dispatcher(i);
            if ((circumstances >> flag & 1U) != 0 && !allowed) return false;
        }
        return true;
    }
    /// Returns a result that was determined before, or determines it. Behaviors below themselves, and below
    /// max_depth, count as `otherwise`.
    template <class Find>
    static bool remember(std::optional<bool>& known, bool otherwise, int depth, Find find) {
        if (known || depth > max_depth) return known.value_or(otherwise);
        known = otherwise;
        return *(known = find());
    }
    /// Returns whether it can be activated in these circumstances at all.
    bool can_want(std::size_t i, unsigned circumstances, int depth = 0) {
        return remember(can_want_[i * combinations + circumstances], true, depth, [&] {
            if (!is_allowed(i, circumstances)) return false;
            if (!is_dispatcher(i) || asks_nothing(i)) return true;
            return std::ranges::any_of(entry(i).children, [&](const ChildPlan& child) {
                return can_want(child.entry, circumstances, depth + 1);
            });
        });
    }
    bool never_ends(std::size_t i) const {
        return !class_of(i).ends_by_itself && !entry(i).values.contains("cancel");
    }
    /// Returns whether `always` is among its conditions.
    bool asks_nothing(std::size_t i) const {
        const auto* wants = given<std::vector<PartPlan>>(entry(i).values, "wants");
        return wants && std::ranges::find(*wants, always_word, &PartPlan::class_name) != wants->end();
    }
    bool has_conditions(std::size_t i) const {
        const auto* wants = given<std::vector<PartPlan>>(entry(i).values, "wants");
        const bool conditional = wants && std::ranges::any_of(*wants, [](const PartPlan& part) {
                                     return part.class_name != always_word;
                                 });
        return conditional || entry(i).values.contains("requirement") ||
               entry(i).values.contains("needs_ensured") || !class_of(i).needs_ensured.empty();
    }
    /// Returns whether it wants control in these circumstances whenever it is asked.
    bool surely_wants(std::size_t i, unsigned circumstances, int depth = 0) {
        return remember(surely_wants_[i * combinations + circumstances], false, depth,
                        [&] { return finds_it_surely_wants(i, circumstances, depth); });
    }
    bool finds_it_surely_wants(std::size_t i, unsigned circumstances, int depth) {
        if (has_conditions(i) || !is_allowed(i, circumstances)) return false;
        const auto& children = entry(i).children;
        const auto wants = [&](const ChildPlan& child) {
            return surely_wants(child.entry, circumstances, depth + 1);
        };
        switch (class_of(i).asked_children) {
            case AskedChildren::unknown: return false;
            case AskedChildren::none: return true;
            case AskedChildren::first:
                return asks_nothing(i) || (!children.empty() && wants(children.front()));
            case AskedChildren::all: return asks_nothing(i) || std::ranges::any_of(children, wants);
        }
        return false;
    }

    /// Returns the circumstances for which `holds` returns true, one bit for each combination.
    template <class Holds>
    static unsigned mask_of(Holds holds) {
        unsigned mask = 0;
        for (unsigned circumstances = 0; circumstances < combinations; ++circumstances)
            if (holds(circumstances)) mask |= 1U << circumstances;
        return mask;
    }
    void find_outranked(std::size_t parent) {
        std::map<unsigned, std::size_t> earlier;  // by the circumstances in which it surely wants control
        for (const ChildPlan& child : entry(parent).children) {
            const unsigned possible = mask_of([&](unsigned c) { return can_want(child.entry, c); });
            const auto outranks = [&](const auto& known) { return (possible & ~known.first) == 0; };
            if (const auto known = std::ranges::find_if(earlier, outranks); known != earlier.end()) {
                const std::string& before = entry(known->second).id;
                findings_.push_back(
                    {child.entry,
                     fmt::format("`{}` can never run: `{}` comes before it in `{}` and always wants control; "
                                 "give `{}` a `wants` condition, or move it to the end",
                                 entry(child.entry).id, before, entry(parent).id, before)});
            }
            earlier.emplace(mask_of([&](unsigned c) { return surely_wants(child.entry, c); }), child.entry);
        }
    }

    void find_unreachable_turn(std::size_t parent) {
        const auto& children = entry(parent).children;
        for (std::size_t i = 0; i + 1 < children.size(); ++i) {
            const std::size_t endless = children[i].entry;
            if (!never_ends(endless) || has_conditions(endless) || !surely_wants(endless, 0)) continue;
            findings_.push_back(
                {children[i + 1].entry,
                 fmt::format("`{}` can never run: `{}` comes before it in `{}` and never ends; give `{}` a "
                             "`cancel` condition",
                             entry(children[i + 1].entry).id, entry(endless).id, entry(parent).id,
                             entry(endless).id)});
            return;
        }
    }

    std::vector<std::string> classes_that_ensure(std::string_view name) const {
        std::vector<std::string> able;
        for (const auto& [other, its_class] : classes_.behaviors())
            if (std::ranges::find(its_class.ensures, name) != its_class.ensures.end()) able.push_back(other);
        return able;
    }

    /// Finds entries with an action that fails because nothing on a way to them ensures what it needs.
    void find_unensured(const ActionClass& action) {
        const std::vector<std::string> able = classes_that_ensure(action.should_be_ensured);
        const auto is_safe = [&](std::size_t i) {
            return std::ranges::find(able, entry(i).class_name) != able.end() ||
                   entry(i).values.contains("requirement") || refers_to(entry(i).values, "", action.or_fact);
        };
        const std::vector<bool> reached = reached_unless(is_safe);
        for (std::size_t i = 0; i < plan_.entries.size(); ++i)
            if (reached[i] && refers_to(entry(i).values, action.name, {}))
                findings_.push_back(
                    {i, fmt::format("`{}` does `{}`, and no behavior on the way to it ensures `{}`; put it "
                                    "below {}",
                                    entry(i).id, action.name, action.should_be_ensured, listed(able, "or"))});
    }

    void find_missing_promises_and_flags(const ActionClass& action) {
        if (!action.should_be_ensured.empty()) find_unensured(action);
        if (!action.needs_flag.empty()) find_forbidden(action);
    }
    static unsigned circumstance_of(std::string_view flag) {
        const auto found = std::ranges::find(allowed_flags, flag);
        return found == allowed_flags.end() ? 0U : 1U << (found - allowed_flags.begin());
    }
    static std::string remedy(std::string_view flag) {
        return fmt::format(R"(is not allowed while `{}` holds: add "{}": true)",
                           flag.substr(flag.find('_') + 1), flag);
    }
    /// Finds entries with an action in circumstances in which they may not be activated.
    void find_forbidden(const ActionClass& action) {
        for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
            if (!refers_to(entry(i).values, action.name, {}) || leads_to(i, action.needs_flag) ||
                is_allowed(i, circumstance_of(action.needs_flag)))
                continue;
            forbidden_[i] = true;
            findings_.push_back({i, fmt::format("`{}` does `{}`, and {}", entry(i).id, action.name,
                                                remedy(action.needs_flag))});
        }
    }
    /// Returns whether one of its own actions leads to the circumstances of a flag.
    bool leads_to(std::size_t i, std::string_view flag) const {
        return std::ranges::any_of(classes_.actions(), [&](const auto& known) {
            return known.second.next_needs_flag == flag && refers_to(entry(i).values, known.first, {});
        });
    }
    /// Finds children that may not be activated after the action of the one before them.
    void find_forbidden_turns(std::size_t parent) {
        const auto& children = entry(parent).children;
        for (std::size_t child = 1; child < children.size(); ++child) {
            const std::size_t before = children[child - 1].entry;
            const std::size_t after = children[child].entry;
            const PartPlan* const last = last_action(before);
            if (!last || has_conditions(after) || forbidden_[after]) continue;
            const ActionClass& action = classes_.actions().at(last->class_name);
            if (action.next_needs_flag.empty() || can_want(after, circumstance_of(action.next_needs_flag)))
                continue;
            findings_.push_back(
                {after, fmt::format("`{}` comes after `{}`, which does `{}`, and {}", entry(after).id,
                                    entry(before).id, action.name, remedy(action.next_needs_flag))});
        }
    }
    /// Returns the action with which an entry ends, or null if it has none.
    const PartPlan* last_action(std::size_t i) const {
        const auto* parts = given<std::vector<PartPlan>>(entry(i).values, "action");
        while (parts && !parts->empty() && parts->back().class_name == "sequence")
            parts = given<std::vector<PartPlan>>(parts->back().values, "sequence");
        return parts && !parts->empty() ? &parts->back() : nullptr;
    }

    void find_empty_promises(std::size_t i) {
        const auto* promised = given<std::vector<std::string>>(entry(i).values, "ensures");
        if (!promised || class_of(i).takes_anything) return;
        for (const std::string& name : *promised) {
            if (std::ranges::find(class_of(i).ensures, name) != class_of(i).ensures.end()) continue;
            const std::vector<std::string> able = classes_that_ensure(name);
            findings_.push_back(
                {i, fmt::format("`{}` does nothing to ensure `{}`: {}", entry(i).class_name, name,
                                able.empty() ? "no class does; remove `ensures`"
                                             : fmt::format("use {} instead", listed(able, "or")))});
        }
    }

    void find_base_that_fails() {
        const auto& ends = class_of(plan_.base).ends_with_failed_child;
        const TreeEntry& base = entry(plan_.base);
        if (!ends || !ends(base.values) || base.children.empty()) return;
        const std::size_t child = base.children.front().entry;
        if (class_of(child).succeeds_always || never_ends(child)) return;
        findings_.push_back(
            {plan_.base, fmt::format("the base `{}` ends when `{}` fails, and nothing runs then; use a "
                                     "`strict_priority` with `{}` as its child instead",
                                     base.id, entry(child).id, entry(child).id)});
    }

    /// Finds children through which every path from the base to their parent leads.
    void find_children_below_themselves() {
        std::vector<std::size_t> parents(plan_.entries.size(), 0);
        for (const TreeEntry& each : plan_.entries)
            for (const ChildPlan& child : each.children) ++parents[child.entry];
        // Entries whose parents have all been removed are in no cycle, and are removed as well.
        std::vector<std::size_t> removable;
        for (std::size_t i = 0; i < plan_.entries.size(); ++i)
            if (parents[i] == 0) removable.push_back(i);
        for (std::size_t i = 0; i < removable.size(); ++i)
            for (const ChildPlan& child : entry(removable[i]).children)
                if (--parents[child.entry] == 0) removable.push_back(child.entry);
        for (std::size_t child = 0; child < plan_.entries.size(); ++child) {
            if (parents[child] == 0 || entry(child).children.empty()) continue;
            const std::vector<bool> reached = reached_without(child);
            for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
                const bool lists =
                    std::ranges::find(entry(i).children, child, &ChildPlan::entry) != entry(i).children.end();
                if (lists && i != child && !reached[i])
                    findings_.push_back(
                        {i, fmt::format("`{}` can never start its child `{}`, which is active whenever "
                                        "`{}` is; remove it from the children",
                                        entry(i).id, entry(child).id, entry(i).id)});
            }
        }
    }
    std::vector<bool> reached_without(std::size_t removed) const {
        return reached_unless([&](std::size_t i) { return i == removed; });
    }
    /// Returns which entries can be reached from the base without passing a removed one.
    template <class IsRemoved>
    std::vector<bool> reached_unless(IsRemoved is_removed) const {
        std::vector<bool> reached(plan_.entries.size(), false);
        if (is_removed(plan_.base)) return reached;
        std::vector<std::size_t> next{plan_.base};
        reached[plan_.base] = true;
        while (!next.empty()) {
            const std::size_t at = next.back();
            next.pop_back();
            for (const ChildPlan& child : entry(at).children)
                if (!reached[child.entry] && !is_removed(child.entry)) {
                    reached[child.entry] = true;
                    next.push_back(child.entry);
                }
        }
        return reached;
    }

    static constexpr int max_depth = 64;  ///< deeper nesting is not examined

    const TreePlan& plan_;
    const ClassRegistry& classes_;
    std::vector<std::optional<bool>> can_want_;      ///< by entry and circumstances
    std::vector<std::optional<bool>> surely_wants_;  ///< the same
    std::vector<bool> forbidden_;  ///< entries that may not be activated when their action is needed
    std::vector<TreeFinding> findings_;
};

}  // namespace

std::vector<TreeFinding> find_doubts(const TreePlan& plan, const ClassRegistry& classes) {
    return DoubtFinder(plan, classes).find();
}

}  // namespace caribou::behavior
