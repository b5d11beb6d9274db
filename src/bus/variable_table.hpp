#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace caribou::bus {

struct Variable;

/// A set of variables with a number for each. Adding, finding and removing take constant time. A small table
/// has no index, because most clients have few variables.
class VariableTable {
public:
    struct Entry {
        Variable* variable;
        std::size_t number;
    };

    /// Returns nullptr if the variable is not in the table. The pointer is valid until the next add or
    /// remove.
    Entry* find(const Variable& variable);
    /// Returns false if the variable is already in the table.
    bool add(Variable& variable, std::size_t number = 0);
    void remove(const Variable& variable);
    void clear();

    bool empty() const { return entries_.empty(); }
    std::size_t size() const { return entries_.size(); }
    /// In no particular order.
    const std::vector<Entry>& entries() const { return entries_; }

private:
    /// A larger table has an index.
    static constexpr std::size_t max_without_index = 16;

    std::size_t place_of(const Variable& variable) const;

    std::vector<Entry> entries_;
    /// positions in entries_; empty for a small table
    std::unordered_map<const Variable*, std::size_t> index_;
};

}  // namespace caribou::bus
