#pragma once

#include <cstdint>
#include <string_view>

namespace caribou::behavior {

/// Which gate refused an activation. They are asked in this order; the first refusal is the answer.
enum class Gate : std::uint8_t {
    none,           ///< no gate: the answer is yes
    scope,          ///< it is out of scope: no active behavior lists it
    active,         ///< it is active already
    broken,         ///< its init threw
    circumstances,  ///< charging, off the ground or carrying, and not allowed then
    ensured,        ///< it needs an active ancestor that ensures something
    requirement,    ///< a RequirementGate
    condition,      ///< one of its "wants" conditions
    behavior,       ///< its own wants_to_be_activated
    delegates,      ///< it wants control only if one of its delegates does, and none does
};

std::string_view to_string(Gate gate);

/// The answer to wants_to_be_activated: yes, or no with a reason.
class Wants {
public:
    /// Implicit, so that a behavior can use `return distance < 1;`.
    // NOLINTNEXTLINE(google-explicit-constructor)
    Wants(bool yes) : gate_(yes ? Gate::none : Gate::behavior) {}
    static Wants yes() { return {true}; }
    /// The reason must be a literal, or live as long as the behavior.
    static Wants no(std::string_view why) { return {Gate::behavior, why}; }
    Wants(Gate gate, std::string_view why) : gate_(gate), why_not_(why) {}
    /// No for now, because its answer is not known yet. Dispatchers that take their children in order wait
    /// for it. The caller must end that soon.
    static Wants later(std::string_view why, Gate gate = Gate::behavior) {
        Wants wants(gate, why);
        wants.is_later_ = true;
        return wants;
    }

    explicit operator bool() const { return gate_ == Gate::none; }
    bool is_later() const { return is_later_; }
    Gate gate() const { return gate_; }
    /// Returns an empty text after yes, or if the behavior gave no reason.
    std::string_view why_not() const { return why_not_; }

    friend bool operator==(const Wants&, const Wants&) = default;

private:
    Gate gate_;
    std::string_view why_not_;
    bool is_later_ = false;
};

}  // namespace caribou::behavior
