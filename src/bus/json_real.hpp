#pragma once

// Real numbers in the JSON output of bus. Private to bus.

#include <cmath>
#include <string>
#include <string_view>

#include "base/json_writer.hpp"
#include "base/number_text.hpp"

namespace caribou::bus {

/// Writes a member that is a double, always with a decimal point or an exponent, so that languages which
/// distinguish integers from real numbers read a real number. NaN and infinity are null.
inline void put_real(JsonWriter& to, std::string_view name, double value) {
    to.key(name);
    if (!std::isfinite(value)) return to.null();
    std::string text = number_text(value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    to.raw(text);
}

}  // namespace caribou::bus
