#include "bus/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/nearest.hpp"

namespace caribou::bus {
namespace {

using Kind = MissionFinding::Kind;

template <class Number>
bool read_number(std::string_view text, Number& into) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
    return error == std::errc{} && end == text.data() + text.size();
}

bool read_flag(std::string_view text, bool& into) {
    for (const std::string_view yes : {"true", "yes", "on", "1"})
        if (same_key(text, yes)) return into = true, true;
    for (const std::string_view no : {"false", "no", "off", "0"})
        if (same_key(text, no)) return into = false, true;
    return false;
}

std::string range_text(const Range& range) {
    const Range all;
    if (range.low > all.low && range.high < all.high)
        return fmt::format(" from {} to {}", range.low, range.high);
    if (range.low > all.low) return fmt::format(" of at least {}", range.low);
    if (range.high < all.high) return fmt::format(" of at most {}", range.high);
    return "";
}

std::unexpected<Error> wrong(std::string_view name, std::string_view value, std::string_view wanted) {
    return fail(Code::invalid_argument, fmt::format("{} is `{}`; expected {}", name, value, wanted));
}

std::string unquoted(std::string_view text) {
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

std::string text_of(std::monostate) { return ""; }
std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(int value) { return fmt::format("{}", value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return value; }
std::string text_of(const std::vector<std::string>& value) { return value.empty() ? "" : value.front(); }

template <class Number>
Result<void> put_number(std::string_view name, std::string_view value, Spelling spelling, const Range& range,
                        std::string_view kind, Number& into) {
    Number number{};
    const bool read = (spelling == Spelling::word || spelling == Spelling::number) &&
                      read_number(value, number) && std::isfinite(static_cast<double>(number));
    const auto real = static_cast<double>(number);
    if (!read || real < range.low || real > range.high)
        return wrong(name, value, fmt::format("a {}{}", kind, range_text(range)));
    into = number;
    return {};
}

}  // namespace

void Parameters::add(Parameter parameter) {
    check(find(parameter.name) == nullptr, "a parameter is declared once");
    parameter.default_text = present_text(parameter);
    all_.push_back(std::move(parameter));
}
void Parameters::add(std::string name, double& into, Range range, std::string doc) {
    add({std::move(name), &into, range, std::move(doc)});
}
void Parameters::add(std::string name, int& into, Range range, std::string doc) {
    add({std::move(name), &into, range, std::move(doc)});
}
void Parameters::add(std::string name, double& into, std::string doc) {
    add(std::move(name), into, Range{}, std::move(doc));
}
void Parameters::add(std::string name, int& into, std::string doc) {
    add(std::move(name), into, Range{}, std::move(doc));
}
void Parameters::add(std::string name, bool& into, std::string doc) {
    add({std::move(name), &into, {}, std::move(doc)});
}
void Parameters::add(std::string name, std::string& into, std::string doc) {
    add({std::move(name), &into, {}, std::move(doc)});
}
void Parameters::add(std::string name, std::string& into, Check check, std::string doc) {
    add({std::move(name), &into, {}, std::move(doc), std::move(check)});
}
void Parameters::add(std::string name, std::vector<std::string>& into, std::string doc) {
    add({std::move(name), &into, {}, std::move(doc)});
}
void Parameters::add(std::string name, std::vector<std::string>& into, Check check, std::string doc) {
    add({std::move(name), &into, {}, std::move(doc), std::move(check)});
}
void Parameters::add_final_check(std::string name, Check check) {
    Parameter* const parameter = find(name);
    caribou::check(parameter != nullptr, "a final check is that of a declared parameter");
    parameter->final_check = std::move(check);
}
void Parameters::add_unsupported(std::string name) { add({std::move(name), std::monostate(), {}, ""}); }

Parameters::Parameter* Parameters::find(std::string_view name) {
    for (Parameter& parameter : all_)
        if (same_key(parameter.name, name)) return &parameter;
    return nullptr;
}

bool Parameters::knows(std::string_view name) const {
    return std::ranges::any_of(all_,
                               [&](const Parameter& parameter) { return same_key(parameter.name, name); });
}

bool Parameters::is_set(std::string_view name) const {
    for (const Parameter& parameter : all_)
        if (same_key(parameter.name, name)) return parameter.set;
    return false;
}

/// Returns the known name nearest to `name`; empty if none is similar.
std::string Parameters::meant_by(std::string_view name) const {
    std::vector<std::string> names;
    for (const Parameter& parameter : all_) names.push_back(parameter.name);
    const auto meant = nearest(name, names);
    return meant ? fmt::format("; did you mean `{}`?", *meant) : "";
}

std::vector<MissionFinding> Parameters::fill(std::span<const MissionSetting> settings, UnknownKeys unknown) {
    std::vector<MissionFinding> findings;
    std::vector<const Parameter*> filled;
    for (const MissionSetting& setting : settings) {
        Parameter* const parameter = find(setting.key);
        if (!parameter) {
            const std::string meant = meant_by(setting.key);
            if (unknown != UnknownKeys::question)
                findings.push_back({unknown == UnknownKeys::refuse ? Kind::error : Kind::warning,
                                    setting.line, fmt::format("no parameter `{}`{}", setting.key, meant)});
            else if (!meant.empty())
                findings.push_back(
                    {Kind::warning, setting.line, fmt::format("unknown key `{}`{}", setting.key, meant)});
            continue;
        }
        if (std::holds_alternative<std::monostate>(parameter->place)) {
            findings.push_back({Kind::warning, setting.line,
                                fmt::format("`{}` is not supported, and has no effect", parameter->name)});
            continue;
        }
        const bool again = std::ranges::find(filled, parameter) != filled.end();
        if (again && !std::holds_alternative<std::vector<std::string>*>(parameter->place)) {
            findings.push_back({Kind::warning, setting.line,
                                fmt::format("{} is repeated; the first value is used", setting.key)});
            continue;
        }
        if (!again) {
            filled.push_back(parameter);
            if (auto* const list = std::get_if<std::vector<std::string>*>(&parameter->place))
                (*list)->clear();
        }
        if (auto put_in = put(*parameter, setting.value, setting.spelling); !put_in)
            findings.push_back({Kind::error, setting.line, std::move(put_in.error().message)});
    }
    return findings;
}

std::vector<MissionFinding> Parameters::check_filled(std::span<const MissionSetting> settings,
                                                     Kind missing) const {
    std::vector<MissionFinding> findings;
    for (const MissionSetting& setting : settings)
        for (const Parameter& parameter : all_) {
            if (!parameter.final_check || !same_key(parameter.name, setting.key)) continue;
            if (auto checked = parameter.final_check(setting.value); !checked)
                findings.push_back({checked.error().code == Code::not_found ? missing : Kind::error,
                                    setting.line,
                                    fmt::format("{}: {}", parameter.name, checked.error().message)});
        }
    return findings;
}

Result<void> Parameters::set(std::string_view name, std::string_view value) {
    Parameter* const parameter = find(name);
    if (!parameter) return fail(Code::not_found, fmt::format("no parameter `{}`{}", name, meant_by(name)));
    return put(*parameter, value, Spelling::word);
}

Result<void> Parameters::put(Parameter& parameter, std::string_view value, Spelling spelling) {
    const auto& [name, place, range, doc, check, default_text, set, final_check] = parameter;
    Result<void> done;
    const bool is_text = std::holds_alternative<std::string*>(place) && spelling == Spelling::word;
    if (check) done = check(is_text ? unquoted(value) : std::string(value));
    if (!done) return fail(done.error().code, fmt::format("{}: {}", name, done.error().message));
    if (std::holds_alternative<std::monostate>(place)) {
        done = fail(Code::unavailable, fmt::format("{} is not supported", name));
    } else if (double* const* real = std::get_if<double*>(&place)) {
        done = put_number(name, value, spelling, range, "number", **real);
    } else if (int* const* whole = std::get_if<int*>(&place)) {
        done = put_number(name, value, spelling, range, "whole number", **whole);
    } else if (bool* const* flag = std::get_if<bool*>(&place)) {
        const bool possible = spelling == Spelling::word || spelling == Spelling::boolean;
        if (!possible || !read_flag(value, **flag)) done = wrong(name, value, "`true` or `false`");
    } else if (spelling == Spelling::number || spelling == Spelling::boolean) {
        done = wrong(name, value, "a string in quotes");
    } else if (std::string* const* text = std::get_if<std::string*>(&place)) {
        **text = spelling == Spelling::word ? unquoted(value) : std::string(value);
    } else {
        std::get<std::vector<std::string>*>(place)->emplace_back(value);
    }
    if (done) parameter.set = true;
    return done;
}

std::string Parameters::present_text(const Parameter& parameter) {
    return std::visit(
        []<class Into>(const Into& place) {
            if constexpr (std::is_pointer_v<Into>)
                return text_of(*place);
            else
                return text_of(place);
        },
        parameter.place);
}

std::string Parameters::block(std::string_view program, TextOf text_of) const {
    std::string text = fmt::format("ProcessConfig = {}\n{{\n", program);
    for (const Parameter& parameter : all_) {
        if (std::holds_alternative<std::monostate>(parameter.place)) continue;
        const std::string value = text_of(parameter);
        if (!parameter.doc.empty()) text += fmt::format("  // {}\n", parameter.doc);
        text += fmt::format("  {}{} = {}\n", value.empty() ? "// " : "", parameter.name, value);
    }
    return text + "}\n";
}

std::string Parameters::example(std::string_view program) const {
    return block(program, [](const Parameter& parameter) { return parameter.default_text; });
}

std::string Parameters::values(std::string_view program) const { return block(program, present_text); }

}  // namespace caribou::bus
