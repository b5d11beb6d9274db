#include "link/command.hpp"

#include <algorithm>
#include <charconv>
#include <ranges>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/words.hpp"
#include "link/command_movement.hpp"
#include "link/command_table.hpp"
#include "link/names.hpp"
#include "loop/duration_text.hpp"

namespace caribou::link {
namespace {

std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const CommandRow& row : command_table()) names.emplace_back(row.name);
    return names;
}

const ArgumentRow* find_argument(const CommandRow& row, std::string_view name) {
    const auto found =
        std::ranges::find_if(row.arguments, [&](const ArgumentRow& each) { return each.name == name; });
    return found == row.arguments.end() ? nullptr : &*found;
}

/// Returns an error that concerns several arguments together.
std::optional<std::string> fault_of_the_whole(const Command& command) {
    if (is_motion(command.code)) {
        const auto motion = motion_of(command);
        return motion ? std::nullopt : std::optional(motion.error().message);
    }
    if (command.code != CommandCode::set_run_mode && command.code != CommandCode::go_to_run_mode)
        return std::nullopt;
    const bool waits = run_mode_from(command.text("mode")) == RunMode::rm1;
    for (const std::string_view name : {"reason", "time"})
        if (!waits && command.find(name)) return fmt::format("{} is for RM1 only", name);
    return std::nullopt;
}

std::optional<std::string> fault_in_arguments(const CommandRow& row, const Command& command) {
    if (command.arguments.size() > CommandLimits::arguments)
        return fmt::format("{} arguments; at most {} are taken", command.arguments.size(),
                           CommandLimits::arguments);
    for (const auto& [name, value] : command.arguments) {
        const ArgumentRow* const argument = find_argument(row, name);
        if (!argument) {
            std::vector<std::string> known;
            for (const ArgumentRow& each : row.arguments) known.emplace_back(each.name);
            return fmt::format("{} has no argument `{}`{}", row.name, name.substr(0, CommandLimits::name),
                               instead_of(name, known));
        }
        if (std::ranges::count(command.arguments, name, &Command::Argument::name) > 1)
            return fmt::format("{} is given twice", name);
        if (auto fault = fault_in(*argument, value)) return fault;
    }
    for (const ArgumentRow& argument : row.arguments)
        if (argument.required && !command.find(argument.name))
            return fmt::format("{} needs {}: {}", row.name, argument.name, describe(argument));
    return fault_of_the_whole(command);
}

/// Splits a command's text into words. A quoted part may contain blanks; `\"` and `\\` are escapes.
class Words {
public:
    explicit Words(std::string_view text) : text_(text) {}

    Result<std::optional<std::string>> next() {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
        if (at_ == text_.size()) return std::nullopt;
        std::string word;
        bool quoted = false;
        for (; at_ < text_.size() && (quoted || !is_blank(text_[at_])); ++at_) {
            const char letter = text_[at_];
            if (letter == '"')
                quoted = !quoted;
            else if (quoted && letter == '\\' && at_ + 1 < text_.size())
                word += text_[++at_];
            else
                word += letter;
        }
        if (quoted) return fail(Code::invalid_argument, "a quote is not closed");
        return word;
    }

private:
    static bool is_blank(char letter) {
        return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Parses `setRM(3)` or `setRM(3,true)`, optionally after the command's number.
std::optional<Command> set_rm_from(std::string_view text) {
    if (text.starts_with("00 ")) text.remove_prefix(3);
    if (!text.starts_with("setRM(") || !text.ends_with(")")) return std::nullopt;
    text = text.substr(6, text.size() - 7);
    Command command;
    const std::size_t comma = text.find(',');
    command.arguments.push_back({"mode", std::string(text.substr(0, comma))});
    if (comma != std::string_view::npos) {
        text.remove_prefix(comma + 1);
        while (text.starts_with(' ')) text.remove_prefix(1);
        command.arguments.push_back({"drop_server", std::string(text)});
    }
    return command;
}

Result<Command> sensible(Command command) {
    if (auto objection = objection_to(command))
        return fail(Code::invalid_argument, std::move(objection->text));
    return command;
}

}  // namespace

const std::string* Command::find(std::string_view name) const {
    const auto found = std::ranges::find(arguments, name, &Argument::name);
    return found == arguments.end() ? nullptr : &found->value;
}

std::string Command::text(std::string_view name) const {
    const std::string* const value = find(name);
    return value ? *value : std::string();
}

std::optional<int> Command::number(std::string_view name) const {
    const std::string* const value = find(name);
    int number = 0;
    if (!value) return std::nullopt;
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
    return error == std::errc() && end == value->data() + value->size() ? std::optional(number)
                                                                        : std::nullopt;
}

std::optional<double> Command::decimal(std::string_view name) const {
    const std::string* const value = find(name);
    return value ? number_in(*value) : std::nullopt;
}

std::optional<Duration> Command::duration(std::string_view name) const {
    const std::string* const value = find(name);
    return value ? duration_from(*value) : std::nullopt;
}

bool Command::flag(std::string_view name) const {
    const std::string* const value = find(name);
    return value && *value == "true";
}

namespace {

std::string unknown_command(const std::string& word) {
    const auto& names = command_names();
    const std::string nearest = instead_of(word, names);
    return fmt::format("there is no command `{}`{}", word,
                       nearest.empty() ? "; the commands are " + listed(names) : nearest);
}

}  // namespace

Objection objection_to_text(const Error& error) {
    return {error.code == Code::not_found ? Refusal::unknown_command : Refusal::bad_argument, error.message};
}

std::optional<Objection> objection_to(const Command& command) {
    const CommandRow* const row = find_command(command.code);
    if (!row)
        return Objection{Refusal::unknown_command,
                         fmt::format("there is no command {}", static_cast<int>(command.code))};
    if (command.code == CommandCode::full_stop) return std::nullopt;
    if (auto fault = fault_in_arguments(*row, command))
        return Objection{Refusal::bad_argument, std::move(*fault)};
    return std::nullopt;
}

Result<Command> command_from(std::string_view text) {
    if (auto set_rm = set_rm_from(text)) return sensible(std::move(*set_rm));
    Words words(text);
    auto word = words.next();
    if (!word) return fail(std::move(word.error()));
    if (!*word) return fail(Code::invalid_argument, "a command is missing, such as `status`");
    const CommandRow* const row = find_command(**word);
    if (!row) return fail(Code::not_found, unknown_command(**word));
    Command command{.id = {}, .code = row->code, .arguments = {}};
    if (command.code == CommandCode::full_stop) return command;
    for (;;) {
        word = words.next();
        if (!word) return fail(std::move(word.error()));
        if (!*word) return sensible(std::move(command));
        const std::size_t equals = (*word)->find('=');
        if (equals == std::string::npos)
            return fail(Code::invalid_argument,
                        fmt::format("`{}` should be NAME=VALUE, such as level=2", **word));
        command.arguments.push_back({(*word)->substr(0, equals), (*word)->substr(equals + 1)});
    }
}

namespace {

/// Returns whether the text is one quoted word, such as `"a \"b\""`.
bool is_quoted(std::string_view text) {
    if (text.size() < 2 || !text.starts_with('"')) return false;
    std::size_t at = 1;
    while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2U : 1U;
    return at + 1 == text.size();
}

}  // namespace

std::string command_text(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        const bool has_value = equals != std::string::npos && word.find_first_of(" \t\n\r\"") >= equals;
        if (!text.empty()) text += ' ';
        text += has_value && !is_quoted(std::string_view(word).substr(equals + 1))
                    ? word.substr(0, equals + 1) + quoted_word(word.substr(equals + 1))
                    : word;
    }
    return text;
}

