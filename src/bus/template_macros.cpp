#include "bus/template_macros.hpp"

#include <algorithm>
#include <optional>

namespace caribou::bus {

/// One `$(NAME)` in a line.
struct TemplateMacros::Reference {
    std::size_t begin;
    std::size_t size;
    bool capitals = false;  ///< `%(NAME)`
    std::string name;
    std::optional<std::string> fallback{};
    bool fallback_if_empty = false;  ///< `$(NAME:=fallback)`

    /// Returns the next reference at or after `from`, or nullopt.
    static std::optional<Reference> find(std::string_view text, std::size_t from);
};

struct TemplateMacros::Work {
    std::vector<std::string> undefined{};
    int replacements = 0;
    bool too_long = false;
};

std::optional<TemplateMacros::Reference> TemplateMacros::Reference::find(std::string_view text,
                                                                         std::size_t from) {
    for (std::size_t begin = from; begin + 1 < text.size(); ++begin) {
        if ((text[begin] != '$' && text[begin] != '%') || text[begin + 1] != '(') continue;
        int depth = 0;
        std::size_t end = begin + 1;
        for (; end < text.size(); ++end) {
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
            if (depth == 0) break;
        }
        if (end == text.size()) return std::nullopt;  // not closed: all further ones are inside of it
        const std::string_view inside = text.substr(begin + 2, end - begin - 2);
        const std::size_t equals = inside.find('=');
        Reference found{.begin = begin, .size = end + 1 - begin, .capitals = text[begin] == '%', .name = {}};
        std::string_view name = inside.substr(0, equals);
        if (equals != std::string_view::npos) {
            found.fallback = inside.substr(equals + 1);
            found.fallback_if_empty = name.ends_with(':');
            if (found.fallback_if_empty) name.remove_suffix(1);
        }
        const bool is_name = !name.empty() && name.find_first_of("$%() \t") == std::string_view::npos;
        if (!is_name) continue;
        found.name = name;
        return found;
    }
    return std::nullopt;
}

bool TemplateMacros::define(std::string name, std::string value) {
    const auto [place, is_new] = values_.try_emplace(std::move(name), value);
    const bool agrees = is_new || place->second == value;
    place->second = std::move(value);
    return agrees;
}

bool TemplateMacros::has_value(std::string_view name) const { return !value_of(name).empty(); }

std::string_view TemplateMacros::value_of(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::string_view{} : std::string_view(found->second);
}

TemplateMacros::Expanded TemplateMacros::expand(std::string_view line) const {
    Work work;
    std::string text(line);
    replace(text, work);
    return {std::move(text), std::move(work.undefined), work.too_long};
}

void TemplateMacros::replace(std::string& text, Work& work) const {
    for (std::size_t from = 0;;) {
        const auto reference = Reference::find(text, from);
        if (!reference || work.too_long) return;
        if (!is_defined(reference->name) && !reference->fallback) {
            if (std::ranges::find(work.undefined, reference->name) == work.undefined.end())
                work.undefined.push_back(reference->name);
            from = reference->begin + reference->size;
            continue;
        }
        const std::string value = replacement(*reference, work);
        work.too_long =
            work.too_long || ++work.replacements > max_replacements || text.size() + value.size() > max_line;
        if (work.too_long) return;
        text.replace(reference->begin, reference->size, value);
        from = 0;  // a value may contain macros, or be part of a name
    }
}

std::string TemplateMacros::replacement(const Reference& reference, Work& work) const {
    const bool takes_fallback =
        reference.fallback &&
        (reference.fallback_if_empty ? !has_value(reference.name) : !is_defined(reference.name));
    std::string value(takes_fallback ? std::string_view(*reference.fallback) : value_of(reference.name));
    if (!reference.capitals) return value;
    // Names of macros inside must be replaced before they are capitalized.
    work.too_long = work.too_long || ++work.replacements > max_replacements;
    if (!work.too_long) replace(value, work);
    std::ranges::transform(value, value.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return value;
}

}  // namespace caribou::bus
