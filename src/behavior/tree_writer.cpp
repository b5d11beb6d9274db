#include "behavior/tree_writer.hpp"

#include <numeric>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "loop/duration_text.hpp"

namespace caribou::behavior {
namespace {

/// Children nested deeper than this are written as separate entries, if possible.
constexpr std::size_t max_inline_depth = 20;

std::string values_text(const ParameterValues& values);

/// Returns a part as JSON. A part that consists only of a name is a text.
std::string part_text(const PartPlan& part) {
    if (!part.class_name.empty() && part.values.empty()) return json_quoted(part.class_name);
    // The key that names the class comes first; otherwise another key could be mistaken for it.
    ParameterValues rest = part.values;
    std::string text = "{";
    if (auto head = rest.extract(part.class_name)) {
        text += values_text({{head.key(), head.mapped()}});
        if (!rest.empty()) text += ", ";
    }
    return text + values_text(rest) + "}";
}

struct ValueText {
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return json_quoted(text); }
    std::string operator()(Duration duration) const { return json_quoted(duration_text(duration)); }
    std::string operator()(const std::vector<std::string>& texts) const { return list(texts, json_quoted); }
    /// A single condition or action is written without a list, which some parameters do not accept.
    std::string operator()(const std::vector<PartPlan>& parts) const {
        const bool is_bare = parts.size() == 1 && !parts.front().class_name.empty();
        return is_bare ? part_text(parts.front()) : list(parts, part_text);
    }

    template <class T, class ToText>
    static std::string list(const std::vector<T>& items, ToText to_text) {
        std::string text = "[";
        for (const T& item : items) text += (text.size() > 1 ? ", " : "") + to_text(item);
        return text + "]";
    }
};

std::string values_text(const ParameterValues& values) {
    std::string text;
    for (const auto& [name, value] : values)
        text += (text.empty() ? "" : ", ") + json_quoted(name) + ": " + std::visit(ValueText{}, value);
    return text;
}

/// Returns the declaration of a fact as JSON.
std::string fact_text(const FactDeclaration& fact) {
    std::string text = fmt::format("{{\"type\": \"{}\"", to_string(fact.type));
    if (fact.fallback) text += ", \"default\": " + std::visit(ValueText{}, *fact.fallback);
    if (!fact.unit.empty()) text += ", \"unit\": " + json_quoted(fact.unit);
    if (fact.min > -FactDeclaration::unbounded) text += fmt::format(", \"min\": {}", fact.min);
    if (fact.max < FactDeclaration::unbounded) text += fmt::format(", \"max\": {}", fact.max);
    if (fact.is_kept) text += ", \"keep\": true";
    if (!fact.about.empty()) text += ", \"about\": " + json_quoted(fact.about);
    return text + "}";
}

class PlanWriter {
public:
    explicit PlanWriter(const TreePlan& plan) : plan_(plan), inside_(plan.entries.size() + 1) {
        for (std::size_t i = 0; i < plan.entries.size(); ++i)
            for (const ChildPlan& child : plan.entries[i].children)
                if (plan.entries[child.entry].is_anonymous() && child.entry > i) {
                    ++inside_[i + 1];
                    --inside_[child.entry + 1];
                }
        std::partial_sum(inside_.begin(), inside_.end(), inside_.begin());
    }

    std::string write() {
        text_ = fmt::format("{{\n  \"base\": {},\n", json_quoted(plan_.entries[plan_.base].id));
        std::string facts;
        for (const auto& [name, fact] : plan_.facts)
            facts +=
                fmt::format("{}\n    {}: {}", facts.empty() ? "" : ",", json_quoted(name), fact_text(fact));
        if (!facts.empty()) text_ += "  \"facts\": {" + facts + "\n  },\n";
        text_ += "  \"behaviors\": [";
        while (next_ < plan_.entries.size()) {
            text_ += next_ > 0 ? ",\n    " : "\n    ";
            write_next(2);
        }
        return std::move(text_) + "\n  ]\n}\n";
    }

private:
    void write_next(std::size_t depth) {
        const TreeEntry& entry = plan_.entries[next_++];
        text_ += "{\"class\": " + json_quoted(entry.class_name);
        if (!entry.is_anonymous()) text_ += ", \"id\": " + json_quoted(entry.id);
        if (!entry.values.empty()) text_ += ", " + values_text(entry.values);
        if (!entry.children.empty()) {
            text_ += ", \"children\": [";
            for (const ChildPlan& child : entry.children) {
                text_ += (&child == entry.children.data() ? "\n" : ",\n") + std::string(2 * depth + 2, ' ');
                write_child(child, depth + 1);
            }
            text_ += "]";
        }
        text_ += "}";
    }

    void write_child(const ChildPlan& child, std::size_t depth) {
        if (!child.values.empty()) text_ += "{" + values_text(child.values) + ", \"child\": ";
        const TreeEntry& entry = plan_.entries[child.entry];
        if (child.entry == next_ && (inside_[next_] > 0 || depth < max_inline_depth))
            write_next(depth);
        else
            text_ += json_quoted(entry.id);
        if (!child.values.empty()) text_ += "}";
    }

    const TreePlan& plan_;
    std::string text_;
    std::size_t next_ = 0;
    /// By entry: the number of intervals between a parent and one of its anonymous children that contain the
    /// entry, including those that end with it. If it is not 0, the entry must be written inside its parent
    /// to preserve the order.
    std::vector<int> inside_;
};

}  // namespace

std::string write_tree(const TreePlan& plan) { return PlanWriter(plan).write(); }

}  // namespace caribou::behavior
