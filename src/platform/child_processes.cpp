#include "platform/child_processes.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "platform/descriptor.hpp"

namespace caribou {
namespace {

using Folder = std::filesystem::directory_iterator;

std::optional<pid_t> process_from(std::string_view text) {
    pid_t number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

/// Returns nullopt if the file does not exist.
std::optional<std::string> proc_text(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return std::nullopt;
    std::string text;
    std::array<char, 4096> room{};
    for (ssize_t size = 0; (size = ::read(file.get(), room.data(), room.size())) > 0;)
        text.append(room.data(), static_cast<std::size_t>(size));
    return text;
}

/// `/proc/ID/stat` is `ID (NAME) STATE PARENT ...`; the name may contain anything.
bool is_child_of(pid_t parent, std::string_view stat) {
    const std::size_t name_end = stat.rfind(')');
    return name_end != std::string_view::npos && name_end + 4 < stat.size() &&
           process_from(stat.substr(name_end + 4)) == parent;
}

/// For kernels without the files `children`. Slow.
std::vector<pid_t> children_by_search(pid_t parent) {
    std::vector<pid_t> children;
    std::error_code error;
    for (const auto& entry : Folder("/proc", error)) {
        const auto id = process_from(entry.path().filename().native());
        if (!id) continue;
        if (const auto stat = proc_text(entry.path() / "stat"); stat && is_child_of(parent, *stat))
            children.push_back(*id);
    }
    return children;
}

}  // namespace

std::vector<pid_t> child_processes(pid_t process) {
    std::vector<pid_t> children;
    std::error_code error;
    const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
    for (const auto& task : Folder(tasks, error)) {
        const auto text = proc_text(task.path() / "children");
        if (!text && std::filesystem::exists(task.path(), error)) return children_by_search(process);
        std::string_view left = text ? *text : std::string_view();
        while (const auto id = process_from(left)) {
            children.push_back(*id);
            left.remove_prefix(std::min(left.find(' '), left.size() - 1) + 1);
        }
    }
    return children;
}

bool has_child_ended(pid_t child) {
    siginfo_t seen{};
    return ::waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           seen.si_pid == child;
}

}  // namespace caribou
