#include "rules/tidy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace caribou::rules {
namespace {

constexpr std::size_t max_lines = 1000;

/// Words that are forbidden in code, and their replacement.
struct WordRule {
    std::string_view name;
    bool (*applies)(const SourceFile&);
    std::vector<std::string_view> words;  ///< without insignificant blanks
    std::string_view instead;
};

bool is_test(const SourceFile& file) { return file.path.ends_with("_test.cpp") || file.is_below("tests/"); }
bool in_platform(const SourceFile& file) {
    return file.is_below("src/platform/") || file.is_below("src/adapters/") || file.is_below("src/kit/");
}

bool everywhere(const SourceFile&) { return true; }
bool outside_platform(const SourceFile& file) { return !in_platform(file) && !file.is_below("bench/"); }
/// Tests must never sleep, not even those of platform.
bool not_platforms_own(const SourceFile& file) { return !in_platform(file) || is_test(file); }

bool without_the_json_library(const SourceFile& file) {
    return file.is_below("src/") && !is_test(file) && file.path != "src/base/json_reader.cpp";
}

const std::vector<WordRule>& code_rules() {
    static const std::vector<WordRule> rules{
        {"sleep",
         not_platforms_own,
         {"sleep_for", "sleep_until", "::sleep(", "usleep(", "nanosleep(", "clock_nanosleep("},
         "arm a Timer (loop/loop.hpp); a test moves a VirtualLoop (loop/virtual_loop.hpp)"},
        {"clock",
         outside_platform,
         {"steady_clock::now", "system_clock::now", "high_resolution_clock::now", "utc_clock::now",
          "gettimeofday", "clock_gettime", "time(nullptr)", "time(NULL)", "time(0)"},
         "ask the Clock that was handed in (loop/clock.hpp)"},
        {"thread",
         outside_platform,
         {"std::thread", "std::jthread", "std::async", "std::this_thread", "pthread_create", "fork("},
         "post to a Loop (loop/loop.hpp) and let platform run the loop on a thread"},
        {"lock",
         outside_platform,
         {"std::mutex",
          "std::recursive_mutex",
          "std::timed_mutex",
          "std::shared_mutex",
          "std::lock_guard",
          "std::scoped_lock",
          "std::unique_lock",
          "std::shared_lock",
          "std::condition_variable",
          "std::condition_variable_any",
          "std::atomic",
          "std::atomic_ref",
          "std::atomic_flag",
          "std::atomic_bool",
          "std::atomic_int",
          "std::atomic_thread_fence",
          "std::latch",
          "std::barrier",
          "std::binary_semaphore",
          "std::counting_semaphore",
          "std::promise",
          "std::future",
          "std::call_once"},
         "give the state to one Loop, and send to it through an Inbox (loop/inbox.hpp)"},
        {"new",
         everywhere,
         {"new"},
         "write std::make_unique; where the constructor is private, give it to its owner at once: "
         "std::unique_ptr<T>(new T)"},
        {"delete", everywhere, {"delete"}, "give it an owner: std::unique_ptr, a container or a member"},
        {"json",
         without_the_json_library,
         {"nlohmann"},
         "read with read_json (base/json_node.hpp), write with JsonWriter (base/json_writer.hpp)"},
        {"catch", everywhere, {"catch(...)"}, "catch what the library throws, by name, and return a Result"},
    };
    return rules;
}

/// Words that are forbidden everywhere, including comments.
struct TextRule {
    std::string_view name;
    std::vector<std::string_view> words;
    std::string_view instead;
};

const std::vector<TextRule>& text_rules() {
    static const std::vector<TextRule> rules{
        {"unfinished", {"TODO", "FIXME"}, "do it, or open an issue and leave no mark in the text"},
        {"machine-path", {"/home/", "/root/", "/Users/", "/work/"}, "say it from the top of the repository"},
        {"registry-host",
         {"deb.debian.org", "registry.npmjs.org", "registry.yarnpkg.com", "pypi.org",
          "files.pythonhosted.org", "proxy.golang.org", "index.crates.io", "static.crates.io", "docker.io",
          "ghcr.io", "pkg.dev"},
         "leave the host to the machine's own settings (npm: omit-lockfile-registry-resolved)"},
    };
    return rules;
}

/// Returns whether the text before a `new` ends in an owner that takes the pointer.
bool ends_in_owner(std::string_view before) {
    constexpr std::array<std::string_view, 4> owners{"unique_ptr", "shared_ptr", "intrusive_ptr", ".reset"};
    return before.ends_with("(") &&
           std::ranges::any_of(owners, [&](std::string_view owner) { return before.contains(owner); });
}

/// `= delete` and `operator delete` are not deletes, and a `new` inside an owner's parentheses is not raw,
/// even if the owner is at the end of the previous line.
bool means_something_else(std::string_view before_line, std::string_view line, std::size_t at) {
    const std::string_view word = line.substr(at);
    const std::string before = std::string(before_line) + std::string(line.substr(0, at));
    if (word.starts_with("delete") && before.ends_with("=")) return true;
    if (word.starts_with("new") && ends_in_owner(before)) return true;
    return before.ends_with("operator ");
}

/// Returns whether this is part of a longer path, not an absolute path of the machine.
bool is_inside_path(std::string_view line, std::size_t at) {
    return line[at] == '/' && at > 0 &&
           (std::isalnum(static_cast<unsigned char>(line[at - 1])) != 0 ||
            std::string_view("_-.}/").contains(line[at - 1]));
}

/// Returns whether the line, or the previous one, contains an exception with a reason.
bool is_allowed(std::span<const std::string_view> lines, std::size_t i, std::string_view rule) {
    const std::string mark = fmt::format("tidy: allow {}: ", rule);
    const auto allows = [&](std::string_view line) {
        const std::size_t at = line.find(mark);
        return at != std::string_view::npos && line.size() > at + mark.size();
    };
    return allows(lines[i]) || (i > 0 && allows(lines[i - 1]));
}

void check_code(const SourceFile& file, std::vector<Finding>& findings) {
    const std::string code = code_only(file.text);
    const std::vector<std::string_view> lines = lines_of(code);
    const std::vector<std::string_view> originals = lines_of(file.text);
    std::string line;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string line_before = std::exchange(line, squeezed(lines[i]));
        if (line.empty() || line.starts_with("#include")) continue;
        for (const WordRule& rule : code_rules()) {
            if (!rule.applies(file)) continue;
            for (const std::string_view word : rule.words) {
                const std::size_t at = find_word(line, word);
                if (at == std::string::npos || means_something_else(line_before, line, at)) continue;
                if (!is_allowed(originals, i, rule.name))
                    findings.push_back({file.path, i + 1, fmt::format("{}: {}", word, rule.instead)});
            }
        }
    }
}

