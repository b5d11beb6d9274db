#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/check.hpp"

namespace caribou::tests {

/// A named pipe that is open for reading, and is not read unless a test does: once it is full, a write to it
/// hangs, like one to a disk that does not answer.
class FullPipe {
public:
    explicit FullPipe(const std::string& path) {
        check(::mkfifo(path.c_str(), 0600) == 0, "a test can make a pipe");
        pipe_ = ::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
        check(pipe_ >= 0, "a pipe can be opened");
    }
    ~FullPipe() { ::close(pipe_); }
    FullPipe(const FullPipe&) = delete;
    FullPipe& operator=(const FullPipe&) = delete;

    void fill() const {
        const std::string lines(4096, '\n');
        while (::write(pipe_, lines.data(), lines.size()) > 0) {}
        while (::write(pipe_, "\n", 1) > 0) {}
    }
    /// Returns what it contains now.
    std::string read() const {
        std::string text;
        std::string room(65536, '\0');
        for (ssize_t size = 0; (size = ::read(pipe_, room.data(), room.size())) > 0;)
            text.append(room.data(), static_cast<std::size_t>(size));
        return text;
    }

private:
    int pipe_ = -1;
};

}  // namespace caribou::tests
