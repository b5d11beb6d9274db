#pragma once

#include <cstddef>
#include <vector>

namespace caribou::behavior {

class Behavior;

/// The behaviors to which another might delegate, in the order of declaration and without duplicates:
/// inserting one again has no effect.
class DelegateSet {
public:
    void insert(Behavior& delegate);
    bool contains(const Behavior& delegate) const;
    void clear() { members_.clear(); }
    /// Removes all members for which `keeps(const Behavior&)` returns false.
    template <class Keeps>
    void keep_if(Keeps keeps) {
        std::erase_if(members_, [&](const Behavior* member) { return !keeps(*member); });
    }

    std::size_t size() const { return members_.size(); }
    bool empty() const { return members_.empty(); }
    Behavior& operator[](std::size_t i) const { return *members_[i]; }
    auto begin() const { return members_.begin(); }
    auto end() const { return members_.end(); }

private:
    std::vector<Behavior*> members_;
};

}  // namespace caribou::behavior
