#pragma once

#include <map>
#include <string>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {

/// Generator for tests: draws any plan that the classes of a registry allow, numbered and named as by
/// TreeReader, and without anything that check_tree() would report. Works only inside a property of
/// rapidcheck.
class ArbitraryTree {
public:
    /// `classes` must outlive it.
    explicit ArbitraryTree(const ClassRegistry& classes);
    /// Returns a new random plan.
    TreePlan draw();

private:
    void draw_entry(std::string id, const std::string& class_name, int depth);
    void draw_children(std::size_t entry, int depth);
    std::string draw_id(std::size_t parent, const std::string& class_name,
                        std::map<std::string, std::size_t>& anonymous);
    void connect_states(TreeEntry& machine);

    ParameterValues draw_values(const std::vector<Parameter>& parameters, int depth);
    ParameterValue draw_value(const Parameter& parameter, int depth);
    ParameterValue draw_parts(const Parameter& parameter, int depth);
    template <class Class>
    PartPlan draw_part(const ClassRegistry::Classes<Class>& classes, const std::string& leaf, int depth);

    const ClassRegistry& classes_;
    std::vector<std::string> names_;
    TreePlan plan_;
};

}  // namespace caribou::behavior
