#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace caribou::rules {

/// One file of the repository.
struct SourceFile {
    std::string path;  ///< relative to the repository: `src/base/bytes.hpp`
    std::string text;

    bool is_cpp() const { return path.ends_with(".cpp") || path.ends_with(".hpp"); }
    bool is_below(std::string_view folder) const { return path.starts_with(folder); }
};

/// A violation of a rule: the place, and what to do.
struct Finding {
    std::string path;
    std::size_t line = 0;
    std::string what;

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// Returns `src/bus/client.hpp:7: what`, one per line.
std::string report(const std::vector<Finding>& findings);

/// Returns all hand-written text files, sorted by path. Build trees, corpora and golden files are excluded.
std::vector<SourceFile> read_repository(const std::filesystem::path& top);

/// Returns the text with comments replaced by blanks, or also the contents of literals. Lines and columns do
/// not change.
std::string without_comments(std::string_view text);
std::string code_only(std::string_view text);

/// Splits a text into lines without their ends; they refer to `text`.
std::vector<std::string_view> lines_of(std::string_view text);

/// Returns the line without insignificant blanks: `catch ( ... )` becomes `catch(...)`.
std::string squeezed(std::string_view line);

/// Returns the column of a whole word (or words) at or after `start`; npos if there is none.
std::size_t find_word(std::string_view line, std::string_view word, std::size_t start = 0);

/// One #include line, without quotes: `bus/client.hpp`.
struct Include {
    std::size_t line;
    std::string target;
    bool in_quotes;
};
std::vector<Include> includes_of(std::string_view text);

}  // namespace caribou::rules
