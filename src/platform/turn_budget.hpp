#pragma once

#include <memory>

#include "loop/loop.hpp"

namespace caribou {

/// How often something dear may be done in one turn of the loop, so that everybody else has their turn.
class TurnBudget {
public:
    TurnBudget(Loop& loop, int most) : loop_(loop), most_(most) {}

    /// False: not in this turn.
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
