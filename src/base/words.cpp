#include "base/words.hpp"

#include <algorithm>

namespace caribou {

std::vector<std::string> words_in(std::string_view line) {
    std::vector<std::string> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.empty()) return words;
        const bool is_quoted = line.front() == '"';
        if (is_quoted) line.remove_prefix(1);
        const std::size_t end = std::min(line.find_first_of(is_quoted ? "\"" : " \t"), line.size());
        words.emplace_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
}

}  // namespace caribou
