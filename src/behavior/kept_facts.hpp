#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/fact_declaration.hpp"
#include "behavior/value.hpp"

namespace caribou::behavior {

/// The stored values of facts, by name (docs/formats/kept-facts.md).
using KeptFacts = std::map<std::string, Value, std::less<>>;

/// The newest version of the stored form; versions start at 1.
inline constexpr int kept_facts_version = 1;

/// Returns a text that kept_facts_from() accepts. Numbers that are not finite are left out.
std::string file_text_of(const KeptFacts& facts);
/// Fails with Code::malformed if the text is not of this form, and with Code::refused if it was written by a
/// newer version.
Result<KeptFacts> kept_facts_from(std::string_view file_text);

/// Returns the values of the facts that are declared as kept, as far as they are known.
KeptFacts kept_of(const FactDeclarations& declared, const Facts& facts);
/// Sets the facts that are declared as kept. Returns the names of those whose stored value does not fit.
std::vector<std::string> restore(const KeptFacts& kept, const FactDeclarations& declared, Facts& facts);

}  // namespace caribou::behavior
