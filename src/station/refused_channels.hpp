#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

#include "loop/loop.hpp"
#include "loop/text_channel.hpp"

namespace caribou::station {

/// Channels that are refused after they were opened, because a browser cannot read the answer to a request
/// for a WebSocket, only the reason for its end. Each is kept until it has ended.
class RefusedChannels {
public:
    /// More at once are refused by the answer to the request.
    static constexpr std::size_t most = 16;

    explicit RefusedChannels(Loop& loop) : loop_(loop) {}

    bool is_full() const { return channels_.size() >= most; }
    void refuse(std::unique_ptr<TextChannel> channel, std::string_view why) {
        const std::uint64_t number = next_++;
        auto& added = *channels_.emplace(number, std::make_unique<Refused>(*this, number)).first->second;
        added.channel = std::move(channel);
        added.channel->attach(added);
        added.channel->refuse(why);
    }

private:
    struct Refused final : TextChannelEvents {
        Refused(RefusedChannels& owner, std::uint64_t its_number) : all(owner), number(its_number) {}
        void on_text(std::string_view) override {}
        void on_closed(std::string_view) override {
            // The channel makes this call.
            all.loop_.post([gone = all.channels_.extract(number)] {});
        }

        RefusedChannels& all;
        std::uint64_t number;
        std::unique_ptr<TextChannel> channel{};
    };

    Loop& loop_;
    std::uint64_t next_ = 1;
    std::map<std::uint64_t, std::unique_ptr<Refused>> channels_;
};

}  // namespace caribou::station
