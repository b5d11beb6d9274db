#include "child/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/check.hpp"
#include "child/poll_limit.hpp"

namespace caribou::tests {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    all.reserve(texts.size() + 1);
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

/// The state folder of all programs of this test process, instead of the user's: stored state, such as a
/// latched stop, must not affect other tests. Removed when the process ends.
class StateFolder {
public:
    StateFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "caribou-state-XXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
    }
    ~StateFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    StateFolder(const StateFolder&) = delete;
    StateFolder& operator=(const StateFolder&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::string whole_file(int file) {
    std::string text(static_cast<std::size_t>(::lseek(file, 0, SEEK_END)), '\0');
    const ssize_t size = ::pread(file, text.data(), text.size(), 0);
    check(size == static_cast<ssize_t>(text.size()), "a file in memory can be read");
    return text;
}

}  // namespace

std::vector<std::string> environment_of_child(const std::vector<std::string>& on_top) {
    std::vector<std::string> all = on_top;  // the first setting of a name is used
    static const StateFolder state;
    all.push_back("XDG_STATE_HOME=" + state.path());
    for (char** setting = environ; *setting; ++setting) all.emplace_back(*setting);
    return all;
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment) {
    std::array<int, 2> out{};
    err_ = ::memfd_create("stderr", MFD_CLOEXEC);
    check(err_ >= 0 && ::pipe2(out.data(), O_CLOEXEC) == 0, "a test has a pipe and a file in memory");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err_, STDERR_FILENO);
    auto argument_texts = arguments;
    auto environment_texts = environment_of_child(environment);
    const int failed = ::posix_spawn(&id_, arguments.at(0).c_str(), &actions, nullptr,
                                     pointers(argument_texts).data(), pointers(environment_texts).data());
    posix_spawn_file_actions_destroy(&actions);
    check(failed == 0, "the program can be started");
    ::close(out[1]);
    out_ = out[0];
    alive_ = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
    check(alive_ >= 0, "a child can be waited for");
}

ChildProcess::~ChildProcess() {
    if (id_ > 0) {
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
    for (const int descriptor : {out_, err_, alive_})
        if (descriptor >= 0) ::close(descriptor);
}

bool ChildProcess::read_some(Duration limit) {
    pollfd printed{out_, POLLIN, 0};
    if (out_ < 0 || ::poll(&printed, 1, milliseconds(limit)) <= 0) return false;
    std::array<char, 4096> room;
    const ssize_t size = ::read(out_, room.data(), room.size());
    if (size <= 0) {
        ::close(std::exchange(out_, -1));
        return false;
    }
    out_text_.append(room.data(), static_cast<std::size_t>(size));
    return true;
}

std::optional<std::string> ChildProcess::read_line(Duration limit) {
    while (!out_text_.contains('\n') && read_some(limit)) {}
    const std::size_t end = out_text_.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string line = out_text_.substr(0, end);
    out_text_.erase(0, end + 1);
    return line;
}

void ChildProcess::signal(int number) const {
    // -1, of a process that has ended, would be all processes of the machine.
    if (id_ > 0) ::kill(id_, number);
}

std::optional<ChildProcess::End> ChildProcess::wait(Duration limit) {
    while (read_some(limit)) {}
    pollfd end{alive_, POLLIN, 0};
    if (id_ < 0 || ::poll(&end, 1, milliseconds(limit)) != 1) return std::nullopt;
    int status = 0;
    ::waitpid(std::exchange(id_, -1), &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return End{code, std::exchange(out_text_, {}), whole_file(err_)};
}

}  // namespace caribou::tests
