#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace caribou::rules {

/// One file of the repository.
struct SourceFile {
    std::string path;  ///< from the top of the repository: `src/base/bytes.hpp`
    std::string text;

    bool is_cpp() const { return path.ends_with(".cpp") || path.ends_with(".hpp"); }
    bool is_below(std::string_view folder) const { return path.starts_with(folder); }
};

/// Something that breaks a rule: where, and what to do about it.
struct Finding {
    std::string path;
    std::size_t line = 0;
    std::string what;

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// `src/bus/client.hpp:7: what`, one a line.
std::string report(const std::vector<Finding>& findings);

/// Every text file that people write, in order of path. Build trees, corpora and golden files are
/// left out.
std::vector<SourceFile> read_repository(const std::filesystem::path& top);

/// The text with comments turned to blanks, or with what stands in quotes blanked as well. Lines
/// and columns stay what they were.
std::string without_comments(std::string_view text);
std::string code_only(std::string_view text);

std::vector<std::string_view> lines_of(std::string_view text);

/// The line without the blanks that mean nothing: `catch ( ... )` becomes `catch(...)`.
std::string squeezed(std::string_view line);

/// The column of a word (or words) that is not part of a longer one, from `start` on; npos if none.
std::size_t find_word(std::string_view line, std::string_view word, std::size_t start = 0);

/// What follows #include in each line that has one, without its quotes: `bus/client.hpp`.
struct Include {
    std::size_t line;
    std::string target;
    bool in_quotes;
};
std::vector<Include> includes_of(std::string_view text);

}  // namespace caribou::rules
