#include "behavior/tree_builder.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

#include <fmt/format.h>

#include "behavior/engine_classes.hpp"
#include "behavior/entry_parameters.hpp"

namespace caribou::behavior {

TreeBuilder::TreeBuilder(const TreePlan& plan, const ClassRegistry& classes)
    : plan_(plan), classes_(classes), entry_parameters_(entry_parameters()) {}

std::unique_ptr<BehaviorTree> TreeBuilder::build() {
    tree_ = std::make_unique<BehaviorTree>();
    made_.assign(plan_.entries.size(), nullptr);
    for (std::size_t entry = 0; entry < plan_.entries.size(); ++entry) made_[entry] = make(entry);
    if (std::ranges::find(made_, nullptr) != made_.end()) return std::move(tree_);
    for (std::size_t entry = 0; entry < plan_.entries.size(); ++entry) {
        link(entry);
        declare(entry);
    }
    return std::move(tree_);
}

template <class UserCode>
void TreeBuilder::contain(std::size_t entry, UserCode code) {
    const auto note = [&](std::string_view why) {
        failures_.push_back(
            {entry, fmt::format("`{}` cannot be made: {}", plan_.entries[entry].class_name, why)});
    };
    try {
        if (const Result<void> done = code(); !done) note(done.error().message);
    } catch (const std::exception& thrown) {
        note(thrown.what());
        // tidy: allow catch: user code may throw anything, and nothing of it may end the program
    } catch (...) {
        note("its code threw something that is not a std::exception");
    }
}

Behavior* TreeBuilder::make(std::size_t entry) {
    const TreeEntry& planned = plan_.entries[entry];
    const BehaviorClass& its_class = classes_.behaviors().at(planned.class_name);
    Behavior* added = nullptr;
    contain(entry, [&]() -> Result<void> {
        auto made = its_class.make(planned.id, Arguments(planned.values, its_class.parameters, classes_));
        if (!made) return fail(Code::refused, "its maker returned nothing");
        if (made->id() != planned.id)
            return fail(Code::refused, fmt::format("its maker gave it the id `{}`", made->id()));
        auto result = tree_->add(std::move(made));
        if (!result) return fail(std::move(result.error()));
        added = *result;
        return {};
    });
    return added;
}

void TreeBuilder::link(std::size_t entry) {
    const TreeEntry& planned = plan_.entries[entry];
    if (planned.children.empty()) return;
    const BehaviorClass& its_class = classes_.behaviors().at(planned.class_name);
    std::vector<LinkedChild> children;
    for (const ChildPlan& child : planned.children)
        children.push_back(
            {*made_[child.entry], Arguments(child.values, its_class.child_parameters, classes_)});
    contain(entry, [&] { return its_class.link(*made_[entry], children); });
}

void TreeBuilder::declare(std::size_t entry) {
    const TreeEntry& planned = plan_.entries[entry];
    const BehaviorClass& its_class = classes_.behaviors().at(planned.class_name);
    contain(entry, [&]() -> Result<void> {
        OperationModifiers modifiers = made_[entry]->modifiers();
        modifiers.ensures.insert(modifiers.ensures.end(), its_class.ensures.begin(), its_class.ensures.end());
        modifiers.needs_ensured.insert(modifiers.needs_ensured.end(), its_class.needs_ensured.begin(),
                                       its_class.needs_ensured.end());
        const auto* wants = given<std::vector<PartPlan>>(planned.values, "wants");
        if (wants && std::ranges::find(*wants, always_word, &PartPlan::class_name) != wants->end())
            modifiers.asks_delegates = false;
        if (const auto* requirement = given<std::string>(planned.values, "requirement"))
            std::ranges::move(classes_.needs_of(*requirement), std::back_inserter(modifiers.needs_ensured));
        if (auto declared = made_[entry]->declare(std::move(modifiers)); !declared) return declared;
        return declare_entry(*made_[entry], Arguments(planned.values, entry_parameters_, classes_));
    });
}

}  // namespace caribou::behavior
