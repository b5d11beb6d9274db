#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "behavior/behavior.hpp"

namespace caribou::behavior {

/// Owns the behaviors of one robot, in the order of declaration. Wherever the engine has to order behaviors
/// it uses that order, never their addresses.
class BehaviorTree {
public:
    /// Assigns the next number. Returns the behavior. Fails with already_exists if the id is taken, and with
    /// invalid_argument if it is empty.
    Result<Behavior*> add(std::unique_ptr<Behavior> behavior);

    /// For trees that are built in code, where a duplicate id is a programming error.
    template <class T, class... Arguments>
    T& emplace(Arguments&&... arguments) {
        auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
        T& behavior = *made;
        add_or_break(std::move(made));
        return behavior;
    }

    /// Returns null if there is no such id.
    Behavior* find(std::string_view id) const;
    /// Returns whether the behavior is in this tree.
    bool owns(const Behavior& behavior) const;

    std::size_t size() const { return behaviors_.size(); }
    Behavior& operator[](std::size_t number) const { return *behaviors_[number]; }

private:
    void add_or_break(std::unique_ptr<Behavior> behavior);

    std::vector<std::unique_ptr<Behavior>> behaviors_;
    std::map<std::string_view, Behavior*> by_id_;
};

}  // namespace caribou::behavior
