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

/// Owns the behaviors of one robot, in the order of declaration. That order, never an address,
/// decides wherever the engine has to put behaviors in a row.
class BehaviorTree {
public:
    /// Gives it the next number. already_exists: the id is taken; invalid_argument: it is empty.
    Result<Behavior*> add(std::unique_ptr<Behavior> behavior);

    /// For trees that are written in code, where a double id is a mistake of the programmer.
    template <class T, class... Arguments>
    T& emplace(Arguments&&... arguments) {
        auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
        T& behavior = *made;
        add_or_break(std::move(made));
        return behavior;
    }

    /// Null: no such id.
    Behavior* find(std::string_view id) const;
    /// Whether it is one of this tree's, and not of another.
    bool owns(const Behavior& behavior) const;

    std::size_t size() const { return behaviors_.size(); }
    Behavior& operator[](std::size_t number) const { return *behaviors_[number]; }

private:
    void add_or_break(std::unique_ptr<Behavior> behavior);

    std::vector<std::unique_ptr<Behavior>> behaviors_;
    std::map<std::string_view, Behavior*> by_id_;
};

}  // namespace caribou::behavior
