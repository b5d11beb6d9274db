#pragma once

#include <cstddef>

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// One child, `times` times; 0: without end. At most one round begins per tick. Declares the repeat,
/// so that it is no cycle.
///
/// | child                         | the repeat                                 |
/// |-------------------------------|--------------------------------------------|
/// | does not want                 | waits, and asks again in the next tick     |
/// | succeeded, rounds are left    | begins the next in the next tick           |
/// | succeeded, that was the last  | succeeded                                  |
/// | failed or cancelled           | ends with the same outcome                 |
class Repeat final : public Dispatcher {
public:
    Repeat(std::string id, std::size_t times);

    /// The one child; a second is refused.
    Result<void> add(Behavior& child);

protected:
    void on_begin(Control& control) override;
    void choose(Control& control, const Outcome* ended) override;

private:
    std::size_t times_;
    std::size_t done_ = 0;
};

}  // namespace caribou::behavior
