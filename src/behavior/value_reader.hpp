#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_node.hpp"
#include "behavior/class_registry.hpp"
#include "behavior/expression.hpp"
#include "behavior/parameter.hpp"
#include "behavior/tree_fault.hpp"
#include "behavior/tree_limits.hpp"

namespace caribou::behavior {

/// A JSON value and the file that contains it.
struct FileNode {
    const JsonNode& node;
    std::size_t file;

    Place place() const { return {file, node.offset}; }
    Place key_place() const { return {file, node.key_offset}; }
    FileNode item(std::size_t i) const { return {node.items[i], file}; }
};

/// The keys that an object may have.
struct ObjectShape {
    std::string owner{};  ///< for messages: `queue`
    std::vector<const Parameter*> parameters{};
    bool takes_anything = false;                ///< unknown keys are ignored
    std::vector<std::string> other_keys{};      ///< read elsewhere
    std::vector<std::string> elsewhere_keys{};  ///< keys that belong to the enclosing object: see elsewhere
    std::string elsewhere{};                    ///< advice for those keys
};

/// Converts JSON to values of parameters, conditions and actions, and reports all errors. Invalid parts are
/// left out of the result.
///
/// Conditions may refer to named conditions, which are copied to where they are used: each use has its own
/// state.
class ValueReader {
public:
    /// All arguments must outlive it.
    ValueReader(const ClassRegistry& classes, const TreeLimits& limits, FaultList& faults)
        : classes_(classes), limits_(limits), faults_(faults) {}

    /// Reads the object `conditions` of a file, with the names and definitions. Must be called before
    /// anything else is read.
    void define_conditions(FileNode conditions);
    /// Reads all named conditions, so that their errors are reported even if they are not used.
    void read_named_conditions();

    /// Returns the named conditions to which nothing that was read refers, and where they are defined.
    std::vector<std::pair<std::string, Place>> unused_conditions() const;

    /// Reads the object `facts` of a file. Must be called before anything that names a fact is read.
    void define_facts(FileNode facts);
    /// Returns the declarations of the files.
    const FactDeclarations& facts() const { return facts_; }

    /// Returns the declaration of a fact in the files or of the robot, or null.
    const FactDeclaration* find_declared(std::string_view name) const;

    ParameterValues read_object(FileNode object, const ObjectShape& shape);
    /// Returns nullopt after reporting an error.
    std::optional<ParameterValue> read_value(FileNode node, const Parameter& parameter);

private:
    struct Named {
        FileNode from;
        enum class State : std::uint8_t { unread, being_read, read } state = State::unread;
        std::optional<PartPlan> plan{};
        bool used = false;  ///< something refers to it
    };

    std::nullopt_t mismatch(FileNode node, const Parameter& parameter);
    std::optional<ParameterValue> read_number(FileNode node, const Parameter& parameter);
    std::optional<ParameterValue> read_word(FileNode node, const Parameter& parameter);
    std::optional<ParameterValue> read_duration(FileNode node, const Parameter& parameter);
    std::optional<ParameterValue> read_texts(FileNode node, const Parameter& parameter);
    std::optional<ParameterValue> read_scalar(FileNode node, const Parameter& parameter);
    std::optional<ParameterValue> read_records(FileNode node, const Parameter& parameter);
    std::optional<ParameterValue> read_parts(FileNode node, const Parameter& parameter);
    // Facts: fact_reader.cpp.
    void define_fact(FileNode item);
    std::optional<FactDeclaration> read_declaration(FileNode item);
    std::optional<ParameterValue> read_fact(FileNode node, const Parameter& parameter);
    std::optional<ParameterValue> read_expression(FileNode node, const Parameter& parameter);
    /// Returns the type of the result of a valid expression; nullopt: any.
    std::optional<FactDeclaration::Type> type_of_expression(std::string_view text) const;
    Expression::FindType find_type() const;
    /// Reports an expression whose result does not fit the fact to which it belongs.
    void check_type(const std::string& fact, const FactDeclaration& declared, const std::string& parameter,
                    FileNode object, const ParameterValues& values);
    /// Returns why there is no fact of this name, with a suggestion.
    std::string no_fact(std::string_view name) const;
    /// Reports values of an object that do not fit the facts that it names.
    void check_facts(FileNode object, const ObjectShape& shape, const ParameterValues& values);
    void report_unknown_key(FileNode item, const ObjectShape& shape);

    // Conditions and actions: part_reader.cpp.
    std::optional<PartPlan> read_condition(FileNode node);
    std::optional<PartPlan> read_action(FileNode node);
    std::optional<PartPlan> read_condition_name(FileNode node);
    std::optional<PartPlan> read_named(FileNode node, Named& named);
    template <class Class>
    std::optional<PartPlan> read_part(FileNode node, const ClassRegistry::Classes<Class>& classes,
                                      std::string_view word);
    template <class Class>
    std::optional<PartPlan> read_part_name(FileNode node, const ClassRegistry::Classes<Class>& classes,
                                           std::string_view word, std::vector<std::string> known);
    bool count_parts(FileNode node, std::size_t parts, std::size_t depth);

    const ClassRegistry& classes_;
    const TreeLimits& limits_;
    FaultList& faults_;
    std::map<std::string, Named, std::less<>> named_;
    FactDeclarations facts_;
    std::size_t parts_ = 0;
    std::size_t depth_ = 0;
};

}  // namespace caribou::behavior
