#include "link/replay_window.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::link {
namespace {

/// A model with unlimited memory.
class Model {
public:
    bool is_fresh(std::uint64_t number) const {
        const bool too_old = !taken_.empty() && number + ReplayWindow::width <= *taken_.rbegin();
        return !too_old && !taken_.contains(number);
    }
    void take(std::uint64_t number) { taken_.insert(number); }

private:
    std::set<std::uint64_t> taken_;
};

TEST(ReplayWindow, TakesEachNumberOnce) {
    ReplayWindow window;
    for (const std::uint64_t number : {5U, 3U, 0U, 4U}) {
        EXPECT_TRUE(window.is_fresh(number));
        window.take(number);
        EXPECT_FALSE(window.is_fresh(number));
    }
    EXPECT_TRUE(window.is_fresh(1));
}

TEST(ReplayWindow, RefusesWhatIsOlderThanItRemembers) {
    ReplayWindow window;
    window.take(ReplayWindow::width);
    EXPECT_FALSE(window.is_fresh(0));
    EXPECT_TRUE(window.is_fresh(1));
}

TEST(ReplayWindow, BeginsAfterANumber) {
    const ReplayWindow window = ReplayWindow::after(7);
    EXPECT_FALSE(window.is_fresh(0));
    EXPECT_FALSE(window.is_fresh(7));
    EXPECT_TRUE(window.is_fresh(8));
}

TEST(ReplayWindow, RefusesTheLastNumberThereIs) {
    ReplayWindow window;
    window.take(UINT64_MAX - 1);
    EXPECT_FALSE(window.is_fresh(UINT64_MAX - 1));
    EXPECT_FALSE(window.is_fresh(UINT64_MAX));
    EXPECT_TRUE(window.is_fresh(UINT64_MAX - 2));
}

RC_GTEST_PROP(ReplayWindow, DecidesAsTheModelDoes, ()) {
    ReplayWindow window;
    Model model;
    std::uint64_t around = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    // Steps of up to three window widths in both directions, so that every boundary is crossed.
    const auto steps = *rc::gen::container<std::vector<std::int64_t>>(
        rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-8, 9), rc::gen::inRange<std::int64_t>(-1100, 1100),
                       rc::gen::element<std::int64_t>(-1025, -1024, -1023, 1023, 1024, 1025, 3000)));
    for (const std::int64_t step : steps) {
        if (step < 0 && around < static_cast<std::uint64_t>(-step)) continue;
        const std::uint64_t number = around + static_cast<std::uint64_t>(step);
        RC_ASSERT(window.is_fresh(number) == model.is_fresh(number));
        if (!model.is_fresh(number)) continue;
        window.take(number);
        model.take(number);
        if (step > 0) around = number;
    }
}

}  // namespace
}  // namespace caribou::link
