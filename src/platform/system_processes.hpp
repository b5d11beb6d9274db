#pragma once

#include "loop/process.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Real processes. Each leads its own process group, so that Ctrl-C only reaches this process, and a kill
/// reaches all descendants. If this process dies, the kernel kills them. Must only be called from the loop's
/// thread.
class SystemProcesses final : public Processes {
public:
    explicit SystemProcesses(EventLoop& loop) : loop_(loop) {}

    /// Fails with not_found if there is no such program.
    Result<std::unique_ptr<Process>> start(const std::vector<std::string>& words,
                                           ProcessEvents& events) override;

private:
    EventLoop& loop_;
};

}  // namespace caribou
