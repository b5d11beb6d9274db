#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/facts.hpp"
#include "behavior/value.hpp"

namespace caribou::behavior {

/// What is known about a fact before it is set.
struct FactDeclaration {
    enum class Type : std::uint8_t { flag, number, text };
    static constexpr double unbounded = std::numeric_limits<double>::infinity();

    std::string name{};   ///< if it ends with a colon, all names that begin so
    std::string about{};  ///< one line, for people
    Type type = Type::flag;
    std::string unit{};  ///< of a number, such as `%`; may be empty
    double min = -unbounded;
    double max = unbounded;
    std::optional<Value> fallback{};  ///< its value until it is set; nullopt: unknown
    bool is_settable = true;          ///< the actions of a tree may set it
    bool is_kept = false;             ///< has its last value again after a restart
    /// Of a family: what follows the colon in its only members; nullopt: anything may.
    std::optional<std::vector<std::string>> members{};

    bool is_family() const { return name.ends_with(':'); }
    friend bool operator==(const FactDeclaration&, const FactDeclaration&) = default;
};

using FactDeclarations = std::map<std::string, FactDeclaration, std::less<>>;

/// Returns `bool`, `number` or `text`, as in files.
std::string_view to_string(FactDeclaration::Type type);
std::optional<FactDeclaration::Type> fact_type_from(std::string_view word);
FactDeclaration::Type type_of(const Value& value);

/// Returns whether the value has the declared type and is in the declared range. A family accepts any value.
bool fits(const FactDeclaration& fact, const Value& value);
/// Returns what the fact is, for messages: `true or false`, `a number from 0 to 100 (%)`.
std::string describe(const FactDeclaration& fact);

/// Returns the declaration of the name, or of the family of which it is a member, or null.
const FactDeclaration* find_fact(const FactDeclarations& facts, std::string_view name);
/// Returns the declaration of the family to which the name belongs, member or not, or null.
const FactDeclaration* find_family(const FactDeclarations& facts, std::string_view name);
/// Returns the names of all facts, with the members of families as far as they are known.
std::vector<std::string> names_of(const FactDeclarations& facts);

/// Returns the value that a text means for this fact, such as `20`, `true` or a text. A fact of a family
/// takes true, false, a number or a text, whichever it reads as. Fails with invalid_argument if it does not
/// fit.
Result<Value> value_from(const FactDeclaration& fact, std::string_view text);

/// Sets all facts that have a fallback and are unknown.
void set_fallbacks(const FactDeclarations& declared, Facts& facts);

}  // namespace caribou::behavior
