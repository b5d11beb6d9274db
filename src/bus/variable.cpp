#include "bus/variable.hpp"

#include "base/check.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {

void WriteRate::on_writes(Instant now, std::size_t count) {
    constexpr auto period = std::chrono::milliseconds(500);
    constexpr auto forgotten = std::chrono::seconds(10);
    if (!started_) {
        started_ = true;
        since_ = now;
        writes_ = count - 1;
        return;
    }
    const Duration gap = now - since_;
    if (gap < period) {
        writes_ += count;
        return;
    }
    if (gap > forgotten)
        hertz_ = 0;
    else
        hertz_ = 0.5 * hertz_ + 0.5 * static_cast<double>(writes_ + 1) / to_seconds(gap);
    writes_ = count - 1;
    since_ = now;
}

wire::MessageView Variable::value() const {
    check(is_written(), "a variable has a value once it is written");
    auto message = wire::decode_message(*latest);
    check(message.has_value(), "the latest value is a whole message");
    return *message;
}

}  // namespace caribou::bus
