#include "adapters/body/robot_lock.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/environment.hpp"
#include "platform/system_clock.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

constexpr const char* locks_variable = "CARIBOU_LOCKS";
/// /dev/null and its like, which any number of programs may use.
constexpr unsigned memory_devices = 1;

bool is_same_file(const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// Returns the descriptors that the process was started with.
std::vector<int> passed_descriptors() {
    std::vector<int> all;
    std::istringstream numbers(environment(locks_variable).value_or(""));
    for (std::string word; std::getline(numbers, word, ',');) {
        int number = -1;
        std::from_chars(word.data(), word.data() + word.size(), number);
        if (number > STDERR_FILENO) all.push_back(number);
    }
    return all;
}

/// Ends the lock of a device that the configuration does not name any more after RM5, also for the guard and
/// the program that was started, which have the same open file.
void close_passed_except(const std::vector<int>& kept) {
    for (const int number : passed_descriptors())
        if (std::ranges::find(kept, number) == kept.end()) {
            ::flock(number, LOCK_UN);
            ::close(number);
        }
}

/// Returns the one of them that is this file.
std::optional<int> passed_descriptor(const struct stat& file) {
    for (const int number : passed_descriptors()) {
        struct stat found{};
        if (::fstat(number, &found) == 0 && is_same_file(found, file)) return number;
    }
    return std::nullopt;
}

/// Returns the process that has locked the file, according to the kernel; empty if it is not listed.
std::string holder_of(const struct stat& file) {
    const std::string wanted =
        fmt::format("{:02x}:{:02x}:{}", major(file.st_dev), minor(file.st_dev), file.st_ino);
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string number;
        std::string kind;
        std::string strength;
        std::string access;
        std::string process;
        std::string where;
        words >> number >> kind >> strength >> access >> process >> where;
        if (kind == "FLOCK" && where == wanted) return process;
    }
    return {};
}

/// Replaces `file` by the descriptor that was passed to this process, if there is one, and locks it. Returns
/// false if another process still has it after `patience`.
bool lock(Descriptor& file, Duration patience) {
    struct stat seen{};
    if (::fstat(file.get(), &seen) != 0) return true;
    if (const auto passed = passed_descriptor(seen)) {
        ::fcntl(*passed, F_SETFD, FD_CLOEXEC);
        file = Descriptor(*passed);
    }
    const SystemClock clock;
    for (const Instant until = clock.now() + patience;;) {
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
        if (clock.now() >= until) return false;
        ::poll(nullptr, 0, 20);
    }
}

std::string text_of(const Descriptor& file) {
    std::array<char, 64> room{};
    const ssize_t size = ::pread(file.get(), room.data(), room.size(), 0);
    return {room.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

/// Returns 0 if there is no such process.
pid_t parent_of(pid_t process) {
    std::ifstream status(fmt::format("/proc/{}/status", process));
    pid_t parent = 0;
    for (std::string word; status >> word;)
        if (word == "PPid:") status >> parent;
    return parent;
}

std::string_view name_of(RobotLock::Holder holder) {
    switch (holder) {
        case RobotLock::Holder::robot: return "robot";
        case RobotLock::Holder::self_check: return "self-check";
        case RobotLock::Holder::body_check: return "body-check";
    }
    return "";
}

/// Returns whether the process has ended, but not its parent, which has not noticed.
bool has_ended(pid_t process) {
    std::ifstream status(fmt::format("/proc/{}/status", process));
    std::string state;
    for (std::string word; state.empty() && status >> word;)
        if (word == "State:") status >> state;
    return state.empty() || state == "Z";
}

/// Returns who has the lock: `robot rover is already running (pid 17)`.
std::string holder_text(const std::string& robot, const std::string& file_text) {
    std::istringstream words(file_text);
    pid_t process = 0;
    pid_t guard = 0;
    std::string holder;
    words >> process >> holder >> guard;
    if (guard > 1 && has_ended(process) && !has_ended(guard))
        return fmt::format("robot {} has ended, but its guard hangs (pid {}); kill -9 ends it", robot, guard);
    const std::string pid = process == 0 ? "" : fmt::format(" (pid {})", process);
    if (holder == name_of(RobotLock::Holder::self_check))
        return fmt::format("a self-check of robot {} is running{}", robot, pid);
    if (holder == name_of(RobotLock::Holder::body_check))
        return fmt::format("a check of the body of robot {} is running{}", robot, pid);
    return fmt::format("robot {} is already running{}", robot, pid);
}

/// Opens the file, creating it and its folder. A folder that cannot be made, or a disk that cannot be
/// written, is Code::io; an obstacle in place of the file, such as a folder or a broken link, is
/// Code::refused.
Result<Descriptor> open_lock_file(const std::string& path) {
    std::error_code folder;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), folder);
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (file) return file;
    const int number = folder ? folder.value() : errno;
    Error error = system_error(path, number);
    const bool is_disk = number == ENOSPC || number == EDQUOT || number == EROFS || number == EACCES;
    if (folder || is_disk) return fail(std::move(error));
    return fail(Code::refused, fmt::format("the lock of the robot cannot be opened: {}", error.message));
}

}  // namespace

