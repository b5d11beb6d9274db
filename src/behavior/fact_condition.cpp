#include "behavior/fact_condition.hpp"

#include <array>
#include <compare>
#include <utility>

namespace caribou::behavior {
namespace {

constexpr std::array<std::pair<Comparison, std::string_view>, 6> comparison_texts{{
    {Comparison::equal, "=="},
    {Comparison::unequal, "!="},
    {Comparison::less, "<"},
    {Comparison::at_most, "<="},
    {Comparison::greater, ">"},
    {Comparison::at_least, ">="},
}};

std::partial_ordering order_of(const Value& a, const Value& b) {
    if (a.index() != b.index()) return std::partial_ordering::unordered;
    return a <=> b;
}

}  // namespace

std::string_view to_string(Comparison comparison) {
    for (const auto& [known, text] : comparison_texts)
        if (known == comparison) return text;
    return "?";
}

std::optional<Comparison> comparison_from(std::string_view text) {
    for (const auto& [comparison, known] : comparison_texts)
        if (known == text) return comparison;
    return std::nullopt;
}

std::string FactCondition::describe() const {
    const bool* truth = std::get_if<bool>(&value_);
    if (truth && *truth && comparison_ == Comparison::equal) return fact_;
    return fact_ + " " + std::string(to_string(comparison_)) + " " + to_string(value_);
}

bool FactCondition::on_evaluate(const Moment& moment) {
    const Value* known = moment.facts.find(fact_number_);
    if (!known) return false;
    const std::partial_ordering order = order_of(*known, value_);
    switch (comparison_) {
        case Comparison::equal: return order == 0;
        case Comparison::unequal: return order != 0;
        case Comparison::less: return order < 0;
        case Comparison::at_most: return order <= 0;
        case Comparison::greater: return order > 0;
        case Comparison::at_least: return order >= 0;
    }
    return false;
}

}  // namespace caribou::behavior
