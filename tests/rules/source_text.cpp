#include "rules/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>

namespace caribou::rules {
namespace {

namespace fs = std::filesystem;

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Splits C++ text into code, comments and literals.
class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text), out_(text) {}

    std::string blank(bool comments, bool literals) && {
        while (at_ < text_.size()) {
            const std::size_t start = at_;
            if (skip_comment()) {
                if (comments) erase(start, at_);
            } else if (skip_literal()) {
                if (literals) erase(start + 1, at_ - 1);
            } else {
                ++at_;
            }
        }
        return std::move(out_);
    }

private:
    bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }

    /// Skips past the next `end`, or to the end of the text.
    void skip_past(std::string_view end, std::size_t from) {
        const std::size_t found = text_.find(end, from);
        at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    }

    bool skip_comment() {
        if (starts("//"))
            at_ = std::min(text_.find('\n', at_), text_.size());
        else if (starts("/*"))
            skip_past("*/", at_ + 2);
        else
            return false;
        return true;
    }

    bool skip_literal() {
        const char quote = text_[at_];
        const char before = at_ == 0 ? ' ' : text_[at_ - 1];
        if (quote == '"' && before == 'R') {
            const std::size_t open = std::min(text_.find('(', at_), text_.size());
            skip_past(fmt::format("){}\"", text_.substr(at_ + 1, open - at_ - 1)), open);
            return true;
        }
        // 1'000'000 is a number; u8'x' is not supported.
        if (quote != '"' && (quote != '\'' || in_word(before))) return false;
        for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
            if (text_[at_] == '\\') ++at_;
        at_ = std::min(at_ + 1, text_.size());
        return true;
    }

    void erase(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to && i < out_.size(); ++i)
            if (out_[i] != '\n') out_[i] = ' ';
    }

    std::string_view text_;
    std::string out_;
    std::size_t at_ = 0;
};

bool is_left_out(const fs::path& folder) {
    const std::string name = folder.filename().string();
    constexpr std::array<std::string_view, 5> names{"node_modules", "generated", "corpus", "golden", "dist"};
    return name.starts_with("build") || (name.starts_with(".") && name != ".ci") ||
           std::ranges::find(names, name) != names.end();
}

bool is_text(const fs::path& file) {
    if (file.filename() == ".git") return false;  // a file in a linked work tree of git
    constexpr std::array<std::string_view, 18> endings{"",     ".cpp",  ".hpp",  ".txt", ".cmake", ".md",
                                                       ".in",  ".sh",   ".py",   ".ts",  ".js",    ".svelte",
                                                       ".css", ".html", ".json", ".yml", ".yaml",  ".toml"};
    return std::ranges::find(endings, file.extension().string()) != endings.end();
}

}  // namespace

std::string report(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings)
        text += fmt::format("{}:{}: {}\n", finding.path, finding.line, finding.what);
    return text;
}

std::vector<SourceFile> read_repository(const fs::path& top) {
    std::vector<SourceFile> files;
    for (auto entry = fs::recursive_directory_iterator(top); entry != fs::end(entry); ++entry) {
        if (entry->is_directory()) {
            if (is_left_out(entry->path())) entry.disable_recursion_pending();
        } else if (entry->is_regular_file() && is_text(entry->path())) {
            std::ifstream in(entry->path(), std::ios::binary);
            files.push_back({entry->path().lexically_relative(top).generic_string(),
                             std::string(std::istreambuf_iterator<char>(in), {})});
        }
    }
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

std::string without_comments(std::string_view text) {
    return Lexer(text).blank(/*comments=*/true, /*literals=*/false);
}
std::string code_only(std::string_view text) {
    return Lexer(text).blank(/*comments=*/true, /*literals=*/true);
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string squeezed(std::string_view line) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!is_blank(line[i])) {
            const bool apart = i > 0 && is_blank(line[i - 1]) && !out.empty();
            if (apart && in_word(out.back()) && in_word(line[i])) out += ' ';
            out += line[i];
        }
    }
    return out;
}

std::size_t find_word(std::string_view line, std::string_view word, std::size_t start) {
    for (std::size_t at = line.find(word, start); at != std::string_view::npos;
         at = line.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool longer_before = at > 0 && in_word(line[at - 1]) && in_word(word.front());
        const bool longer_after = end < line.size() && in_word(line[end]) && in_word(word.back());
        if (!longer_before && !longer_after) return at;
    }
    return std::string_view::npos;
}

std::vector<Include> includes_of(std::string_view text) {
    const std::string code = without_comments(text);
    const std::vector<std::string_view> lines = lines_of(code);
    std::vector<Include> includes;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string line = squeezed(lines[i]);
        constexpr std::string_view word = "#include";
        if (!line.starts_with(word) || line.size() < word.size() + 2) continue;
        const bool in_quotes = line[word.size()] == '"';
        const std::size_t begin = word.size() + 1;
        const std::size_t end = line.find(in_quotes ? '"' : '>', begin);
        includes.push_back({i + 1, line.substr(begin, end - begin), in_quotes});
    }
    return includes;
}

}  // namespace caribou::rules
