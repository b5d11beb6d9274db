#pragma once

#include <memory>

#include "loop/loop.hpp"

namespace caribou::sim {

/// A loop that can hang, like a thread that waits for a disk or a lock. Tasks posted meanwhile run
/// afterwards, in order, and timers that were due fire then. Uses another loop, which must outlive it.
class HangingLoop final : public Loop {
public:
    explicit HangingLoop(Loop& below);
    ~HangingLoop() override;

    void set_hanging(bool hangs);
    bool hangs() const;

    const Clock& clock() const override { return below_.clock(); }
    void post(Task task) override;
    std::unique_ptr<Timer> make_timer(Task on_due) override;

private:
    struct State;
    class HangingTimer;

    Loop& below_;
    std::shared_ptr<State> state_;
};

}  // namespace caribou::sim
