#pragma once

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// Lends its conditions, modifiers and name to one child.
///
/// | child                          | the pass-through                          |
/// |--------------------------------|-------------------------------------------|
/// | wants when it is activated     | delegates to it                           |
/// | does not want then             | failed: the child's reason                |
/// | ended                          | ends in the same tick with the same       |
/// |                                | outcome                                   |
class PassThrough final : public Dispatcher {
public:
    using Dispatcher::Dispatcher;

    /// The one child; a second is refused.
    Result<void> add(Behavior& child);

protected:
    void choose(Control& control, const Outcome* ended) override;
};

}  // namespace caribou::behavior
