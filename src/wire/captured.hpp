#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include <test_paths.hpp>
#include "base/bytes.hpp"
#include "base/check.hpp"

namespace caribou::wire {

/// Returns bytes captured from a real broker and its clients: a file of tests/golden/moos, named without
/// `.hex`.
inline Bytes captured(std::string_view name) {
    std::ifstream file(tests::in_repository("tests/golden/moos/") + std::string(name) + ".hex");
    std::string digits;
    file >> digits;
    check(!digits.empty() && digits.size() % 2 == 0, "the golden file is there");
    Bytes bytes;
    for (std::size_t at = 0; at < digits.size(); at += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(at, 2), nullptr, 16)));
    return bytes;
}

}  // namespace caribou::wire
