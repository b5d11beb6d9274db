#include "platform/system_processes.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "platform/descriptor.hpp"
#include "platform/event_loop_core.hpp"
#include "platform/system_error.hpp"
#include "platform/watched_socket.hpp"

namespace caribou {
namespace {

/// A longer line is reported in pieces.
constexpr std::size_t max_line = 16_KiB;
constexpr std::size_t max_bytes_per_turn = 256_KiB;

/// Calls its task when the descriptor is readable.
class Watch final : public WatchedSocket {
public:
    Watch(EventLoop& loop, int descriptor, Task on_ready)
        : WatchedSocket(loop.core().io()), on_ready_(std::move(on_ready)) {
        if (open(descriptor) == 0) wait_to_read();
    }

private:
    void on_ready_to_read() override { on_ready_(); }

    Task on_ready_;
};

class SystemProcess final : public Process {
public:
    /// `bytes` and `input` are -1 unless the events want them.
    SystemProcess(EventLoop& loop, pid_t id, int output, int bytes, int input, int alive,
                  ProcessEvents& events)
        : id_(id),
          events_(events),
          input_(input),
          output_(boost::intrusive_ptr<Watch>(new Watch(loop, output, [this] { on_output(); }))),
          bytes_(bytes < 0 ? nullptr
                           : boost::intrusive_ptr<Watch>(new Watch(
                                 loop, bytes, [this] { on_bytes(); }))),
          alive_(boost::intrusive_ptr<Watch>(new Watch(loop, alive, [this] { on_end(); }))) {}

    ~SystemProcess() override {
        output_->close();
        if (bytes_) bytes_->close();
        alive_->close();
        if (!reaped_) reap();
    }

    int id() const override { return id_; }
    void terminate() override { signal_all(SIGTERM); }
    void kill() override { signal_all(SIGKILL); }
    bool write(std::string_view line) override {
        std::string whole(line);
        whole += '\n';
        // A socket accepts a short line as a whole, or not at all.
        return input_.get() >= 0 && ::send(input_.get(), whole.data(), whole.size(),
                                           MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(whole.size());
    }

private:
    void signal_all(int signal) {
        if (!reaped_) ::kill(-id_, signal);
    }

    /// Kills the remaining processes of the group. The group id stays valid until its leader is reaped.
    ProcessEnd reap() {
        signal_all(SIGKILL);
        int status = 0;
        while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {}
        reaped_ = true;
        if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
        return {.code = WEXITSTATUS(status)};
    }

    void on_output() {
        if (read_output()) output_->wait_to_read();
    }

    /// Reports the printed lines. Returns false at the end of the output.
    bool read_output() {
        return read_all(*output_, [this](std::string_view text) { take(text); });
    }
    /// Reads a limited amount, so that a program that writes without a pause does not occupy the loop.
    void on_bytes() {
        std::size_t left = max_bytes_per_turn;
        const bool goes_on = read_all(*bytes_, [&](std::string_view text) {
            events_.on_bytes(bytes_of(text));
            left -= std::min(left, text.size());
            return left > 0;
        });
        if (goes_on) bytes_->wait_to_read();
    }

    /// Reads until there is nothing more, or until `take` returns false. Returns false at the end of the
    /// stream.
    template <class Take>
    static bool read_all(Watch& from, Take take) {
        std::array<char, 16_KiB> room;
        for (;;) {
            const ssize_t size = ::read(from.descriptor(), room.data(), room.size());
            if (size < 0 && errno == EINTR) continue;
            if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
            if (size <= 0) return false;
            const std::string_view text(room.data(), static_cast<std::size_t>(size));
            if constexpr (std::is_void_v<decltype(take(text))>)
                take(text);
            else if (!take(text))
                return true;
        }
    }

    void take(std::string_view text) {
        for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
            line_ += text.substr(0, end);
            text.remove_prefix(end + 1);
            tell_line();
        }
        line_ += text;
        if (line_.size() >= max_line) tell_line();
    }

    void tell_line() { events_.on_line(std::exchange(line_, {})); }

