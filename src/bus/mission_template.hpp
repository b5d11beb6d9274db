#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "bus/template_macros.hpp"

namespace caribou::bus {

/// A file that a template is read from.
struct TemplateFile {
    std::string path{};
    std::string text{};
};

/// What happens to a line with an undefined macro.
enum class UndefinedMacro {
    keep_line,   ///< the line is left as it is, with a warning
    keep_macro,  ///< the other macros of the line are expanded
    refuse,      ///< an error
};

/// Returns an included file. Fails if there is none.
using FindTemplateFile = std::function<Result<TemplateFile>(const std::string& name)>;

struct ExpandedTemplate {
    std::string text{};
    std::vector<std::string> warnings{};  ///< `FILE:LINE: warning: …`
};

/// Expands a mission template as nsplug does (docs/formats/mission-template.md). The error names file and
/// line.
Result<ExpandedTemplate> expand_template(const TemplateFile& file, TemplateMacros macros,
                                         UndefinedMacro undefined, const FindTemplateFile& find);

/// Adds the definitions of a file of lines `NAME = value`. Values may use macros that are already defined.
Result<void> read_macros(const TemplateFile& file, TemplateMacros& macros);

}  // namespace caribou::bus
