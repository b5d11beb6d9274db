#include "base/limits.hpp"

#include <fmt/format.h>

namespace caribou {

std::string limit_reached(std::string_view name, std::size_t wanted, std::size_t limit,
                          std::string_view unit) {
    return fmt::format("limit {} reached: {} of at most {} {}", name, wanted, limit, unit);
}

}  // namespace caribou
