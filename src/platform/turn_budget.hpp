#pragma once

#include <memory>

#include "loop/loop.hpp"

namespace caribou {

/// Limits how often an expensive operation is performed per turn of the loop.
class TurnBudget {
public:
    TurnBudget(Loop& loop, int most) : loop_(loop), most_(most) {}

    /// Returns false if the budget of this turn is used up.
    bool take() {
        if (*taken_ == 0) loop_.post([taken = taken_] { *taken = 0; });
        if (*taken_ >= most_) return false;
        ++*taken_;
        return true;
    }

private:
    Loop& loop_;
    int most_;
    std::shared_ptr<int> taken_ = std::make_shared<int>(0);
};

}  // namespace caribou
