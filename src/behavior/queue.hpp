#pragma once

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// Runs its children one after the other, each at most once.
///
/// | current child                       | the queue                                           |
/// |-------------------------------------|-----------------------------------------------------|
/// | does not want                       | skips it                                            |
/// | has no answer yet                   | waits                                               |
/// | succeeded or cancelled              | continues with the next, in the same tick           |
/// | failed, when_failed = go_on         | continues with the next, in the same tick           |
/// | failed, when_failed = end           | ends as failed, with that reason                    |
/// | none left, at least one has run     | ends as succeeded                                   |
/// | none left, none has run             | ends as failed: no child wanted to be activated     |
class Queue final : public Dispatcher {
public:
    enum class WhenFailed : std::uint8_t { go_on, end };
    explicit Queue(std::string id, WhenFailed when_failed = WhenFailed::go_on)
        : Dispatcher(std::move(id)), when_failed_(when_failed) {}

    void add(Behavior& child) { add_child(child); }

protected:
    void on_begin(Control& control) override;
    void choose(Control& control, const Outcome* ended) override;

private:
    WhenFailed when_failed_;
    std::size_t next_ = 0;
    bool one_ran_ = false;
};

}  // namespace caribou::behavior
