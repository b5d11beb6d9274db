#pragma once

#include <string>

namespace caribou::tests {

/// A control group (v2) of the test's own, which can be frozen. Removed with the groups below it when it is
/// destroyed; their processes have to be gone or are moved to the group of the test. The test fails if the
/// machine does not allow it.
class ControlGroup {
public:
    ControlGroup();
    ~ControlGroup();
    ControlGroup(const ControlGroup&) = delete;
    ControlGroup& operator=(const ControlGroup&) = delete;

    const std::string& folder() const { return folder_; }
    /// Moves this process into the group, and back. Programs that it starts meanwhile stay in the group.
    void enter();
    void leave() const;
    /// Freezes or thaws the group `below`, and returns whether the kernel has confirmed it in time.
    bool freeze(const std::string& below, bool frozen) const;

private:
    std::string mount_;
    std::string folder_;
    std::string home_;  ///< group that this process left
};

}  // namespace caribou::tests
