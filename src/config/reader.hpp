#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_node.hpp"
#include "base/text_fault.hpp"
#include "config/schema.hpp"

namespace caribou::config {

/// Reads the TOML of a configuration file into the places of its keys. Every error is reported with its
/// position; a key with an error keeps its default.
class Reader {
public:
    /// A table of names that the schema does not list, such as one of addresses by robot.
    struct Table {
        std::string name;
        std::function<void(const JsonNode&)> read;
    };

    /// All arguments must outlive this object. The places are those of the keys, in the same order.
    Reader(const NamedText& file, std::span<const Key> keys, std::span<const Place> places,
           std::vector<Table> tables = {});

    void read();
    /// Reports an error at a key that was read, or at the start of the file if it was not given.
    void fault_at_key(std::string_view full_name, std::string message);
    void fault_at(std::size_t offset, std::string message);
    /// Returns the line of each key, in the order of the schema; 0 if it was not given.
    std::vector<std::size_t> lines() const;
    /// Returns the column of each value, from 1 and in characters; 0 if it was not given.
    std::vector<std::size_t> columns() const;
    /// Returns all errors in order of their position, and clears them.
    std::vector<TextFault> take_faults() { return faults_.take(); }

private:
    void read_table(const JsonNode& table, const std::string& section);
    void read_key(const JsonNode& node, const std::string& section);
    bool is_section(std::string_view name) const;
    void refuse(const JsonNode& node, const std::string& section);

    const NamedText& file_;
    std::span<const Key> keys_;
    std::span<const Place> places_;
    std::vector<Table> tables_;
    std::vector<std::optional<std::size_t>> offsets_;  ///< of the values
    FaultList faults_;
};

/// Stores a value; a list of one value counts as the value, and a text as a list of it. Returns what was
/// expected if the value is invalid, and an empty text otherwise.
std::string put(const Key& key, const Place& place, const JsonNode& node);

/// Returns the number of the line that has the byte at this offset, from 1.
std::size_t line_of(std::string_view text, std::size_t offset);

}  // namespace caribou::config
