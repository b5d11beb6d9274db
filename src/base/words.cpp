#include "base/words.hpp"

#include <algorithm>
#include <ranges>

#include "base/trimmed.hpp"

namespace caribou {
namespace {

/// Removes a quoted word, whose opening quote was read, from the front of the line and returns it.
std::string take_quoted(std::string_view& line) {
    std::string word;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            line.remove_prefix(i + 1);
            return word;
        }
        const bool escapes =
            line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == '"' || line[i + 1] == '\\');
        word += line[escapes ? ++i : i];
    }
    line = {};
    return word;
}

}  // namespace

std::vector<std::string> words_in(std::string_view line) {
    std::vector<std::string> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.empty()) return words;
        if (line.front() == '"') {
            line.remove_prefix(1);
            words.push_back(take_quoted(line));
            continue;
        }
        const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
        words.emplace_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

std::vector<std::string> parts_of_lists(const std::vector<std::string>& lists) {
    std::vector<std::string> all;
    for (const std::string& list : lists)
        for (const auto part : std::views::split(list, ','))
            if (const auto word = trimmed(std::string_view(part.begin(), part.end())); !word.empty())
                all.emplace_back(word);
    return all;
}

std::string quoted_word(std::string_view word) {
    if (!word.empty() && word.find_first_of(" \t\n\r\"\\") == std::string_view::npos)
        return std::string(word);
    std::string quoted = "\"";
    for (const char letter : word) {
        if (letter == '"' || letter == '\\') quoted += '\\';
        quoted += letter;
    }
    return quoted + '"';
}

}  // namespace caribou
