#include "platform/descriptor_sink.hpp"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

namespace caribou {
namespace {

std::string_view color_of(spdlog::level::level_enum level) {
    switch (level) {
        case spdlog::level::err: return "\x1b[31m\x1b[1m";
        case spdlog::level::warn: return "\x1b[33m\x1b[1m";
        case spdlog::level::info: return "\x1b[32m";
        default: return "\x1b[36m";
    }
}

void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // a full disk, or a closed terminal
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

void DescriptorSink::sink_it_(const spdlog::details::log_msg& message) {
    spdlog::memory_buf_t formatted;
    formatter_->format(message, formatted);
    std::string line(formatted.data(), formatted.size());
    if (colored_ && message.color_range_end > message.color_range_start) {
        line.insert(message.color_range_end, "\x1b[m");
        line.insert(message.color_range_start, color_of(message.level));
    }
    write_all(descriptor_, line);
}

}  // namespace caribou
