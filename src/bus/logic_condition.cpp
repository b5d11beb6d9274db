#include "bus/logic_condition.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/trimmed.hpp"

namespace caribou::bus {

struct LogicCondition::Node {
    enum class Kind { compare, all, any, negation };

    Kind kind = Kind::compare;
    std::vector<std::unique_ptr<Node>> parts{};  ///< of all, any and negation
    // Of a comparison.
    std::string variable{};
    std::string op{};
    std::variant<double, std::string> value{};
};

namespace {

using LogicNode = LogicCondition::Node;
using LogicKind = LogicNode::Kind;

bool equal_texts(std::string_view value, std::string_view wanted) {
    if (value == wanted) return true;
    if (wanted.empty() || value.size() <= wanted.size()) return false;
    return (value.starts_with(wanted) && value[wanted.size()] == ':') ||
           (value.ends_with(wanted) && value[value.size() - wanted.size() - 1] == ':');
}

bool compare(const LogicNode& node, const wire::Message& message) {
    if (const auto* const number = std::get_if<double>(&node.value)) {
        const bool is_number = message.is_number();
        if (node.op == "==") return is_number && message.value == *number;
        if (node.op == "!=") return !is_number || message.value != *number;
        if (!is_number) return false;
        if (node.op == "<") return message.value < *number;
        if (node.op == "<=") return message.value <= *number;
        if (node.op == ">") return message.value > *number;
        return message.value >= *number;
    }
    const bool equal = message.is_string() && equal_texts(message.payload, std::get<std::string>(node.value));
    return node.op == "==" ? equal : node.op == "!=" && !equal;
}

bool node_holds(const LogicNode& node, const LogicCondition::ValueOf& value_of) {
    const auto part_holds = [&](const auto& part) { return node_holds(*part, value_of); };
    switch (node.kind) {
        case LogicKind::all: return std::ranges::all_of(node.parts, part_holds);
        case LogicKind::any: return std::ranges::any_of(node.parts, part_holds);
        case LogicKind::negation: return !part_holds(node.parts.front());
        case LogicKind::compare: break;
    }
    const wire::Message* const message = value_of(node.variable);
    return message && compare(node, *message);
}

class LogicParser {
public:
    explicit LogicParser(std::string_view text) : text_(text) {}

    Result<std::unique_ptr<LogicNode>> parse() {
        auto root = any_of(0);
        if (root && !at_end()) return error("expected `and`, `or` or the end");
        return root;
    }
    std::set<std::string> take_variables() { return std::move(variables_); }

private:
    using Parsed = Result<std::unique_ptr<LogicNode>>;

    std::unexpected<Error> error(std::string_view what) const {
        return fail(Code::invalid_argument, fmt::format("column {}: {}", at_ + 1, what));
    }
    void skip_blanks() {
        while (at_ < text_.size() && blanks.contains(text_[at_])) ++at_;
    }
    bool at_end() {
        skip_blanks();
        return at_ == text_.size();
    }
    bool take(std::string_view symbol) {
        skip_blanks();
        if (!text_.substr(at_).starts_with(symbol)) return false;
        at_ += symbol.size();
        return true;
    }
    /// Takes a word such as `and`, which a blank or a parenthesis must follow.
    bool take_word(std::string_view word) {
        skip_blanks();
        const std::string_view rest = text_.substr(at_);
        if (!rest.starts_with(word)) return false;
        if (rest.size() > word.size() && rest[word.size()] != '(' && !blanks.contains(rest[word.size()]))
            return false;
        at_ += word.size();
        return true;
    }
    std::string_view until_any(std::string_view ends) {
        skip_blanks();
        const std::size_t start = at_;
        at_ = std::min(text_.find_first_of(ends, start), text_.size());
        return text_.substr(start, at_ - start);
    }

    Parsed any_of(int depth) { return joined(LogicKind::any, depth, "or", "||", &LogicParser::all_of); }
    Parsed all_of(int depth) { return joined(LogicKind::all, depth, "and", "&&", &LogicParser::unary); }

    Parsed joined(LogicKind kind, int depth, std::string_view word, std::string_view symbol,
                  Parsed (LogicParser::*part)(int)) {
        auto first = (this->*part)(depth);
        if (!first) return first;
        auto node = std::make_unique<LogicNode>();
        node->kind = kind;
        node->parts.push_back(std::move(*first));
        while (take_word(word) || take(symbol)) {
            auto next = (this->*part)(depth);
            if (!next) return next;
            node->parts.push_back(std::move(*next));
        }
        return node->parts.size() == 1 ? std::move(node->parts.front()) : std::move(node);
    }

    Parsed unary(int depth) {
        if (depth >= LogicCondition::max_depth) return error("the condition is nested too deeply");
        if (take_word("not") || take("!")) {
            auto inner = unary(depth + 1);
            if (!inner) return inner;
            auto node = std::make_unique<LogicNode>();
            node->kind = LogicKind::negation;
            node->parts.push_back(std::move(*inner));
            return node;
        }
        if (!take("(")) return comparison();
        auto inner = any_of(depth + 1);
        if (inner && !take(")")) return error("expected `)`");
        return inner;
    }

    Parsed comparison() {
        auto node = std::make_unique<LogicNode>();
        node->variable = until_any(" \t\r\f\v()=!<>\"");
        if (node->variable.empty()) return error("expected the name of a variable");
        for (const std::string_view op : {"==", "!=", "<=", ">=", "=", "<", ">"})
            if (take(op)) {
                node->op = op == "=" ? "==" : op;
                break;
            }
        if (node->op.empty()) return error("expected ==, !=, <, <=, > or >=");
        if (take("\"")) {
            const std::size_t end = text_.find('"', at_);
            if (end == std::string_view::npos) return error("expected a closing quote");
            node->value = std::string(text_.substr(at_, end - at_));
            at_ = end + 1;
        } else {
            const std::string_view word = until_any(" \t\r\f\v()\"");
            if (word.empty()) return error("expected a value");
            if (const auto number = number_in(word))
                node->value = *number;
            else
                node->value = std::string(word);
        }
        variables_.insert(node->variable);
        return node;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::set<std::string> variables_;
};

}  // namespace

LogicCondition::LogicCondition(std::string text, std::unique_ptr<Node> root, std::set<std::string> variables)
    : text_(std::move(text)), root_(std::move(root)), variables_(std::move(variables)) {}
LogicCondition::LogicCondition(LogicCondition&&) noexcept = default;
LogicCondition& LogicCondition::operator=(LogicCondition&&) noexcept = default;
LogicCondition::~LogicCondition() = default;

Result<LogicCondition> LogicCondition::parse(std::string_view text) {
    LogicParser parser(text);
    auto root = parser.parse();
    if (!root) return fail(std::move(root.error()));
    return LogicCondition(std::string(text), std::move(*root), parser.take_variables());
}

bool LogicCondition::holds(const ValueOf& value_of) const { return node_holds(*root_, value_of); }

}  // namespace caribou::bus
