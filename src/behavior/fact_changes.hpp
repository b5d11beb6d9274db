#pragma once

#include <string>
#include <variant>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/facts.hpp"
#include "behavior/value.hpp"

namespace caribou::behavior {

/// What actions want to change in the facts. Facts stay as they are during a tick; whoever runs the
/// ticks applies the changes between two of them.
class FactChanges {
public:
    void set(std::string fact, Value value) { changes_.push_back({std::move(fact), std::move(value)}); }
    /// A fact that is not known, or is no number, counts as 0.
    void add(std::string fact, double difference) { changes_.push_back({std::move(fact), Sum{difference}}); }
    /// In the order in which they were asked for.
    void apply_to(Facts& facts);

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

/// The actions `{"set": "fact", "to": value}` and `{"add": number, "to": "fact"}`: a memory for trees,
/// and a world for trees that are tried without a robot. The changes outlive what is made.
void register_fact_actions(ClassRegistry& registry, FactChanges& changes);

}  // namespace caribou::behavior
