#include "platform/input_lines.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>

#include "base/limits.hpp"
#include "platform/event_loop_core.hpp"
#include "platform/watched_socket.hpp"

namespace caribou {

class InputLines::Watch final : public WatchedSocket {
public:
    Watch(EventLoop& loop, std::function<void(std::string_view)> on_line)
        : WatchedSocket(loop.core().io()), on_line_(std::move(on_line)) {
        // Other programs may use the same standard input, so it stays blocking, and each event reads once.
        if (const int own = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0); own >= 0 && open(own) == 0)
            wait_to_read();
    }

private:
    void on_ready_to_read() override {
        constexpr std::size_t max_line = 4_KiB;
        std::array<char, max_line> room;
        const ssize_t size = ::read(descriptor(), room.data(), room.size());
        if (size <= 0) return;  // its end
        line_.append(room.data(), static_cast<std::size_t>(size));
        wait_to_read();
        for (std::size_t end = line_.find('\n'); end != std::string::npos && !closed();
             end = line_.find('\n')) {
            const std::string line = line_.substr(0, end);
            line_.erase(0, end + 1);
            on_line_(line);
        }
        if (line_.size() >= max_line && !closed()) on_line_(std::exchange(line_, {}));
    }

    std::function<void(std::string_view)> on_line_;
    std::string line_;
};

struct InputLines::Keep {
    boost::intrusive_ptr<Watch> watch;
};

InputLines::InputLines(EventLoop& loop, std::function<void(std::string_view)> on_line)
    : keep_(std::make_unique<Keep>(boost::intrusive_ptr<Watch>(new Watch(loop, std::move(on_line))))) {}

InputLines::~InputLines() { keep_->watch->close(); }

}  // namespace caribou