void check_text(const SourceFile& file, std::vector<Finding>& findings) {
    const std::vector<std::string_view> lines = lines_of(file.text);
    if (lines.size() > max_lines && !file.path.ends_with(".md") && !file.path.ends_with(".json"))
        findings.push_back({file.path, lines.size(),
                            fmt::format("{} lines, at most {}: split it where it changes its subject",
                                        lines.size(), max_lines)});
    for (std::size_t i = 0; i < lines.size(); ++i)
        for (const TextRule& rule : text_rules())
            for (const std::string_view word : rule.words) {
                const std::size_t at = find_word(lines[i], word);
                if (at == std::string_view::npos || is_inside_path(lines[i], at)) continue;
                if (!is_allowed(lines, i, rule.name))
                    findings.push_back({file.path, i + 1, fmt::format("{}: {}", word, rule.instead)});
            }
}

void check_name(const SourceFile& file, std::vector<Finding>& findings) {
    constexpr std::array<std::string_view, 8> drawers{"common", "misc",    "helper", "helpers",
                                                      "util",   "manager", "utils",  "utilities"};
    std::string words = file.path.substr(file.path.rfind('/') + 1);
    std::ranges::replace_if(words, [](char c) { return c == '_' || c == '-' || c == '.'; }, ' ');
    for (const std::string_view drawer : drawers)
        if (find_word(words, drawer) != std::string::npos)
            findings.push_back(
                {file.path, 1, fmt::format("`{}` says nothing: name the file after what it holds", drawer)});
}

}  // namespace

std::vector<Finding> check_tidy(std::span<const SourceFile> files) {
    std::vector<Finding> findings;
    for (const SourceFile& file : files) {
        check_name(file, findings);
        // The rules and their tests contain what they forbid.
        if (file.path != "tests/rules/tidy.cpp" && file.path != "tests/tidy_test.cpp")
            check_text(file, findings);
        if (file.is_cpp()) check_code(file, findings);
    }
    return findings;
}

}  // namespace caribou::rules
