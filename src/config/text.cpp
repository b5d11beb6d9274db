#include "config/text.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/number_text.hpp"
#include "base/suggestion.hpp"

namespace caribou::config {
namespace {

struct ValueText {
    std::string operator()(const int* value) const { return fmt::format("{}", *value); }
    std::string operator()(const std::size_t* value) const { return fmt::format("{}", *value); }
    std::string operator()(const double* value) const { return number_text(*value); }
    std::string operator()(const Duration* value) const { return number_text(to_seconds(*value)); }
    std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
    std::string operator()(const std::string* value) const { return json_quoted(*value); }
    std::string operator()(const std::vector<std::string>* value) const {
        std::string list;
        for (const std::string& each : *value) list += (list.empty() ? "" : ", ") + json_quoted(each);
        return "[" + list + "]";
    }
    std::string operator()(const Address* value) const { return json_quoted(to_string(*value)); }
    std::string operator()(const Word& word) const { return json_quoted(word.text()); }
};

template <class Value>
bool holds(const Place& place) {
    return std::holds_alternative<Value*>(place);
}

std::string_view setting_text(Setting setting) {
    switch (setting) {
        case Setting::fixed: return "";
        case Setting::names_program: return "never";
        case Setting::after_reboot: return "reboot";
        case Setting::at_once: return "at once";
    }
    return "";
}

}  // namespace

std::string value_text(const Place& place) { return std::visit(ValueText{}, place); }

std::string type_text(const Key& key, const Place& place) {
    if (const auto* const word = std::get_if<Word>(&place)) return word->expected;
    if (holds<Address>(place)) return "address such as `127.0.0.1:9600`";
    if (holds<bool>(place)) return "true or false";
    if (holds<std::vector<std::string>>(place)) return "list of texts";
    if (holds<std::string>(place)) return key.words.empty() ? "text" : listed(key.words, "or");
    const bool is_whole = holds<int>(place) || holds<std::size_t>(place);
    return fmt::format("{} from {} to {}", is_whole ? "whole number" : "number", key.low, key.high);
}

std::string expected_text(const Key& key, const Place& place) {
    const std::string type = type_text(key, place);
    const bool is_phrase = holds<bool>(place) || std::holds_alternative<Word>(place) || !key.words.empty();
    const std::string unit = key.unit.empty() ? "" : fmt::format(" ({})", key.unit);
    return fmt::format("{}{}{}", is_phrase ? "" : holds<Address>(place) ? "an " : "a ", type, unit);
}

std::string file_text(std::span<const Key> keys, std::span<const Place> places,
                      std::span<const std::size_t> lines, std::string_view path) {
    std::string text;
    std::string_view section;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i].section != section) text += fmt::format("\n[{}]\n", keys[i].section);
        section = keys[i].section;
        const std::string origin = lines[i] == 0 ? "default" : fmt::format("{}:{}", path, lines[i]);
        text +=
            fmt::format("{:<40} # {}\n", fmt::format("{} = {}", keys[i].name, value_text(places[i])), origin);
    }
    return text;
}

std::string page_text(std::span<const Key> keys, std::span<const Place> places, bool commands) {
    std::string text;
    std::string_view section = "?";
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Key& key = keys[i];
        if (key.section != section) {
            text += key.section.empty() ? "\n## At the top\n" : fmt::format("\n## [{}]\n", key.section);
            text += commands ? "\n| key | type | unit | default | 201 | |\n|---|---|---|---|---|---|\n"
                             : "\n| key | type | unit | default | |\n|---|---|---|---|---|\n";
        }
        section = key.section;
        text += fmt::format("| `{}` | {} | {} | `{}` |{} {} |\n", key.name, type_text(key, places[i]),
                            key.unit, value_text(places[i]),
                            commands ? fmt::format(" {} |", setting_text(key.setting)) : "", key.what);
    }
    return text;
}

}  // namespace caribou::config
