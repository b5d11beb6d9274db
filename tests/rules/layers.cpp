#include "rules/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace caribou::rules {
namespace {

constexpr std::string_view table_path = "src/layers.txt";
constexpr std::string_view list_path = "src/public_headers.txt";

/// The words of a line, up to a `#`.
std::vector<std::string> words_of(std::string_view line) {
    std::istringstream in{std::string(line.substr(0, line.find('#')))};
    return {std::istream_iterator<std::string>(in), {}};
}

/// `bus` for `bus/client.hpp`; empty if there is no slash.
std::string first_folder(std::string_view path) {
    const std::size_t slash = path.find('/');
    return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash));
}

/// `bus` for `bus/client.hpp`, `adapters/dds` for `adapters/dds/ros_node.hpp`; the first folder if it is not
/// in the table.
std::string module_in(const Layers& table, std::string_view path) {
    const std::string folder(path.substr(0, path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/')));
    return table.modules.contains(folder) ? folder : first_folder(path);
}

/// The module of `src/bus/client.hpp`; empty for files outside the modules.
std::string module_of(const Layers& table, const SourceFile& file) {
    constexpr std::string_view src = "src/";
    return file.is_below(src) ? module_in(table, std::string_view(file.path).substr(src.size())) : "";
}

/// Whether a module may include platform: those that join it to the modules above.
bool is_near_platform(std::string_view module) {
    return module.starts_with("adapters/") || module.starts_with("kit/");
}

bool is_outside(const SourceFile& file) {
    constexpr std::array<std::string_view, 5> folders{"apps/", "python/", "tests/", "examples/", "bench/"};
    return std::ranges::any_of(folders, [&](std::string_view folder) { return file.is_below(folder); });
}

/// Whether a file is beside, or below the top folder of, the one that includes it. Benchmarks may use what
/// the tests have.
bool is_own(const SourceFile& file, const std::string& target, std::span<const SourceFile> files) {
    const std::string beside = file.path.substr(0, file.path.rfind('/') + 1) + target;
    const std::string below = first_folder(file.path) + "/" + target;
    const std::string shared = file.is_below("bench/") ? "tests/" + target : below;
    return std::ranges::any_of(
        files, [&](const SourceFile& f) { return f.path == beside || f.path == below || f.path == shared; });
}

/// `msg/std_msgs/string.hpp`, `data/telemetry.hpp`: generated from a .msg file, and installed with all others
/// of its kind.
bool is_made(std::string_view target, std::span<const SourceFile> files) {
    if (target.starts_with("msg/")) return std::ranges::count(target, '/') == 2;
    return target.starts_with("data/") &&
           std::ranges::find(files, fmt::format("src/{}", target), &SourceFile::path) == files.end();
}

std::string join(const std::set<std::string>& names) {
    return names.empty() ? "nothing else" : fmt::format("{}", fmt::join(names, ", "));
}

/// Returns what is wrong with one include of a file inside a module; empty if nothing.
std::string wrong_include(const Layers& table, const std::string& module, const Include& include) {
    const std::string target = module_in(table, include.target);
    const bool known = table.modules.contains(target);
    if (!include.in_quotes && !known) return "";  // a library's header
    if (target.empty())
        return fmt::format("\"{0}\" lacks its module: write \"{1}/{0}\"", include.target, module);
    if (!known)
        return fmt::format("there is no module {0}: correct the include, or add a line `{0}:` to {1}", target,
                           table_path);
    if (target == module || table.modules.at(module).may_include.contains(target)) return "";
    if (target == "platform")
        return "only adapters, kit, apps, python, tests, examples and bench include platform: take an "
               "interface (loop/, base/log.hpp) and let apps pass the real one in";
    return fmt::format(
        "{} may not include {}, only {}. Move the code to a module that may, or let the "
        "module above pass it in (see {})",
        module, target, join(table.modules.at(module).may_include), table_path);
}

}  // namespace

Layers Layers::parse(std::string_view table) {
    Layers result;
    const auto complain = [&](std::size_t line, std::string what) {
        result.findings.push_back({std::string(table_path), line, std::move(what)});
    };
    const std::vector<std::string_view> lines = lines_of(table);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::vector<std::string> words = words_of(lines[i]);
        if (words.empty()) continue;
        const std::size_t line = i + 1;
        if (!words[0].ends_with(':')) {
            complain(line,
                     fmt::format("`{}` is not a line of the table: write `module: module module`", lines[i]));
            continue;
        }
        const std::string module = words[0].substr(0, words[0].size() - 1);
        const std::set<std::string> may_include(words.begin() + 1, words.end());
        for (const std::string& lower : may_include) {
            if (lower == "platform" && !is_near_platform(module))
                complain(line,
                         "no module may include platform: it is for adapters, kit, apps, python, tests, "
                         "examples and bench");
            else if (!result.modules.contains(lower))
                complain(
                    line,
                    fmt::format("{} is not the module of an earlier line: a module includes lower ones only",
                                lower));
        }
        if (!result.modules.emplace(module, Module{line, may_include}).second)
            complain(line, fmt::format("{} has two lines: keep one", module));
    }
    return result;
}

std::vector<Finding> check_layers(const Layers& table, std::span<const SourceFile> files) {
    std::vector<Finding> findings = table.findings;
    std::map<std::string, std::set<std::string>> used;
    for (const SourceFile& file : files) {
        if (!file.is_cpp()) continue;
        const std::string module = module_of(table, file);
        if (!module.empty() && !table.modules.contains(module)) {
            findings.push_back(
                {file.path, 1, fmt::format("module {} is not in {}: add a line", module, table_path)});
            continue;
        }
        for (const Include& include : includes_of(file.text)) {
            const std::string target = module_in(table, include.target);
            if (!module.empty()) {
                used[module].insert(target);
                if (std::string what = wrong_include(table, module, include); !what.empty())
                    findings.push_back({file.path, include.line, std::move(what)});
            } else if (is_outside(file) && include.in_quotes && !table.modules.contains(target) &&
                       !is_own(file, include.target, files)) {
                findings.push_back({file.path, include.line,
                                    fmt::format("\"{}\" is neither in a module nor in this folder: modules "
                                                "are included as \"module/x.hpp\", libraries in <>",
                                                include.target)});
            }
        }
    }
    for (const auto& [module, entry] : table.modules)
        for (const std::string& lower : entry.may_include)
            if (!used[module].contains(lower))
                findings.push_back({std::string(table_path), entry.line,
                                    fmt::format("{} may include {}, but does not: remove {} from the line",
                                                module, lower, lower)});
    return findings;
}

std::vector<Finding> check_public_headers(std::string_view list, std::span<const SourceFile> files) {
    std::map<std::string, std::size_t> listed;  // and its line
    std::vector<Finding> findings;
    const std::vector<std::string_view> lines = lines_of(list);
    for (std::size_t i = 0; i < lines.size(); ++i)
        for (const std::string& header : words_of(lines[i])) listed.emplace(header, i + 1);
    for (const auto& [header, line] : listed) {
        const auto file = std::ranges::find(files, "src/" + header, &SourceFile::path);
        if (file == files.end()) {
            findings.push_back({std::string(list_path), line, fmt::format("there is no src/{}", header)});
            continue;
        }
        for (const Include& include : includes_of(file->text))
            if (include.in_quotes && !listed.contains(include.target) && !is_made(include.target, files))
                findings.push_back(
                    {file->path, include.line,
                     fmt::format("a public header includes {0}, which is not installed: add {0} to "
                                 "{1}, or include it in the .cpp",
                                 include.target, list_path)});
    }
    return findings;
}

}  // namespace caribou::rules
