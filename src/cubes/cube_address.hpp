#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou::cubes {

/// The radio address of a cube; written `c0:be:00:00:00:01`.
struct CubeAddress {
    std::uint64_t bits = 0;  ///< the lower 48 bits

    static Result<CubeAddress> parse(std::string_view text);

    friend auto operator<=>(const CubeAddress&, const CubeAddress&) = default;
};

std::string to_string(CubeAddress address);

}  // namespace caribou::cubes
