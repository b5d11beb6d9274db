// `caribou completion`: shell completion, generated from the commands themselves.

#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "caribou/commands.hpp"
#include "kit/program/number_from.hpp"

namespace caribou::app {
namespace {

std::set<std::string> completions_of(const CLI::App& parser) {
    std::set<std::string> words;
    for (const CLI::App* sub : parser.get_subcommands([](const CLI::App*) { return true; }))
        words.insert(sub->get_name());
    for (const CLI::Option* option : parser.get_options())
        for (const std::string& name : option->get_lnames()) words.insert("--" + name);
    return words;
}

/// Appends one line per command: `    "tree check") words="…" ;;`.
void append_cases(std::string& out, const CLI::App& parser, const std::string& path) {
    out += fmt::format("    \"{}\") words=\"{}\" ;;\n", path, fmt::join(completions_of(parser), " "));
    for (const CLI::App* sub : parser.get_subcommands([](const CLI::App*) { return true; }))
        append_cases(out, *sub, path.empty() ? sub->get_name() : path + " " + sub->get_name());
}

/// Appends all words that start a command, by the command before them.
void append_steps(std::string& out, const CLI::App& parser, const std::string& path) {
    for (const CLI::App* sub : parser.get_subcommands([](const CLI::App*) { return true; })) {
        const std::string longer = path.empty() ? sub->get_name() : path + " " + sub->get_name();
        out += fmt::format("      \"{}|{}\") path=\"{}\" ;;\n", path, sub->get_name(), longer);
        append_steps(out, *sub, longer);
    }
}

std::string bash_script(const CLI::App& program) {
    std::string steps;
    append_steps(steps, program, "");
    std::string cases;
    append_cases(cases, program, "");
    return fmt::format(R"(# bash completion of caribou, made by `caribou completion bash`
_caribou() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path|${{COMP_WORDS[i]}}" in
{}    esac
  done
  case "$path" in
{}  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ ${{#COMPREPLY[@]}} -eq 0 && $current != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -o filenames -F _caribou caribou
)",
                       steps, cases);
}

class CompletionCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        program_ = &program;
        CLI::App* const parser =
            program.add_subcommand("completion", "Print the completion script for a shell");
        parser->add_option("SHELL", shell_, "bash")->required()->check(one_of({"bash"}));
        parser->footer(
            "Examples:\n"
            "  source <(caribou completion bash)       for this shell; the package installs it for all");
        return parser;
    }
    Exit run() override {
        fmt::print("{}", bash_script(*program_));
        return Exit::ok;
    }

private:
    const CLI::App* program_ = nullptr;
    std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion_command() { return std::make_unique<CompletionCommand>(); }

}  // namespace caribou::app
