#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace caribou::link {

/// Accepts each number once, in any order. A number older than the newest by `width` or more is rejected, so
/// that memory is constant.
class ReplayWindow {
public:
    static constexpr std::uint64_t width = 1024;

    ReplayWindow() = default;
    /// Returns a window that rejects all numbers up to `number`.
    static ReplayWindow after(std::uint64_t number) {
        ReplayWindow window;
        window.taken_.set();
        window.next_ = number + 1;
        return window;
    }

    /// Returns whether the number has not been used and is recent enough.
    bool is_fresh(std::uint64_t number) const {
        if (number == UINT64_MAX) return false;  // no number could follow
        if (number >= next_) return true;
        return next_ - number <= width && !taken_[number % width];
    }
    /// Marks a fresh number as used.
    void take(std::uint64_t number) {
        if (number >= next_) {
            if (number - next_ >= width)
                taken_.reset();
            else
                for (std::uint64_t skipped = next_; skipped < number; ++skipped)
                    taken_.reset(skipped % width);
            next_ = number + 1;
        }
        taken_.set(number % width);
    }

private:
    std::bitset<width> taken_;  ///< the last `width` numbers before next_, indexed modulo `width`
    std::uint64_t next_ = 0;    ///< newest number plus one
};

}  // namespace caribou::link
