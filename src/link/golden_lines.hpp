#pragma once

#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include <test_paths.hpp>
#include "base/bytes.hpp"

namespace caribou::link {

inline std::string hex(ByteView bytes) {
    std::string text;
    for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<int>(byte));
    return text;
}

/// Reads a file of tests/golden/link with a name and bytes in each line.
inline std::map<std::string, std::string> golden_lines(const std::string& file_name) {
    std::map<std::string, std::string> lines;
    std::ifstream file(tests::in_repository("tests/golden/link/") + file_name);
    for (std::string name, bytes; file >> name >> bytes;) lines[name] = bytes;
    return lines;
}

}  // namespace caribou::link
