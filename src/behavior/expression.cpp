#include "behavior/expression.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace caribou::behavior {
namespace {

std::string type_text(FactDeclaration::Type type) { return describe(FactDeclaration{.type = type}); }

bool is_name_begin(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_part(char c) {
    return is_name_begin(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == ':';
}

const bool* truth_in(const std::optional<Value>& value) {
    return value ? std::get_if<bool>(&*value) : nullptr;
}

}  // namespace

/// A parser by recursive descent. After a fault it stops.
class ExpressionParser {
public:
    using Operator = Expression::Operator;
    explicit ExpressionParser(std::string_view text) : text_(text) {}

    std::expected<Expression, ExpressionFault> parse() {
        if (text_.size() > Expression::max_size)
            fault(0, fmt::format("an expression has at most {} characters", Expression::max_size));
        if (!fault_) parse_level(0);
        skip_space();
        if (!fault_ && at_ < text_.size())
            fault(at_, fmt::format("expected an operator, found `{}`", text_.substr(at_, 1)));
        if (fault_) return std::unexpected(std::move(*fault_));
        return std::move(made_);
    }

private:
    struct Word {
        std::string_view text;
        Operator op;
    };
    static constexpr Word or_words[] = {{"or", Operator::either}};
    static constexpr Word and_words[] = {{"and", Operator::both}};
    static constexpr Word comparisons[] = {{"==", Operator::equal},   {"!=", Operator::unequal},
                                           {"<=", Operator::at_most}, {">=", Operator::at_least},
                                           {"<", Operator::less},     {">", Operator::greater}};
    static constexpr Word sums[] = {{"+", Operator::sum}, {"-", Operator::difference}};
    static constexpr Word products[] = {{"*", Operator::product}, {"/", Operator::quotient}};
    static constexpr std::size_t not_level = 2;
    static constexpr std::size_t comparison_level = 3;
    static constexpr std::size_t last_level = 5;

    static std::span<const Word> words_of(std::size_t level) {
        switch (level) {
            case 0: return or_words;
            case 1: return and_words;
            case comparison_level: return comparisons;
            case 4: return sums;
            case last_level: return products;
            default: return {};
        }
    }

    /// Parses operators of this level and of stronger ones. Returns the number of the node.
    std::size_t parse_level(std::size_t level) {
        if (level > last_level) return parse_operand();
        if (level == not_level) return parse_not();
        std::size_t left = parse_level(level + 1);
        while (!fault_) {
            const std::size_t begin = next();
            const Word* const word = take_one(words_of(level));
            if (!word) return left;
            const std::size_t right = parse_level(level + 1);
            left = add({.op = word->op, .offset = begin, .left = left, .right = right});
            if (level == comparison_level) return left;
        }
        return left;
    }
    std::size_t parse_not() {
        const std::size_t begin = next();
        static constexpr Word words[] = {{"not", Operator::negated}};
        if (!take_one(words)) return parse_level(not_level + 1);
        const Nesting nesting(*this);
        if (fault_) return 0;
        const std::size_t operand = parse_not();
        return add({.op = Operator::negated, .offset = begin, .left = operand, .right = operand});
    }
    std::size_t parse_operand() {
        const Nesting nesting(*this);
        const std::size_t begin = next();
        if (fault_) return 0;
        if (at_ == text_.size()) return fault(at_, "expected a value, found the end");
        const char c = text_[at_];
        if (c == '(') return parse_parentheses();
        if (c == '-') {
            ++at_;
            const std::size_t operand = parse_operand();
            return add({.op = Operator::minus, .offset = begin, .left = operand, .right = operand});
        }
        if (c == '\'') return parse_text();
        if (is_name_begin(c)) return parse_name();
        return parse_number();
    }
    std::size_t parse_parentheses() {
        const std::size_t begin = at_++;
        const std::size_t inner = parse_level(0);
        next();
        if (fault_) return 0;
        if (at_ == text_.size() || text_[at_] != ')') return fault(begin, "`(` has no `)`");
        ++at_;
        return inner;
    }
    std::size_t parse_text() {
        const std::size_t begin = at_;
        const std::size_t end = text_.find('\'', begin + 1);
        if (end == std::string_view::npos) return fault(begin, "a text ends with `'`");
        at_ = end + 1;
        return add({.offset = begin, .value = std::string(text_.substr(begin + 1, end - begin - 1))});
    }
    std::size_t parse_name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        if (name == "true" || name == "false") return add({.offset = begin, .value = name == "true"});
        if (name == "and" || name == "or" || name == "not")
            return fault(begin, fmt::format("expected a value, found `{}`", name));
        return add({.op = Operator::fact, .offset = begin, .value = std::string(name)});
    }
    std::size_t parse_number() {
        if (text_[at_] == '$')
            return fault(at_,
                         "an expression cannot use `$`, the parameters and facts of a subtree; compare them "
                         "with `{\"fact\": \"$NAME\", \"<\": \"$OTHER\"}`, and count with `add`");
        double number = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
        if (error != std::errc{} || !std::isfinite(number))
            return fault(at_, fmt::format("expected a value, found `{}`", text_.substr(at_, 1)));
        const std::size_t offset = std::exchange(at_, static_cast<std::size_t>(end - text_.data()));
        return add({.offset = offset, .value = number});
    }

    /// Limits the depth of recursion.
    class Nesting {
    public:
        explicit Nesting(ExpressionParser& parser) : parser_(parser) {
            if (++parser_.depth_ > Expression::max_depth)
                parser_.fault(parser_.at_,
                              fmt::format("an expression is nested at most {} deep", Expression::max_depth));
        }
        ~Nesting() { --parser_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        ExpressionParser& parser_;
    };

    void skip_space() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    /// Skips spaces. Returns the position.
    std::size_t next() {
        skip_space();
        return at_;
    }
    /// Returns the operator at this position, after which parsing continues, or null.
    const Word* take_one(std::span<const Word> words) {
        for (const Word& word : words) {
            if (!text_.substr(at_).starts_with(word.text)) continue;
            const std::size_t end = at_ + word.text.size();
            if (is_name_begin(word.text.front()) && end < text_.size() && is_name_part(text_[end])) continue;
            at_ = end;
            return &word;
        }
        return nullptr;
    }
    std::size_t add(Expression::Node node) {
        made_.nodes_.push_back(std::move(node));
        return made_.nodes_.size() - 1;
    }
    std::size_t fault(std::size_t offset, std::string message) {
        if (!fault_) fault_ = ExpressionFault{offset, std::move(message)};
        return 0;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    Expression made_;
    std::optional<ExpressionFault> fault_;
};

std::expected<Expression, ExpressionFault> Expression::parse(std::string_view text) {
    return ExpressionParser(text).parse();
}

std::expected<std::optional<Expression::Type>, ExpressionFault> Expression::check(
    const FindType& find) const {
    return check(nodes_.back(), find);
}

Expression::Checked Expression::check(const Node& node, const FindType& find) const {
    switch (node.op) {
        case Operator::constant: return type_of(node.value);
        case Operator::fact: {
            auto type = find(std::get<std::string>(node.value));
            if (!type) return std::unexpected(ExpressionFault{node.offset, type.error().message});
            return *type;
        }
        case Operator::either:
        case Operator::both:
        case Operator::negated: return check_operands(node, Type::flag, Type::flag, find);
        case Operator::equal:
        case Operator::unequal: return check_operands(node, std::nullopt, Type::flag, find);
        case Operator::less:
        case Operator::at_most:
        case Operator::greater:
        case Operator::at_least: return check_operands(node, Type::number, Type::flag, find);
        case Operator::sum:
        case Operator::difference:
        case Operator::product:
        case Operator::quotient:
        case Operator::minus: return check_operands(node, Type::number, Type::number, find);
    }
    return std::nullopt;
}

Expression::Checked Expression::check_operands(const Node& node, std::optional<Type> needed,
                                               std::optional<Type> result, const FindType& find) const {
    for (const std::size_t operand : {node.left, node.right}) {
        const Checked type = check(nodes_[operand], find);
        if (!type) return type;
        if (needed && *type && **type != *needed)
            return std::unexpected(
                ExpressionFault{nodes_[operand].offset,
                                fmt::format("expected {}, found {}", type_text(*needed), type_text(**type))});
        if (node.left == node.right) break;  // it has one operand
        // The right operand of a comparison has the type of the left one.
        if (!needed) needed = *type;
    }
    return result;
}

std::optional<Value> Expression::evaluate(const Facts& facts) const { return evaluate(nodes_.back(), facts); }

std::optional<Value> Expression::evaluate(const Node& node, const Facts& facts) const {
    if (node.op == Operator::constant) return node.value;
    if (node.op == Operator::fact) {
        const Value* known = facts.find(std::get<std::string>(node.value));
        return known ? std::optional(*known) : std::nullopt;
    }
    const std::optional<Value> left = evaluate(nodes_[node.left], facts);
    const std::optional<Value> right = node.left == node.right ? left : evaluate(nodes_[node.right], facts);
    if (node.op == Operator::both || node.op == Operator::either) {
        // One operand decides, even if the other one is unknown.
        const bool decisive = node.op == Operator::either;
        const bool* const first = truth_in(left);
        const bool* const second = truth_in(right);
        if ((first && *first == decisive) || (second && *second == decisive)) return Value(decisive);
        return first && second ? std::optional(Value(!decisive)) : std::nullopt;
    }
    if (!left || !right) return std::nullopt;
    if (node.op == Operator::negated) {
        const bool* const truth = truth_in(left);
        return truth ? std::optional(Value(!*truth)) : std::nullopt;
    }
    if (node.op == Operator::equal) return Value(*left == *right);
    if (node.op == Operator::unequal) return Value(*left != *right);
    const double* const a = std::get_if<double>(&*left);
    const double* const b = std::get_if<double>(&*right);
    return a && b ? calculate(node.op, *a, *b) : std::nullopt;
}

std::optional<Value> Expression::calculate(Operator op, double left, double right) {
    double result = 0;
    switch (op) {
        case Operator::less: return Value(left < right);
        case Operator::at_most: return Value(left <= right);
        case Operator::greater: return Value(left > right);
        case Operator::at_least: return Value(left >= right);
        case Operator::sum: result = left + right; break;
        case Operator::difference: result = left - right; break;
        case Operator::product: result = left * right; break;
        case Operator::quotient: result = left / right; break;
        case Operator::minus: result = -left; break;
        default: return std::nullopt;
    }
    return std::isfinite(result) ? std::optional(Value(result)) : std::nullopt;
}

}  // namespace caribou::behavior
