#pragma once

#include "loop/process.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Real programs. Each leads a process group of its own, so that Ctrl-C reaches only us and an end
/// reaches everything that it has started. Should this process vanish, the system ends them with it.
/// Standard input is empty. All calls come from the thread of the loop.
class SystemProcesses final : public Processes {
public:
    explicit SystemProcesses(EventLoop& loop) : loop_(loop) {}

    /// not_found: there is no such program.
    Result<std::unique_ptr<Process>> start(const std::vector<std::string>& words,
                                           ProcessEvents& events) override;

private:
    EventLoop& loop_;
};

}  // namespace caribou
