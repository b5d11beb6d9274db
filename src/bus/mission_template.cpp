#include "bus/mission_template.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/trimmed.hpp"

namespace caribou::bus {
namespace {

constexpr std::size_t max_include_depth = 32;
constexpr std::size_t max_expanded = 16 * 1024 * 1024;  ///< bytes of the whole result

/// Removes and returns the next word.
std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text = trimmed(text.substr(word.size()));
    return word;
}

std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

std::string with_single_blanks(std::string_view text) {
    std::string all;
    while (!text.empty()) {
        if (!all.empty()) all += ' ';
        all += take_word(text);
    }
    return all;
}

std::string_view without_quotes(std::string_view text) {
    const bool quoted = text.size() >= 2 && text.starts_with('"') && text.ends_with('"');
    return quoted ? text.substr(1, text.size() - 2) : text;
}

class TemplateExpander {
public:
    TemplateExpander(TemplateMacros macros, UndefinedMacro undefined, const FindTemplateFile& find)
        : macros_(std::move(macros)), undefined_(undefined), find_(find) {}

    Result<ExpandedTemplate> expand(const TemplateFile& file) {
        if (auto done = expand_file(file); !done) return fail(std::move(done.error()));
        return std::move(result_);
    }

private:
    /// One `#ifdef … #endif`.
    struct Branch {
        bool outside;  ///< whether the lines around it are active
        bool taken;    ///< whether one of its branches was active
        bool active;
        std::size_t line;
    };

    std::unexpected<Error> error(std::string_view what) const {
        return fail(Code::malformed, fmt::format("{}:{}: error: {}", files_.back(), line_, what));
    }
    void warn(std::string_view what) {
        result_.warnings.push_back(fmt::format("{}:{}: warning: {}", files_.back(), line_, what));
    }

    Result<void> expand_file(const TemplateFile& file) {
        files_.push_back(file.path);
        const std::size_t line_outside = std::exchange(line_, 0);
        auto branches_outside = std::exchange(branches_, {});
        for (std::string_view rest = file.text; !rest.empty();) {
            ++line_;
            if (auto done = take(take_line(rest)); !done) return done;
        }
        if (!branches_.empty()) {
            line_ = branches_.back().line;
            warn("there is no `#endif` for this line");
        }
        branches_ = std::move(branches_outside);
        line_ = line_outside;
        files_.pop_back();
        return {};
    }

    bool active() const { return branches_.empty() || branches_.back().active; }

    Result<void> take(std::string_view line) {
        std::string_view rest = trimmed(line);
        const std::string_view directive = rest.starts_with('#') ? take_word(rest) : "";
        if (directive == "#ifdef") return begin_branch(rest, &TemplateExpander::condition);
        if (directive == "#ifndef") return begin_branch(rest, &TemplateExpander::nothing_defined);
        if (directive == "#elseifdef" || directive == "#else" || directive == "#endif")
            return next_branch(directive, rest);
        if (!active()) return {};
        if (directive == "#define") return define(rest);
        if (directive == "#include") return include(rest);
        return put(line);
    }

    Result<void> put(std::string_view line) {
        TemplateMacros::Expanded expanded = macros_.expand(line);
        if (expanded.too_long) return error("the macros of this line do not end, or it becomes too long");
        const bool is_comment = trimmed(line).starts_with("//");
        if (!expanded.undefined.empty() && !is_comment) {
            const std::string what = fmt::format("the macro `{}` is not defined; define it with `{}=value`",
                                                 expanded.undefined.front(), expanded.undefined.front());
            if (undefined_ == UndefinedMacro::refuse) return error(what);
            warn(what);
        }
        const bool keeps_line = !expanded.undefined.empty() && undefined_ != UndefinedMacro::keep_macro;
        result_.text.append(keeps_line ? line : std::string_view(expanded.text)).append("\n");
        if (result_.text.size() > max_expanded) return error("the expanded file is longer than 16 MiB");
        return {};
    }

    Result<void> define(std::string_view rest) {
        const auto whole = macros_.expand(take_word(rest));
        if (whole.text.empty() || !whole.undefined.empty())
            return error("expected the name of a macro after `#define`");
        if (!macros_.define(whole.text, with_single_blanks(rest)))
            warn(fmt::format("the macro `{}` is defined again, with another value", whole.text));
        return {};
    }

    Result<void> include(std::string_view rest) {
        std::optional<std::string> tag;
        if (const std::size_t at = rest.rfind('<'); at != std::string_view::npos && rest.ends_with('>')) {
            tag = trimmed(rest.substr(at + 1, rest.size() - at - 2));
            rest = trimmed(rest.substr(0, at));
        }
        const auto name = macros_.expand(without_quotes(rest));
        if (name.text.empty() || !name.undefined.empty())
            return error("expected the name of a file, of defined macros, after `#include`");
        auto file = find_(name.text);
        if (!file) return error(file.error().message);
        if (std::ranges::find(files_, file->path) != files_.end())
            return error(fmt::format("{} includes itself", file->path));
        if (files_.size() >= max_include_depth) return error("too many files include each other");
        if (tag) file->text = section(file->text, *tag);
        if (auto done = expand_file(*file); !done) return done;
        result_.text += '\n';
        return {};
    }

