#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "platform/event_loop.hpp"

namespace caribou {

/// Reads the lines of standard input until its end. Of a line that is longer than 4 KiB the rest is a further
/// line. Must only be used on the loop's thread.
class InputLines {
public:
    /// `on_line` receives each line without its line end. There are none if standard input is a file.
    InputLines(EventLoop& loop, std::function<void(std::string_view)> on_line);
    ~InputLines();
    InputLines(const InputLines&) = delete;
    InputLines& operator=(const InputLines&) = delete;

private:
    class Watch;
    struct Keep;

    std::unique_ptr<Keep> keep_;
};

}  // namespace caribou
