#include "platform/http_seats.hpp"

namespace caribou {

std::optional<std::size_t> seat_to_free(std::span<const HttpSeat> seats, Instant now,
                                        const HttpSeatLimits& limits) {
    using Phase = HttpSeat::Phase;
    if (seats.size() <= limits.usual) return std::nullopt;
    struct Group {
        std::optional<std::size_t> oldest{};
        std::size_t size = 0;
        void add(std::size_t index) {
            if (size++ == 0) oldest = index;
        }
    };
    Group unfinished;
    Group ready;
    std::optional<std::size_t> late;  // unfinished, and has had its time
    for (std::size_t i = 0; i < seats.size(); ++i) {
        if (seats[i].phase == Phase::ready_socket) continue;
        if (seats[i].phase == Phase::ready) {
            ready.add(i);
            continue;
        }
        unfinished.add(i);
        if (now - seats[i].progress < limits.grace) continue;
        if (seats[i].phase == Phase::idle) return i;
        if (!late) late = i;
    }
    if (late || seats.size() <= limits.total) return late;
    return ready.size > unfinished.size ? ready.oldest : unfinished.oldest;
}

}  // namespace caribou
