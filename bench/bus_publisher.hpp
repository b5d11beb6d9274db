#pragma once

#include <cstdint>
#include <thread>

#include "bus_raw_client.hpp"
#include "bus_window.hpp"

namespace caribou::bench {

/// Sends the same packet as fast as the window permits, on its own thread.
class Publisher {
public:
    Publisher(const RawClient& client, Bytes packet, std::uint64_t messages, std::uint64_t most_ahead)
        : window_(most_ahead), thread_([this, &client, packet = std::move(packet), messages] {
              for (; window_.enter(messages); sent_ += messages) client.send(packet);
          }) {}
    ~Publisher() {
        if (thread_.joinable()) stop();
    }
    Publisher(const Publisher&) = delete;
    Publisher& operator=(const Publisher&) = delete;

    /// Must be called with the total number of messages that have arrived.
    void arrived(std::uint64_t total) { window_.arrived(total); }
    /// Returns the number of messages sent.
    std::uint64_t stop() {
        window_.stop();
        thread_.join();
        return sent_;
    }

private:
    Window window_;
    std::uint64_t sent_ = 0;
    std::thread thread_;
};

}  // namespace caribou::bench
