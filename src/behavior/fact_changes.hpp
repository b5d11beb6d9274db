#pragma once

#include <string>
#include <variant>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/fact_declaration.hpp"
#include "behavior/facts.hpp"
#include "behavior/value.hpp"

namespace caribou::behavior {

/// Changes of facts requested by actions. Facts are constant during a tick; the caller of tick() applies the
/// changes between two ticks.
class FactChanges {
public:
    void set(std::string fact, Value value) { changes_.push_back({std::move(fact), std::move(value)}); }
    /// An unknown fact, or one that is not a number, counts as 0.
    void add(std::string fact, double difference) { changes_.push_back({std::move(fact), Sum{difference}}); }
    /// Applies and removes all changes, in the order in which they were requested. Sums stay within the
    /// ranges that are declared.
    void apply_to(Facts& facts, const FactDeclarations& declared = {});

private:
    struct Sum {
        double difference;
    };
    struct Change {
        std::string fact;
        std::variant<Value, Sum> to;
    };
    std::vector<Change> changes_;
};

/// Registers the actions `{"set": "fact", "to": value}` and `{"add": number, "to": "fact"}`. They give trees
/// a memory, and a simulated world when a tree is tried without a robot. `changes` must outlive the actions.
void register_fact_actions(ClassRegistry& registry, FactChanges& changes);

}  // namespace caribou::behavior
