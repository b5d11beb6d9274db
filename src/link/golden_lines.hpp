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

inline Bytes unhex(std::string_view text) {
    Bytes bytes;
    for (std::size_t i = 0; i + 2 <= text.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
    return bytes;
}

/// Reads a file of tests/golden/link with a name and bytes in each line.
inline std::map<std::string, std::string> golden_lines(const std::string& file_name) {
    std::map<std::string, std::string> lines;
    std::ifstream file(tests::in_repository("tests/golden/link/") + file_name);
    for (std::string name, bytes; file >> name >> bytes;) lines[name] = bytes;
    return lines;
}

}  // namespace caribou::link
