#include "kit/program/command_line.hpp"

#include <cstdio>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/nearest.hpp"

namespace caribou::app {
namespace {

/// Returns the commands below `parser`, and its options if `with_options`.
std::vector<std::string> words_of(const CLI::App& parser, bool with_options) {
    std::vector<std::string> words;
    for (const CLI::App* sub : parser.get_subcommands([](const CLI::App*) { return true; }))
        words.push_back(sub->get_name());
    if (!with_options) return words;
    for (const CLI::Option* option : parser.get_options()) {
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
        for (const std::string& name : option->get_snames()) words.push_back("-" + name);
    }
    return words;
}

/// The innermost command on the command line, and its path.
struct Chosen {
    const CLI::App* parser;
    std::string name;
};
Chosen chosen_in(const CLI::App& program) {
    Chosen chosen{&program, program.get_name()};
    for (auto next = program.get_subcommands(); !next.empty(); next = chosen.parser->get_subcommands())
        chosen = {next.back(), chosen.name + " " + next.back()->get_name()};
    return chosen;
}

/// Returns what may be meant by `word`, which the command does not know.
std::optional<std::string> meant_by(const std::string& word, const CLI::App& parser) {
    if (word.ends_with(".toml") && parser.get_option_no_throw("--config")) return "--config " + word;
    return nearest(word, words_of(parser, word.starts_with('-') || word.size() > 2));
}

}  // namespace

Exit explain(const CLI::ParseError& error, const CLI::App& program) {
    const auto& [parser, name] = chosen_in(program);
    const auto unknown = program.remaining(true);
    // An unknown word may be in the place of a missing one.
    const bool is_about_words =
        dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error);
    if (!unknown.empty() && is_about_words) {
        const std::string word = unknown.front().substr(0, unknown.front().find('='));
        const auto meant = meant_by(word, *parser);
        const std::string_view kind = word.starts_with('-') ? "unknown option"
                                      : parser->get_subcommands([](const CLI::App*) { return true; }).empty()
                                          ? "unexpected argument"
                                          : "unknown command";
        fmt::print(stderr, "{}: error: {} `{}`{}\n", name, kind, word,
                   meant ? fmt::format("; did you mean `{}`?", *meant) : ".");
    } else {
        fmt::print(stderr, "{}: error: {}\n", name, error.what());
    }
    fmt::print(stderr, "See `{} --help`.\n", name);
    return Exit::usage;
}

std::string help_of(const CLI::App& program) {
    const Chosen chosen = chosen_in(program);
    const std::size_t last = chosen.name.rfind(' ');
    return chosen.parser->help(last == std::string::npos ? "" : chosen.name.substr(0, last));
}

}  // namespace caribou::app
