#pragma once

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// Adds conditions, modifiers and a name of its own to one child.
///
/// | child                          | the pass-through                          |
/// |--------------------------------|-------------------------------------------|
/// | wants when it is activated     | delegates to it                           |
/// | does not want then             | ends as failed, with the child's reason   |
/// | ended                          | ends in the same tick with the same       |
/// |                                | outcome                                   |
class PassThrough final : public Dispatcher {
public:
    using Dispatcher::Dispatcher;

    /// Sets the child. Fails with already_exists if there is one.
    Result<void> add(Behavior& child);

protected:
    void choose(Control& control, const Outcome* ended) override;
};

}  // namespace caribou::behavior
