#include "behavior/delegate_set.hpp"

#include <algorithm>

namespace caribou::behavior {

void DelegateSet::insert(Behavior& delegate) {
    if (!contains(delegate)) members_.push_back(&delegate);
}

bool DelegateSet::contains(const Behavior& delegate) const {
    return std::ranges::find(members_, &delegate) != members_.end();
}

}  // namespace caribou::behavior