Result<RobotLock> RobotLock::take(const Plan& plan) {
    RobotLock taken;
    auto opened = open_lock_file(plan.file);
    if (!opened) return fail(std::move(opened.error()));
    Descriptor file = std::move(*opened);
    if (!lock(file, plan.patience)) return fail(Code::refused, holder_text(plan.name, text_of(file)));
    for (const std::string& path : plan.devices) {
        struct stat seen{};
        if (::stat(path.c_str(), &seen) != 0) continue;
        if (S_ISCHR(seen.st_mode) && major(seen.st_rdev) == memory_devices) continue;
        Descriptor device(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        if (!device) continue;
        if (!lock(device, plan.patience)) {
            const std::string process = holder_of(seen);
            return fail(Code::refused, fmt::format("{} is in use by another robot{}", path,
                                                   process.empty() ? "" : fmt::format(" (pid {})", process)));
        }
        taken.files_.push_back(std::move(device));
    }
    // In this order: a full disk has room for a text in the place of one of the same size. Without the text
    // the lock is good, but does not name its holder.
    const std::string text =
        fmt::format("{:<10} {:<10} {:<10}\n", ::getpid(), name_of(plan.holder), plan.guard);
    const bool is_written = ::pwrite(file.get(), text.data(), text.size(), 0) > 0;
    std::ignore = ::ftruncate(file.get(), is_written ? static_cast<off_t>(text.size()) : 0);
    taken.files_.push_back(std::move(file));
    close_passed_except(taken.descriptors());
    ::unsetenv(locks_variable);  // NOLINT(concurrency-mt-unsafe): no other thread runs yet
    return taken;
}

std::optional<pid_t> RobotLock::process_to_signal(const std::string& file) {
    const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened || ::flock(opened.get(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return std::nullopt;
    std::istringstream words(text_of(opened));
    pid_t process = 0;
    pid_t guard = 0;
    std::string holder;
    words >> process >> holder >> guard;
    if (process <= 1 || holder != name_of(Holder::robot)) return std::nullopt;
    // Not a process that has got the id of a guard that has ended.
    return guard > 1 && parent_of(process) == guard ? guard : process;
}

std::vector<int> RobotLock::descriptors() const {
    std::vector<int> all;
    for (const Descriptor& file : files_) all.push_back(file.get());
    return all;
}

std::string RobotLock::setting() const {
    return fmt::format("{}={}", locks_variable, fmt::join(descriptors(), ","));
}

void RobotLock::pass_to_fresh_image() const {
    for (const int descriptor : descriptors()) ::fcntl(descriptor, F_SETFD, 0);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): all other threads have ended
    ::setenv(locks_variable, fmt::format("{}", fmt::join(descriptors(), ",")).c_str(), 1);
}

std::vector<std::string> devices_named_in(const std::vector<std::string>& words) {
    constexpr std::string_view separators = " \t\n=,;:'\"";
    std::vector<std::string> devices;
    for (const std::string& word : words)
        for (std::string_view rest = word; !rest.empty();) {
            const std::string path(rest.substr(0, rest.find_first_of(separators)));
            rest.remove_prefix(std::min(rest.size(), path.size() + 1));
            std::error_code error;
            if (std::filesystem::is_character_file(path, error)) devices.push_back(path);
        }
    return devices;
}

}  // namespace caribou
