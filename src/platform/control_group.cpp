#include "platform/control_group.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>

#include "platform/system_error.hpp"

namespace caribou {
namespace {

/// Returns where the unified hierarchy is mounted, or an empty text.
std::string unified_mount() {
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        const std::size_t dash = line.find(" - cgroup2 ");
        if (dash == std::string::npos) continue;
        std::istringstream words(line);
        std::string word;
        for (int i = 0; i < 5; ++i) words >> word;
        return word;
    }
    return {};
}

/// Returns the path of this process's group below the mount, or an empty text.
std::string own_group() {
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);)
        if (line.starts_with("0::")) return line.substr(3);
    return {};
}

Result<Descriptor> open_group(const std::string& folder) {
    if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) return fail(system_error(folder, errno));
    const std::string path = folder + "/cgroup.procs";
    Descriptor processes(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!processes) return fail(system_error(path, errno));
    return processes;
}

}  // namespace

Result<DriverGroup> DriverGroup::make(const std::string& folder) {
    auto processes = open_group(folder);
    if (!processes) return fail(std::move(processes.error()));
    DriverGroup group(std::move(*processes));
    group.kill_ = Descriptor(::open((folder + "/cgroup.kill").c_str(), O_WRONLY | O_CLOEXEC));
    if (!group.kill_) return fail(system_error(folder + "/cgroup.kill", errno));
    group.events_ = Descriptor(::open((folder + "/cgroup.events").c_str(), O_RDONLY | O_CLOEXEC));
    if (!group.events_) return fail(system_error(folder + "/cgroup.events", errno));
    return group;
}

void DriverGroup::kill() const {
    if (kill_) std::ignore = ::write(kill_.get(), "1", 1);
}

bool DriverGroup::is_populated() const {
    if (!events_) return false;
    std::array<char, 256> room{};
    const ssize_t size = ::pread(events_.get(), room.data(), room.size(), 0);
    return size > 0 && std::string_view(room.data(), static_cast<std::size_t>(size)).contains("populated 1");
}

Result<GuardGroups> make_guard_groups() {
    const std::string mount = unified_mount();
    const std::string group = own_group();
    if (mount.empty() || group.empty())
        return fail(Code::unavailable, "this machine has no control groups of version 2");
    const std::string folder = mount + (group == "/" ? "" : group);
    auto guard = open_group(folder + "/guard");
    if (!guard) return fail(std::move(guard.error()));
    auto robot = open_group(folder + "/robot");
    if (!robot) return fail(std::move(robot.error()));
    if (::write(guard->get(), "0", 1) != 1) return fail(system_error(folder + "/guard", errno));
    GuardGroups groups{.robot = std::move(*robot)};
    auto driver = DriverGroup::make(folder + "/robot/driver");
    if (!driver) {
        groups.complaint = driver.error().message;
        driver = DriverGroup(Descriptor(::fcntl(groups.robot.get(), F_DUPFD_CLOEXEC, 0)));
    }
    groups.driver = std::move(*driver);
    return groups;
}

}  // namespace caribou
