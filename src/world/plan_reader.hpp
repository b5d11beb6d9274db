#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_node.hpp"
#include "base/text_fault.hpp"
#include "world/world_plan.hpp"

namespace caribou::world {

/// Takes the values of a world's file out of its nodes, and notes what is wrong with them.
class PlanReader {
public:
    PlanReader(const NamedText& file, std::size_t max_faults);

    /// The text as nodes. Null: it is no TOML.
    const JsonNode* root();
    std::vector<TextFault> take_faults() { return faults_.take(); }
    bool has_faults() const { return !faults_.empty(); }
    void fault(const JsonNode& node, std::string message);

    /// Notes keys that are not known, and whether it is a table at all.
    bool is_table(const JsonNode& node, std::string_view owner, const std::vector<std::string>& keys);
    /// The tables of `[[name]]`.
    std::vector<const JsonNode*> tables(const JsonNode& root, std::string_view name);

    std::optional<double> number(const JsonNode& table, std::string_view key, double least, double most);
    std::optional<std::string> text(const JsonNode& table, std::string_view key);
    std::optional<bool> truth(const JsonNode& table, std::string_view key);
    std::optional<Vec2> point(const JsonNode& table, std::string_view key);
    std::optional<Area> area(const JsonNode& table);
    /// `at` and `heading`, in degrees.
    std::optional<Pose> pose(const JsonNode& table);
    /// Notes that a key is missing.
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
