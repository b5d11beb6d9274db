#include "adapters/dds/dds_messages.hpp"

#include <dds/ddsrt/log.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>

namespace caribou {

// DDS has a single output per process, and threads of its own that write to it.

DdsMessages& DdsMessages::all() {
    static DdsMessages messages;
    return messages;
}

void DdsMessages::hear(std::string_view message) {
    while (message.ends_with('\n')) message.remove_suffix(1);
    DdsMessages& messages = all();
    const std::scoped_lock lock(messages.mutex_);
    const auto passed =
        messages.filter_.pass(Instant(std::chrono::steady_clock::now().time_since_epoch()), message);
    if (!passed) return;
    for (const Handler& handler : messages.handlers_) handler(*passed);
    if (messages.handlers_.empty()) fmt::print(stderr, "caribou: DDS: {}\n", *passed);
}

DdsMessages::Listener::Listener(Handler handler) {
    static const bool installed = [] {
        dds_set_log_sink(
            [](void*, const dds_log_data_t* data) {
                const std::string_view message(data->message);
                hear(message.substr(std::min(data->hdrsize, message.size())));  // without time and thread
            },
            nullptr);
        return true;
    }();
    static_cast<void>(installed);
    const std::scoped_lock lock(all().mutex_);
    place_ = all().handlers_.insert(all().handlers_.end(), std::move(handler));
}

DdsMessages::Listener::~Listener() {
    const std::scoped_lock lock(all().mutex_);
    all().handlers_.erase(place_);
}

}  // namespace caribou
