#include "platform/child_processes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "platform/descriptor.hpp"

namespace caribou {
namespace {

template <class Number>
std::optional<Number> number_from(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

/// Returns whether `/proc/ID/stat` describes a living child of this process. The text is `ID (NAME) STATE
/// PARENT ...`; the name may contain anything.
bool is_living_child(std::string_view stat) {
    const std::size_t name_end = stat.rfind(')');
    if (name_end == std::string_view::npos || name_end + 4 >= stat.size()) return false;
    const char state = stat[name_end + 2];
    return state != 'Z' && state != 'X' && number_from<pid_t>(stat.substr(name_end + 4)) == ::getpid();
}

}  // namespace

std::vector<pid_t> child_processes() {
    std::vector<pid_t> children;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
        const auto id = number_from<pid_t>(entry.path().filename().native());
        if (!id) continue;
        const Descriptor file(::open((entry.path() / "stat").c_str(), O_RDONLY | O_CLOEXEC));
        std::array<char, 512> room{};
        const ssize_t size = file ? ::read(file.get(), room.data(), room.size()) : 0;
        if (size > 0 && is_living_child({room.data(), static_cast<std::size_t>(size)}))
            children.push_back(*id);
    }
    return children;
}

}  // namespace caribou
