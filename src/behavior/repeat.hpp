#pragma once

#include <cstddef>

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// Runs one child `times` times, or without end if 0. At most one round starts per tick. Declares the repeat,
/// so that it does not count as a cycle.
///
/// | child                         | the repeat                                 |
/// |-------------------------------|--------------------------------------------|
/// | does not want                 | ends; waits if it is the base              |
/// | succeeded, rounds are left    | starts the next in the next tick           |
/// | succeeded in the last round   | ends as succeeded                          |
/// | failed or cancelled           | ends with the same outcome                 |
class Repeat final : public Dispatcher {
public:
    Repeat(std::string id, std::size_t times);

    /// Sets the child. Fails with already_exists if there is one.
    Result<void> add(Behavior& child);

protected:
    void on_begin(Control& control) override;
    void choose(Control& control, const Outcome* ended) override;

private:
    std::size_t times_;
    std::size_t done_ = 0;
};

}  // namespace caribou::behavior
