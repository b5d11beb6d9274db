#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/fact_declaration.hpp"
#include "behavior/facts.hpp"
#include "behavior/value.hpp"

namespace caribou::behavior {

/// An error in the text of an expression.
struct ExpressionFault {
    std::size_t offset = 0;  ///< in bytes
    std::string message{};

    friend bool operator==(const ExpressionFault&, const ExpressionFault&) = default;
};

/// A formula over facts, such as `battery < 20 and not charging` or `(rounds + 1) * 2`.
///
/// | operators, weakest first | operands        | result                     |
/// |--------------------------|-----------------|----------------------------|
/// | or                       | true or false   | true or false              |
/// | and                      | true or false   | true or false              |
/// | not                      | true or false   | true or false              |
/// | == !=                    | of the same type| true or false              |
/// | < <= > >=                | numbers         | true or false              |
/// | + -                      | numbers         | a number                   |
/// | * /                      | numbers         | a number                   |
/// | - in front               | a number        | a number                   |
///
/// Operands are numbers, true, false, texts in single quotes, names of facts, and expressions in parentheses.
/// The result is unknown if it depends on an unknown fact, or is not a finite number.
class Expression {
public:
    static constexpr std::size_t max_size = 1000;  ///< bytes
    static constexpr std::size_t max_depth = 50;   ///< of nesting

    static std::expected<Expression, ExpressionFault> parse(std::string_view text);

    using Type = FactDeclaration::Type;
    /// Returns the type of a fact, nullopt if it can have any, or an error message if it does not exist.
    using FindType = std::function<Result<std::optional<Type>>(std::string_view fact)>;
    /// Returns the type of the result; nullopt: any.
    std::expected<std::optional<Type>, ExpressionFault> check(const FindType& find) const;

    std::optional<Value> evaluate(const Facts& facts) const;

private:
    friend class ExpressionParser;
    enum class Operator : std::uint8_t {
        constant,
        fact,
        either,
        both,
        negated,
        equal,
        unequal,
        less,
        at_most,
        greater,
        at_least,
        sum,
        difference,
        product,
        quotient,
        minus,
    };
    struct Node {
        Operator op = Operator::constant;
        std::size_t offset = 0;
        Value value{};  ///< of a constant; the name of a fact
        std::size_t left = 0;
        std::size_t right = 0;
    };
    using Checked = std::expected<std::optional<Type>, ExpressionFault>;

    Checked check(const Node& node, const FindType& find) const;
    Checked check_operands(const Node& node, std::optional<Type> needed, std::optional<Type> result,
                           const FindType& find) const;
    std::optional<Value> evaluate(const Node& node, const Facts& facts) const;
    static std::optional<Value> calculate(Operator op, double left, double right);

    std::vector<Node> nodes_;  ///< operands before their operators; the last is the whole
};

}  // namespace caribou::behavior
