#include "behavior/facts.hpp"

#include <utility>

namespace caribou::behavior {

void Facts::set(std::string_view name, Value value) {
    std::optional<Value>& known = values_[number_of(name)];
    if (!known) ++names_version_;
    known = std::move(value);
}

void Facts::clear(std::string_view name) {
    const auto found = numbers_.find(name);
    if (found == numbers_.end() || !values_[found->second]) return;
    values_[found->second].reset();
    ++names_version_;
}

const Value* Facts::find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? nullptr : find(found->second);
}

bool Facts::holds(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found != numbers_.end() && holds(found->second);
}

Facts::Number Facts::number_of(std::string_view name) const {
    if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
    const auto number = static_cast<Number>(values_.size());
    values_.emplace_back();
    numbers_.emplace(name, number);
    return number;
}

bool Facts::holds(Number number) const {
    const Value* value = find(number);
    const bool* truth = value ? std::get_if<bool>(value) : nullptr;
    return truth && *truth;
}

std::vector<std::string> Facts::names() const {
    std::vector<std::string> known;
    for (const auto& [name, number] : numbers_)
        if (values_[number]) known.push_back(name);
    return known;
}

}  // namespace caribou::behavior
