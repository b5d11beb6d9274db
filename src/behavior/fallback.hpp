#pragma once

#include <string>

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// Runs its children in order, until one succeeds.
///
/// | current child              | the fallback                                          |
/// |----------------------------|-------------------------------------------------------|
/// | does not want              | skips it                                              |
/// | has no answer yet          | waits                                                 |
/// | succeeded                  | ends as succeeded                                     |
/// | failed or cancelled        | continues with the next, in the same tick             |
/// | none is left               | ends with the outcome of the last that ran, or as     |
/// |                            | failed if none wanted control                         |
class Fallback final : public Dispatcher {
public:
    using Dispatcher::Dispatcher;

    void add(Behavior& child) { add_child(child); }

protected:
    void on_begin(Control&) override { next_ = 0; }
    void choose(Control& control, const Outcome* ended) override;

private:
    std::size_t next_ = 0;
};

}  // namespace caribou::behavior
