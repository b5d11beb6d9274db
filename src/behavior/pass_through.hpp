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
/// |                                | outcome, or the one that a derived class  |
/// |                                | returns for it                            |
class PassThrough : public Dispatcher {
public:
    using Dispatcher::Dispatcher;

    /// Sets the child. Fails with already_exists if there is one.
    Result<void> add(Behavior& child);

protected:
    /// Returns the outcome with which it ends after the child has ended.
    virtual Outcome result_of(const Outcome& ended) const { return ended; }
    void choose(Control& control, const Outcome* ended) override;
};

}  // namespace caribou::behavior