    /// Returns the lines between `<tag> NAME` and the next line that begins with `<tag>`, without directives.
    static std::string section(std::string_view text, std::string_view name) {
        std::string all;
        bool inside = false;
        while (!text.empty()) {
            const std::string_view line = take_line(text);
            std::string_view rest = trimmed(line);
            if (rest.starts_with("<tag>")) {
                rest.remove_prefix(5);
                inside = trimmed(rest) == name;
            } else if (inside && !rest.starts_with('#')) {
                all.append(line).append("\n");
            }
        }
        return all;
    }

    using Condition = Result<bool> (TemplateExpander::*)(std::string_view);

    Result<void> begin_branch(std::string_view rest, Condition evaluate) {
        const bool outside = active();
        Branch branch{.outside = outside, .taken = false, .active = false, .line = line_};
        if (outside) {
            const auto holds = (this->*evaluate)(rest);
            if (!holds) return fail(holds.error());
            branch.active = branch.taken = *holds;
        }
        branches_.push_back(branch);
        return {};
    }

    Result<void> next_branch(std::string_view directive, std::string_view rest) {
        if (branches_.empty()) return error(fmt::format("`{}` without `#ifdef`", directive));
        if (directive == "#endif") {
            branches_.pop_back();
            return {};
        }
        Branch& branch = branches_.back();
        branch.active = branch.outside && !branch.taken;
        if (branch.active && directive == "#elseifdef") {
            const auto holds = condition(rest);
            if (!holds) return fail(holds.error());
            branch.active = *holds;
        }
        branch.taken = branch.taken || branch.active;
        return {};
    }

    /// Evaluates `M`, `M value`, and several of them joined by either `||` or `&&`.
    Result<bool> condition(std::string_view text) {
        const bool has_or = text.contains("||");
        const bool has_and = text.contains("&&");
        if (has_or && has_and) {
            if (undefined_ == UndefinedMacro::refuse) return error("`||` and `&&` must not be mixed");
            warn("`||` and `&&` must not be mixed; the condition counts as false");
            return false;
        }
        const std::string_view joint = has_or ? "||" : "&&";
        for (;;) {
            const std::size_t at = text.find(joint);
            const auto holds = term(trimmed(text.substr(0, at)));
            if (!holds) return holds;
            if (*holds == has_or || at == std::string_view::npos) return *holds;
            text.remove_prefix(at + joint.size());
        }
    }

    Result<bool> term(std::string_view text) {
        const std::string_view name = take_word(text);
        if (name.empty()) return error("expected the name of a macro in the condition");
        if (text.empty()) return macros_.has_value(name);
        const std::string value = macros_.expand(macros_.value_of(name)).text;
        if (!macros_.is_defined(name)) return false;
        return value == text || (macros_.is_defined(text) && value == macros_.value_of(text));
    }

    Result<bool> nothing_defined(std::string_view text) {
        if (text.empty()) return error("expected the name of a macro after `#ifndef`");
        while (!text.empty())
            if (macros_.has_value(take_word(text))) return false;
        return true;
    }

    TemplateMacros macros_;
    UndefinedMacro undefined_;
    const FindTemplateFile& find_;
    ExpandedTemplate result_;
    std::vector<std::string> files_;  ///< the file being read is the last one
    std::size_t line_ = 0;
    std::vector<Branch> branches_;  ///< of the file being read
};

}  // namespace

Result<ExpandedTemplate> expand_template(const TemplateFile& file, TemplateMacros macros,
                                         UndefinedMacro undefined, const FindTemplateFile& find) {
    return TemplateExpander(std::move(macros), undefined, find).expand(file);
}

Result<void> read_macros(const TemplateFile& file, TemplateMacros& macros) {
    std::string_view rest = file.text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        std::string_view line = trimmed(take_line(rest));
        if (line.empty() || line.starts_with('#') || line.starts_with("//")) continue;
        if (const std::size_t comment = line.find("//"); comment != std::string_view::npos)
            line = trimmed(line.substr(0, comment));
        const std::size_t equals = line.find('=');
        const std::string_view name = trimmed(line.substr(0, equals));
        if (equals == std::string_view::npos || name.empty())
            return fail(Code::malformed,
                        fmt::format("{}:{}: error: expected `NAME = value`", file.path, number));
        const auto value = macros.expand(without_quotes(trimmed(line.substr(equals + 1))));
        macros.define(std::string(name), value.text);
    }
    return {};
}

}  // namespace caribou::bus
