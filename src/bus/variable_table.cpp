#include "bus/variable_table.hpp"

#include <algorithm>

namespace caribou::bus {

std::size_t VariableTable::place_of(const Variable& variable) const {
    if (index_.empty())
        return static_cast<std::size_t>(std::ranges::find(entries_, &variable, &Entry::variable) -
                                        entries_.begin());
    const auto found = index_.find(&variable);
    return found == index_.end() ? entries_.size() : found->second;
}

VariableTable::Entry* VariableTable::find(const Variable& variable) {
    const std::size_t place = place_of(variable);
    return place == entries_.size() ? nullptr : &entries_[place];
}

bool VariableTable::add(Variable& variable, std::size_t number) {
    if (find(variable)) return false;
    entries_.push_back({&variable, number});
    if (!index_.empty())
        index_.emplace(&variable, entries_.size() - 1);
    else if (entries_.size() > max_without_index)
        for (std::size_t place = 0; place < entries_.size(); ++place)
            index_.emplace(entries_[place].variable, place);
    return true;
}

void VariableTable::remove(const Variable& variable) {
    const std::size_t place = place_of(variable);
    if (place == entries_.size()) return;
    if (!index_.empty()) {
        index_[entries_.back().variable] = place;
        index_.erase(&variable);
    }
    entries_[place] = entries_.back();
    entries_.pop_back();
}

void VariableTable::clear() {
    entries_.clear();
    index_.clear();
}

}  // namespace caribou::bus
