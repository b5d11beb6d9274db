#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_node.hpp"
#include "base/text_fault.hpp"
#include "world/world_plan.hpp"

namespace caribou::world {

/// Extracts typed values from the nodes of a world file, and collects errors. Getters return nullopt for a
/// missing key or an invalid value; the latter is also recorded as a fault. The file must outlive the reader.
class PlanReader {
public:
    PlanReader(const NamedText& file, std::size_t max_faults);

    /// Parses the file and returns its root table, or nullptr if it is not valid TOML.
    const JsonNode* root();
    std::vector<TextFault> take_faults() { return faults_.take(); }
    bool has_faults() const { return !faults_.empty(); }
    void fault(const JsonNode& node, std::string message);

    /// Returns whether the node is a table, and records a fault if not. Also records a fault for each unknown
    /// key.
    bool is_table(const JsonNode& node, std::string_view owner, const std::vector<std::string>& keys);
    /// Returns the tables of the array `[[name]]`, which may be missing.
    std::vector<const JsonNode*> tables(const JsonNode& root, std::string_view name);

    std::optional<double> number(const JsonNode& table, std::string_view key, double least, double most);
    std::optional<std::string> text(const JsonNode& table, std::string_view key);
    std::optional<bool> truth(const JsonNode& table, std::string_view key);
    std::optional<Vec2> point(const JsonNode& table, std::string_view key);
    /// Reads a list of points. Returns an empty list if the key is missing.
    std::vector<Vec2> points(const JsonNode& table, std::string_view key);
    std::optional<Area> area(const JsonNode& table);
    /// Reads `at` and `heading` (in degrees).
    std::optional<Pose> pose(const JsonNode& table);
    /// Records a fault if the key is missing. Returns `value`.
    template <class Value>
    std::optional<Value> required(const JsonNode& table, std::string_view key, std::optional<Value> value) {
        if (!value && !table.find(key)) missing(table, key);
        return value;
    }
    std::optional<Fault> read_fault(const JsonNode& table);

private:
    void missing(const JsonNode& table, std::string_view key);
    void mismatch(const JsonNode& node, std::string_view wanted);

    const NamedText& file_;
    FaultList faults_;
    std::optional<JsonNode> root_;
};

}  // namespace caribou::world
