// Arbitrary bytes as a template that may include itself and a second file: expanding ends, within the limit
// of the result, and every message names a file and a line.

#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "bus/mission_template.hpp"

using namespace caribou;
using namespace caribou::bus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(text_of(std::as_bytes(std::span(data, size))));
    TemplateMacros macros;
    macros.define("A", "a");
    macros.define("LOOP", "$(LOOP)$(LOOP)");
    const auto find = [&](const std::string& name) -> Result<TemplateFile> {
        if (name == "other") return TemplateFile{"other", "#define IN $(A)\n<tag> t\n$(IN)\n"};
        return TemplateFile{name, input};
    };
    const auto names_a_line = [](std::string_view message) { return message.contains(": "); };
    for (const auto undefined :
         {UndefinedMacro::keep_line, UndefinedMacro::keep_macro, UndefinedMacro::refuse}) {
        const auto expanded = expand_template({"input", input}, macros, undefined, find);
        if (!expanded) {
            check(names_a_line(expanded.error().message), "an error names its line");
            continue;
        }
        for (const std::string& warning : expanded->warnings)
            check(names_a_line(warning), "so does a warning");
        check(undefined != UndefinedMacro::refuse || expanded->text.size() < 32 * 1024 * 1024,
              "it is limited");
    }
    if (auto done = read_macros({"input", input}, macros); !done)
        check(names_a_line(done.error().message), "an error names its line");
    return 0;
}
