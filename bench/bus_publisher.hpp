#pragma once

#include <cstdint>
#include <span>
#include <thread>

#include "bus_raw_client.hpp"
#include "bus_window.hpp"

namespace caribou::bench {

/// Sends blocks of bytes with `messages` messages each in turn, as fast as the window permits, on its own
/// thread. The blocks must outlive it.
class Publisher {
public:
    Publisher(const RawClient& client, std::span<const Bytes> blocks, std::uint64_t messages,
              std::uint64_t most_ahead)
        : window_(most_ahead), thread_([this, &client, blocks, messages] {
              for (std::size_t next = 0; window_.enter(messages); sent_ += messages, ++next)
                  client.send(blocks[next % blocks.size()]);
          }) {}

    /// Messages that a publisher hands to the kernel at once, in whatever packets: so much that its system
    /// calls do not limit what is measured.
    static constexpr std::size_t at_once = 500;

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
