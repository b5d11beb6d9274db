#include "behavior/value.hpp"

#include <fmt/format.h>

namespace caribou::behavior {

std::string to_string(const Value& value) {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    return std::get<std::string>(value);
}

}  // namespace caribou::behavior