    void on_end() {
        const ProcessEnd end = reap();
        read_output();
        if (!line_.empty()) tell_line();
        if (bytes_) read_all(*bytes_, [this](std::string_view text) { events_.on_bytes(bytes_of(text)); });
        output_->close();
        if (bytes_) bytes_->close();
        alive_->close();
        events_.on_end(end);
    }

    pid_t id_;
    ProcessEvents& events_;
    Descriptor input_;  ///< our end of its standard input; none: that is empty
    boost::intrusive_ptr<Watch> output_;
    boost::intrusive_ptr<Watch> bytes_;  ///< null: its standard output is lines
    boost::intrusive_ptr<Watch> alive_;  ///< readable once the process has exited
    std::string line_;
    bool reaped_ = false;
};

/// Runs in the child, between fork and exec. Returns only if the program cannot be executed. `input` is -1
/// for an empty standard input.
void become(const std::vector<char*>& words, int input, int output, int errors, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);  // the parent exited before prctl took effect
    ::setpgid(0, 0);
    ::dup2(input < 0 ? ::open("/dev/null", O_RDONLY) : input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    // Not all libraries open their descriptors to be closed by exec.
    ::close_range(STDERR_FILENO + 1, std::numeric_limits<unsigned>::max(), CLOSE_RANGE_CLOEXEC);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);
    ::execvp(words[0], words.data());
}

struct Pipe {
    ~Pipe() {
        for (const int end : ends)
            if (end >= 0) ::close(end);
    }
    bool open() { return ::pipe2(ends.data(), O_CLOEXEC) == 0; }
    /// As a socket, in both directions.
    bool open_socket() { return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0; }
    int take(std::size_t end) { return std::exchange(ends[end], -1); }

    std::array<int, 2> ends{-1, -1};
};

std::unexpected<Error> system_failure(std::string_view what, int number) {
    return fail(Code::unavailable, fmt::format("{}: {}", what, system_words(number)));
}

}  // namespace

Result<std::unique_ptr<Process>> SystemProcesses::start(const std::vector<std::string>& words,
                                                        ProcessEvents& events) {
    if (words.empty()) return fail(Code::invalid_argument, "a program needs a name");
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);

    Pipe output;
    Pipe bytes;    // standard output, if its bytes are wanted
    Pipe input;    // standard input, if lines will be written to it
    Pipe refusal;  // carries errno if exec fails, and is closed if it succeeds
    const bool wants_bytes = events.wants_bytes();
    if (!output.open() || !refusal.open() || (wants_bytes && !bytes.open()) ||
        (events.wants_input() && !input.open_socket()))
        return system_failure("cannot create a pipe", errno);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) return system_failure("cannot create a process", errno);
    if (child == 0) {
        become(pointers, input.ends[1], (wants_bytes ? bytes : output).ends[1], output.ends[1], parent);
        const int number = errno;
        std::ignore = ::write(refusal.ends[1], &number, sizeof number);
        ::_exit(127);
    }
    ::setpgid(child, child);  // called by both processes to avoid a race
    ::close(refusal.take(1));
    int number = 0;
    ssize_t size = 0;
    while ((size = ::read(refusal.ends[0], &number, sizeof number)) < 0 && errno == EINTR) {}
    if (size > 0) {
        ::waitpid(child, nullptr, 0);
        return fail(number == ENOENT ? Code::not_found : Code::unavailable,
                    fmt::format("cannot start `{}`: {}", words[0], system_words(number)));
    }
    const int alive = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    if (alive < 0) {
        const int why = errno;
        ::kill(-child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        return system_failure("cannot watch a process", why);
    }
    ::fcntl(output.ends[0], F_SETFL, O_NONBLOCK);
    if (wants_bytes) ::fcntl(bytes.ends[0], F_SETFL, O_NONBLOCK);
    return std::make_unique<SystemProcess>(loop_, child, output.take(0), bytes.take(0), input.take(0), alive,
                                           events);
}

}  // namespace caribou
