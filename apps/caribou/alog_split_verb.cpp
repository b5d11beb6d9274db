#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "caribou/alog_files.hpp"
#include "caribou/bus_session.hpp"
#include "caribou/log_source.hpp"

namespace caribou::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view split_name = "alog split";

/// Returns a name for a file that is not in use yet. Characters that are not usual in file names become `_`.
std::string file_name_for(std::string_view variable, std::set<std::string>& used) {
    std::string safe;
    for (const char c : variable.substr(0, 200)) {
        const bool usual = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '_' || c == '-' || c == '.' || c == ':';
        safe += usual ? c : '_';
    }
    if (safe.starts_with('.')) safe[0] = '_';
    std::string name = safe;
    for (int i = 2; !used.insert(name).second; ++i) name = fmt::format("{}_{}", safe, i);
    return name + ".klog";
}

}  // namespace

AlogSplitVerb::AlogSplitVerb(CLI::App& alog)
    : parser_(alog.add_subcommand("split", "Write each variable to a file of its own")) {
    parser_->add_option("FILE", file_, "The log")->required();
    parser_->add_option("--dir", folder_, "The folder to create (default: FILE without .alog, with _alvtmp)");
    parser_->footer(
        "Writes VARIABLE.klog with the comments of the log and the lines of the variable. Example:\n"
        "  caribou alog split abe.alog --dir abe_parts");
}

Exit AlogSplitVerb::run() const {
    const auto log = LogSource::open(file_);
    if (!log) return complain(split_name, log.error().message, Exit::failed);
    std::string comments;
    std::map<std::string_view, std::vector<std::string_view>> lines;
    wire::AlogReader reader(log->text());
    while (const auto line = reader.next_line()) {
        if (line->entry) lines[line->entry->variable].push_back(line->raw);
        if (line->is_comment) comments.append(line->raw).append("\n");
    }
    if (lines.empty())
        return complain(split_name, fmt::format("{} contains no value; is it an .alog file?", file_),
                        Exit::failed);
    const fs::path file(file_);
    const fs::path folder =
        folder_.empty() ? file.parent_path() / (file.stem().string() + "_alvtmp") : fs::path(folder_);
    std::error_code failed;
    if (fs::exists(folder, failed))
        return complain(split_name, fmt::format("{} is there already", folder.string()), Exit::failed);
    fs::create_directories(folder, failed);
    if (failed)
        return complain(split_name, fmt::format("cannot create {}: {}", folder.string(), failed.message()),
                        Exit::failed);
    std::set<std::string> used;
    for (const auto& [variable, values] : lines) {
        const fs::path part = folder / file_name_for(variable, used);
        std::ofstream to(part, std::ios::binary);
        to << comments;
        for (const std::string_view value : values) to << value << '\n';
        to.flush();
        if (!to) return complain(split_name, fmt::format("cannot write {}", part.string()), Exit::failed);
    }
    fmt::print("{}: {} variables\n", folder.string(), lines.size());
    return Exit::ok;
}

}  // namespace caribou::app
