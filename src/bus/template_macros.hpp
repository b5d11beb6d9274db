#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace caribou::bus {

/// The macros of a mission template (docs/formats/mission-template.md).
class TemplateMacros {
public:
    static constexpr int max_replacements = 100;         ///< per line
    static constexpr std::size_t max_line = 256 * 1024;  ///< bytes of an expanded line

    /// Defines a macro. Returns false if it had another value before.
    bool define(std::string name, std::string value);
    bool is_defined(std::string_view name) const { return values_.contains(name); }
    /// Returns whether the macro is defined and its value is not empty.
    bool has_value(std::string_view name) const;
    /// Returns the value as it was defined; empty if the macro is undefined.
    std::string_view value_of(std::string_view name) const;

    struct Expanded {
        std::string text{};                    ///< undefined macros are left as they are
        std::vector<std::string> undefined{};  ///< their names
        bool too_long = false;  ///< more than max_replacements or max_line; the text is not complete
    };
    /// Replaces `$(M)`, `%(M)`, `$(M=default)` and `$(M:=default)`, also inside of values.
    Expanded expand(std::string_view line) const;

private:
    struct Reference;
    struct Work;
    void replace(std::string& text, Work& work) const;
    std::string replacement(const Reference& reference, Work& work) const;

    std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace caribou::bus
