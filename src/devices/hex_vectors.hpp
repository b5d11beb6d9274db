#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <test_paths.hpp>

#include "base/bytes.hpp"

namespace caribou::devices {

/// Returns the byte sequences of a file of tests/golden/devices/, one per line that is not a comment.
inline std::vector<Bytes> hex_vectors(const std::string& name) {
    std::ifstream file(tests::in_repository("tests/golden/devices/" + name));
    std::vector<Bytes> all;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        Bytes bytes;
        std::istringstream words(line);
        for (unsigned value = 0; words >> std::hex >> value;) bytes.push_back(static_cast<std::byte>(value));
        all.push_back(bytes);
    }
    return all;
}

inline Bytes bytes_from(std::initializer_list<int> values) {
    Bytes bytes;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

}  // namespace caribou::devices
