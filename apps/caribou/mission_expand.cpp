#include "caribou/mission_expand.hpp"

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "bus/mission_template.hpp"
#include "caribou/bus_session.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

namespace fs = std::filesystem;
using bus::TemplateFile;
using bus::UndefinedMacro;

constexpr std::string_view name_of_command = "mission expand";

Result<TemplateFile> read_template(const std::string& path) {
    auto text = read_text_file(path, 4_MiB);
    if (!text) return fail(std::move(text.error()));
    return TemplateFile{path, std::move(*text)};
}

}  // namespace

struct MissionExpand::Options {
    CLI::App* parser = nullptr;
    std::string input;
    std::vector<std::string> words;
    std::vector<std::string> paths;
    std::vector<std::string> macro_files;
    bool force = false;
    bool strict = false;
    bool lenient = false;

    std::string output;  ///< empty: standard output
    bus::TemplateMacros macros;

    /// Sorts the words into definitions and the name of the output file. Returns an error message, or an
    /// empty text.
    std::string take_words() {
        for (const std::string& word : words) {
            const std::size_t equals = word.find('=');
            if (equals != std::string::npos && equals > 0) {
                macros.define(word.substr(0, equals), word.substr(equals + 1));
            } else if (output.empty() && equals == std::string::npos) {
                output = word;
            } else {
                return fmt::format("unexpected argument `{}`; expected MACRO=value", word);
            }
        }
        return "";
    }

    /// Searches the current directory first, then the paths in their order.
    Result<TemplateFile> find(const std::string& name) const {
        std::error_code failed;
        if (fs::is_regular_file(name, failed)) return read_template(name);
        for (const std::string& path : paths)
            if (const fs::path file = fs::path(path) / name; fs::is_regular_file(file, failed))
                return read_template(file.string());
        return fail(Code::not_found, fmt::format("there is no file `{}` here or in --path", name));
    }

    UndefinedMacro undefined() const {
        return strict    ? UndefinedMacro::refuse
               : lenient ? UndefinedMacro::keep_macro
                         : UndefinedMacro::keep_line;
    }
};

MissionExpand::MissionExpand(CLI::App& mission) : options_(std::make_unique<Options>()) {
    Options& to = *options_;
    to.parser =
        mission.add_subcommand("expand", "Expand the macros and includes of a template, as nsplug does");
    to.parser->add_option("TEMPLATE", to.input, "The template")->required();
    to.parser->add_option("OUTPUT", to.words,
                          "The file to write (default: standard output), and definitions MACRO=value");
    to.parser
        ->add_option("--path", to.paths,
                     "Directories to search for included files, separated by `:`; may be repeated")
        ->delimiter(':');
    to.parser->add_option("--macros", to.macro_files, "File with lines `NAME = value`; may be repeated");
    to.parser->add_flag("-f,--force", to.force, "Overwrite OUTPUT");
    CLI::Option* const strict =
        to.parser->add_flag("-s,--strict", to.strict, "Fail if a macro is not defined; write nothing then");
    to.parser->add_flag("-l,--lenient", to.lenient, "Expand the other macros of a line with an undefined one")
        ->excludes(strict);
    to.parser->footer(
        "docs/formats/mission-template.md describes macros and directives. Example:\n"
        "  caribou mission expand meta_vehicle.moos targ_abe.moos -f VNAME=abe VPORT=9001");
}

MissionExpand::~MissionExpand() = default;

bool MissionExpand::parsed() const { return options_->parser->parsed(); }

Exit MissionExpand::run() {
    Options& to = *options_;
    if (const std::string wrong = to.take_words(); !wrong.empty()) return complain(name_of_command, wrong);
    for (const std::string& path : to.macro_files) {
        const auto file = read_template(path);
        if (!file) return complain(name_of_command, file.error().message, Exit::failed);
        if (auto done = bus::read_macros(*file, to.macros); !done) {
            fmt::print(stderr, "{}\n", done.error().message);
            return Exit::failed;
        }
    }
    std::error_code failed;
    if (!to.output.empty() && !to.force && fs::exists(to.output, failed))
        return complain(name_of_command, fmt::format("{} is there already; --force overwrites it", to.output),
                        Exit::failed);
    const auto file = read_template(to.input);
    if (!file) return complain(name_of_command, file.error().message, Exit::failed);
    const auto expanded = bus::expand_template(*file, to.macros, to.undefined(),
                                               [&](const std::string& name) { return to.find(name); });
    if (!expanded) {
        fmt::print(stderr, "{}\n", expanded.error().message);
        return Exit::failed;
    }
    for (const std::string& warning : expanded->warnings) fmt::print(stderr, "{}\n", warning);
    if (to.output.empty()) {
        fmt::print("{}", expanded->text);
        return Exit::ok;
    }
    if (auto written = write_text_file(to.output, expanded->text); !written)
        return complain(name_of_command, written.error().message, Exit::failed);
    return Exit::ok;
}

}  // namespace caribou::app
