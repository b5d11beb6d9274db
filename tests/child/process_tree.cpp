#include "child/process_tree.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <gtest/gtest.h>

#include "platform/descriptor.hpp"

namespace caribou::tests {
namespace {

struct ProcessStat {
    char state = 0;
    pid_t parent = -1;
    pid_t session = -1;
};

std::optional<ProcessStat> stat_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    if (!std::getline(file, text)) return std::nullopt;
    // The name, in brackets, may contain anything.
    std::istringstream fields(text.substr(text.rfind(')') + 1));
    ProcessStat stat;
    pid_t group = -1;
    fields >> stat.state >> stat.parent >> group >> stat.session;
    return stat;
}

}  // namespace

std::vector<pid_t> children_of(pid_t process) {
    std::vector<pid_t> children;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const pid_t id = std::stoi(name);
        const auto stat = stat_of(id);
        if (stat && stat->parent == process && stat->state != 'Z') children.push_back(id);
    }
    return children;
}

char state_of(pid_t process) { return stat_of(process).value_or(ProcessStat{}).state; }
bool has_ended(pid_t process) {
    const char state = state_of(process);
    return state == 0 || state == 'Z' || state == 'X';
}
pid_t session_of(pid_t process) { return stat_of(process).value_or(ProcessStat{}).session; }

std::string command_line_of(pid_t process) {
    const Descriptor file(
        ::open(("/proc/" + std::to_string(process) + "/cmdline").c_str(), O_RDONLY | O_CLOEXEC));
    std::string words(4096, '\0');
    const ssize_t size = file ? ::read(file.get(), words.data(), words.size()) : 0;
    words.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    std::ranges::replace(words, '\0', ' ');
    return words;
}

void send_signal(pid_t process, int number) {
    if (process <= 1)
        ADD_FAILURE() << "no process to send signal " << number << " to";
    else
        ::kill(process, number);
}

}  // namespace caribou::tests
