#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou::cubes {

/// Names one cube on the air; written `c0:be:00:00:00:01`.
struct CubeAddress {
    std::uint64_t bits = 0;  ///< 48 of them

    static Result<CubeAddress> parse(std::string_view text);

    friend auto operator<=>(const CubeAddress&, const CubeAddress&) = default;
};

std::string to_string(CubeAddress address);

}  // namespace caribou::cubes
