#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <test_paths.hpp>

#include "base/trimmed.hpp"

namespace caribou::marine {

/// Returns the columns of the lines of a golden file that begin with `variable`.
inline std::vector<std::vector<std::string>> golden_lines(const std::string& file,
                                                          std::string_view variable) {
    std::ifstream stream(tests::in_repository("tests/golden/moos-marine/" + file));
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(variable)) continue;
        std::vector<std::string> columns;
        for (std::string_view rest = line; true;) {
            const std::size_t end = rest.find(" |");
            columns.emplace_back(trimmed(rest.substr(0, end)));
            if (end == std::string_view::npos) break;
            rest.remove_prefix(end + 2);
        }
        rows.push_back(std::move(columns));
    }
    return rows;
}

}  // namespace caribou::marine
