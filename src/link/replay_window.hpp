#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace caribou::link {

/// Lets each number in once, in whatever order they come. What is older than the newest by `width` or more
/// is refused unseen, so that memory stays what it is.
class ReplayWindow {
public:
    static constexpr std::uint64_t width = 1024;

    ReplayWindow() = default;
    /// Everything up to `number` counts as taken.
    static ReplayWindow after(std::uint64_t number) {
        ReplayWindow window;
        window.taken_.set();
        window.next_ = number + 1;
        return window;
    }

    bool is_fresh(std::uint64_t number) const {
        if (number == UINT64_MAX) return false;  // nothing could come after it
        if (number >= next_) return true;
        return next_ - number <= width && !taken_[number % width];
    }
    /// The number is fresh, and from now on it is not.
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
    std::bitset<width> taken_;  ///< of the last `width` numbers before next_, each at its remainder
    std::uint64_t next_ = 0;    ///< one more than the newest
};

}  // namespace caribou::link
