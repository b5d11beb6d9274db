#include "child/control_group.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <gtest/gtest.h>

#include "child/program.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {
namespace {

std::string unified_hierarchy() {
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        if (line.find(" - cgroup2 ") == std::string::npos) continue;
        std::istringstream words(line);
        std::string word;
        for (int i = 0; i < 5; ++i) words >> word;
        return word;
    }
    return {};
}

std::string text_in(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

ControlGroup::ControlGroup()
    : mount_(unified_hierarchy()), folder_(mount_ + "/caribou-test-" + std::to_string(::getpid())) {
    EXPECT_FALSE(mount_.empty()) << "this test needs control groups of version 2: mount cgroup2";
    std::error_code failed;
    std::filesystem::create_directory(folder_, failed);
    EXPECT_FALSE(failed) << "this test needs the right to make a control group: " << folder_ << ": "
                         << failed.message();
}

ControlGroup::~ControlGroup() {
    std::error_code ignored;
    std::ofstream(folder_ + "/robot/cgroup.freeze") << "0";
    for (const std::string below : {"/robot/driver", "/robot", "/guard", ""}) {
        std::istringstream left(text_in(folder_ + below + "/cgroup.procs"));
        for (std::string process; left >> process;) std::ofstream(mount_ + "/cgroup.procs") << process;
        std::filesystem::remove(folder_ + below, ignored);
    }
}

void ControlGroup::enter() {
    // "0::/path" is the line of the unified hierarchy.
    std::istringstream groups(text_in("/proc/self/cgroup"));
    for (std::string line; std::getline(groups, line);)
        if (line.starts_with("0::")) home_ = mount_ + line.substr(3);
    std::ofstream(folder_ + "/cgroup.procs") << "0" << std::flush;
}

void ControlGroup::leave() const { std::ofstream(home_ + "/cgroup.procs") << "0" << std::flush; }

bool ControlGroup::freeze(const std::string& below, bool frozen) const {
    std::ofstream(folder_ + "/" + below + "/cgroup.freeze") << (frozen ? "1" : "0");
    const std::string confirmed = frozen ? "frozen 1" : "frozen 0";
    const SystemClock clock;
    for (const Instant end = clock.now() + limit; clock.now() < end;)
        if (text_in(folder_ + "/" + below + "/cgroup.events").find(confirmed) != std::string::npos)
            return true;
    return false;
}

}  // namespace caribou::tests
