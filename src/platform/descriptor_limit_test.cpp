#include "platform/descriptor_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace caribou {

TEST(DescriptorLimit, BecomesWhatTheSystemAllows) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit lower = before;
    lower.rlim_cur = std::min<rlim_t>(before.rlim_max, 512);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &lower), 0);
    EXPECT_EQ(raise_descriptor_limit(), before.rlim_max);
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &lower), 0);
    EXPECT_EQ(lower.rlim_cur, before.rlim_max);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace caribou
