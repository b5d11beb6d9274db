#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// A condition on variables, in the notation of MOOS-IvP: `(MODE == DRIVE) and not (NAV_DEPTH > 20)`.
///
/// | | |
/// |---|---|
/// | comparison | `VAR op value` with `=`, `==`, `!=`, `<`, `<=`, `>`, `>=` |
/// | value | a number, a word, or a text in double quotes |
/// | joined by | `and`, `or`, `not`, `!`, and parentheses; `and` binds more tightly than `or` |
///
/// A text equals a variable of parts such as `ACTIVE:SURVEY` also if it equals whole parts at its beginning
/// or end. A number and a text are never equal, and texts are neither less nor greater.
class LogicCondition {
public:
    static constexpr int max_depth = 64;  ///< of parentheses and negations

    /// Fails with invalid_argument, with the column of the error.
    static Result<LogicCondition> parse(std::string_view text);
    LogicCondition(LogicCondition&&) noexcept;
    LogicCondition& operator=(LogicCondition&&) noexcept;
    ~LogicCondition();

    const std::string& text() const { return text_; }
    /// Returns the names of its variables.
    const std::set<std::string>& variables() const { return variables_; }
    /// Returns the value of a variable, or null if it was never written.
    using ValueOf = std::function<const wire::Message*(const std::string& variable)>;
    /// Returns whether the condition holds. A comparison with an unwritten variable is false.
    bool holds(const ValueOf& value_of) const;

    struct Node;

private:
    LogicCondition(std::string text, std::unique_ptr<Node> root, std::set<std::string> variables);

    std::string text_;
    std::unique_ptr<Node> root_;
    std::set<std::string> variables_;
};

}  // namespace caribou::bus
