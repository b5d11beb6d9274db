#include "behavior/tree.hpp"

#include "base/check.hpp"

namespace caribou::behavior {

Result<Behavior*> BehaviorTree::add(std::unique_ptr<Behavior> behavior) {
    if (behavior->id().empty()) return fail(Code::invalid_argument, "a behavior needs an id");
    if (by_id_.contains(behavior->id()))
        return fail(Code::already_exists, "there are two behaviors with the id " + behavior->id());
    Behavior& added = *behavior;
    added.standing_.number = static_cast<std::uint32_t>(behaviors_.size());
    behaviors_.push_back(std::move(behavior));
    by_id_.emplace(added.id(), &added);
    return &added;
}

void BehaviorTree::add_or_break(std::unique_ptr<Behavior> behavior) {
    check(add(std::move(behavior)).has_value(), "ids in a tree are unique and not empty");
}

Behavior* BehaviorTree::find(std::string_view id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
}

bool BehaviorTree::owns(const Behavior& behavior) const {
    return behavior.number() < behaviors_.size() && behaviors_[behavior.number()].get() == &behavior;
}

}  // namespace caribou::behavior
