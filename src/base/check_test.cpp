#include "base/check.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

TEST(Check, SaysNothingWhenThePromiseHolds) { check(true, "one is one"); }

TEST(CheckDeathTest, EndsTheProgramWithThePlaceAndThePromise) {
    EXPECT_DEATH(check(false, "the sky is up"), "check_test.cpp:[0-9]+: .*broken promise: the sky is up");
}

}  // namespace
}  // namespace caribou
