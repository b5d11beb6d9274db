#pragma once

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// Runs its children in order, as long as they succeed.
///
/// | current child              | the sequence                                     |
/// |----------------------------|--------------------------------------------------|
/// | does not want              | ends as failed, with the child's reason          |
/// | has no answer yet          | waits                                            |
/// | succeeded, others are left | continues with the next, in the same tick        |
/// | succeeded, none is left    | ends as succeeded                                |
/// | failed or cancelled        | ends with the same outcome                       |
///
/// It wants control if its first child does.
class Sequence final : public Dispatcher {
public:
    using Dispatcher::Dispatcher;

    void add(Behavior& child) { add_child(child); }

protected:
    Wants could_start(const View& view) const override;
    void on_begin(Control&) override { next_ = 0; }
    void choose(Control& control, const Outcome* ended) override;

private:
    std::size_t next_ = 0;
};

}  // namespace caribou::behavior
