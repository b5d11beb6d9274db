#include "robot/station_calls.hpp"

#include <gtest/gtest.h>

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

const Address station = Address::ip("192.0.2.1", 9200);

/// Calls of a robot that listens on port 9100 and calls every 100 ms.
struct Calls : StationCalls {
    explicit Calls(bool calls = true) : StationCalls(100ms, calls) {
        start(Instant(0s));
        on_listening(9100);
    }
    int calls_until(Instant end) {
        int count = 0;
        for (Instant at{0s}; at <= end; at += 10ms) count += takes_call(at) ? 1 : 0;
        return count;
    }
};

TEST(StationCalls, CallAtTheirIntervalUntilAStationIsHere) {
    Calls calls;
    EXPECT_EQ(calls.calls_until(Instant(1s)), 11);
    calls.on_arrived(station, Instant(1s));
    EXPECT_FALSE(calls.takes_call(Instant(2s)));
    calls.on_lost(Instant(3s));
    EXPECT_EQ(calls.due(), Instant(3s));
    EXPECT_TRUE(calls.takes_call(Instant(3s)));
}

TEST(StationCalls, AreNotMadeBeforeTheReceiverListensNorByARobotThatOnlySends) {
    StationCalls deaf(100ms, true);
    EXPECT_FALSE(deaf.takes_call(Instant(1s)));
    Calls only_sends(false);
    EXPECT_EQ(only_sends.calls_until(Instant(1s)), 0);
}

TEST(StationCalls, KeepTheAddressOfAStationThatIsLost) {
    Calls calls;
    calls.on_arrived(station, Instant(0s));
    calls.on_lost(Instant(1s));
    EXPECT_FALSE(calls.is_here());
    EXPECT_EQ(calls.station(), station);
    calls.set_port(9999);
    EXPECT_EQ(calls.station()->port, 9999);
}

TEST(StationCalls, EndWhenTheServerIsDisabled) {
    Calls calls;
    calls.disable(std::nullopt, Instant(0s));
    EXPECT_EQ(calls.calls_until(Instant(1s)), 0);
    EXPECT_FALSE(calls.takes_switch(Instant(100s)));
}

TEST(StationCalls, ListenForTwoSecondsAfterEachIntervalOfADisabledServer) {
    Calls calls;
    calls.disable(10s, Instant(0s));
    EXPECT_FALSE(calls.takes_switch(Instant(9s)));
    EXPECT_EQ(calls.takes_switch(Instant(10s)), true);
    EXPECT_FALSE(calls.takes_switch(Instant(11s)));
    EXPECT_EQ(calls.takes_switch(Instant(12s)), false);
    EXPECT_FALSE(calls.takes_switch(Instant(21s)));
    EXPECT_EQ(calls.takes_switch(Instant(22s)), true);
}

TEST(StationCalls, ListenAllTheTimeOnceAStationHasArrived) {
    Calls calls;
    calls.disable(10s, Instant(0s));
    EXPECT_EQ(calls.takes_switch(Instant(10s)), true);
    calls.on_arrived(station, Instant(11s));
    EXPECT_FALSE(calls.takes_switch(Instant(1h)));
    calls.on_lost(Instant(2h));
    EXPECT_TRUE(calls.takes_call(Instant(2h)));
}

}  // namespace
}  // namespace caribou::robot
