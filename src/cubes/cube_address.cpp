#include "cubes/cube_address.hpp"

#include <charconv>

#include <fmt/format.h>

namespace caribou::cubes {

Result<CubeAddress> CubeAddress::parse(std::string_view text) {
    constexpr std::size_t octets = 6;
    CubeAddress address;
    bool is_good = text.size() == octets * 3 - 1;
    for (std::size_t i = 0; is_good && i < octets; ++i) {
        const char* const first = text.data() + i * 3;
        unsigned octet = 0;
        const auto [end, error] = std::from_chars(first, first + 2, octet, 16);
        is_good = error == std::errc{} && end == first + 2 && (i + 1 == octets || *end == ':');
        address.bits = address.bits << 8 | octet;
    }
    if (is_good) return address;
    return fail(
        Code::invalid_argument,
        fmt::format("`{}` is not an address of a cube; expected one such as c0:be:00:00:00:01", text));
}

std::string to_string(CubeAddress address) {
    std::string text;
    for (int shift = 40; shift >= 0; shift -= 8)
        text += fmt::format("{}{:02x}", text.empty() ? "" : ":", address.bits >> shift & 0xff);
    return text;
}

}  // namespace caribou::cubes