std::string to_string(const Command& command) {
    const CommandRow* const row = find_command(command.code);
    std::string text = row ? std::string(row->name) : fmt::format("{}", static_cast<int>(command.code));
    for (const auto& [name, value] : command.arguments)
        text += fmt::format(" {}={}", name, quoted_word(value));
    return text;
}

namespace {

/// Returns whether a command other than a movement can set a robot moving.
bool can_start(const Command& command) {
    switch (command.code) {
        case CommandCode::set_run_mode:
        case CommandCode::go_to_run_mode: {
            const auto mode = run_mode_from(command.text("mode"));
            return mode != RunMode::rm0 && mode != RunMode::rm1;
        }
        case CommandCode::release_stop:
        case CommandCode::dock:
        case CommandCode::go:
        case CommandCode::enable_sensor:
        case CommandCode::enable_telemetry:
        case CommandCode::behaviors:
        case CommandCode::bus:
        case CommandCode::faults: return true;
        default: return false;
    }
}

std::optional<Objection> objection_to(Duration age, std::optional<Duration> most) {
    if (!most || age <= *most) return std::nullopt;
    return Objection{Refusal::expired, fmt::format("it is {:.1f} s old; at most {:.1f} s are allowed",
                                                   to_seconds(age), to_seconds(*most))};
}

}  // namespace

std::optional<Duration> max_age(const Command& command) {
    constexpr Duration unless_given = std::chrono::milliseconds(500);
    if (!is_motion(command.code)) return can_start(command) ? std::optional(max_start_age) : std::nullopt;
    if (is_halt(command)) return std::nullopt;
    return command.duration("ttl").value_or(unless_given);
}

std::optional<Objection> objection_to_age(const Command& command, Duration age) {
    return objection_to(age, max_age(command));
}

std::optional<Objection> objection_to_start_age(Duration age) { return objection_to(age, max_start_age); }

bool is_halt(const Command& command) {
    if (command.code == CommandCode::move) return command.text("movement") == "HALT";
    if (command.code == CommandCode::drive)
        return command.decimal("forward").value_or(0) == 0 && command.decimal("turn").value_or(0) == 0;
    return is_motion(command.code) && command.number("level") == 0;
}

bool is_motion(CommandCode code) {
    return (code >= CommandCode::spin_left && code <= CommandCode::move) || code == CommandCode::drive;
}

bool states_given(CommandCode code) { return is_motion(code) || code == CommandCode::release_stop; }

bool needs_lease(CommandCode code) {
    using enum CommandCode;
    return is_motion(code) || code == dock || code == go || code == set_run_mode || code == go_to_run_mode ||
           code == power_off;
}

}  // namespace caribou::link
