#include "platform/print_if_writable.hpp"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

namespace caribou {

bool is_writable(int descriptor) {
    pollfd output{descriptor, POLLOUT, 0};
    return ::poll(&output, 1, 0) != 0;
}

void print_if_writable(int descriptor, std::string_view text) {
    if (!is_writable(descriptor)) return;
    text = text.substr(0, PIPE_BUF);
    [[maybe_unused]] const ssize_t written = ::write(descriptor, text.data(), text.size());
}

}  // namespace caribou
