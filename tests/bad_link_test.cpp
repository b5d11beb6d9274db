// A full stop over a link that loses packets, or that carries no TCP. On separate processes, in a network
// namespace of its own: the rules of nftables affect nothing else.

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include <gtest/gtest.h>

#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;

/// Moves this process, and with it all that it starts, into a new network namespace with a loopback device.
bool enter_new_network() {
    if (::unshare(CLONE_NEWNET) != 0) return false;
    const int any = ::socket(AF_INET, SOCK_DGRAM, 0);
    ifreq request{};
    std::strncpy(request.ifr_name, "lo", IFNAMSIZ);
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    const bool up = ::ioctl(any, SIOCSIFFLAGS, &request) == 0;
    ::close(any);
    return up;
}

class BadLink : public testing::Test {
protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "a network namespace takes root";
        ASSERT_TRUE(enter_new_network());
        field.start_station();
        field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n");
        robot_port = field.robot_at.substr(field.robot_at.rfind(':') + 1);
        person = std::make_unique<Operator>(field.station_at, field.token());
        ASSERT_TRUE(person->sees(is_driven, limit));
    }
    /// Replaces the rules for received packets.
    void set_rules(const std::string& rules) {
        ChildProcess nft({"/usr/sbin/nft", "-f",
                          field.scratch.write("rules",
                                              "flush ruleset\ntable inet bad { chain c {\n"
                                              "type filter hook input priority 0;\n" +
                                                  rules + "\n}\n}\n")});
        const auto end = end_of(nft);
        ASSERT_EQ(end.code, 0) << end.err;
    }
    std::string tcp_of_robot(const std::string& verdict) const {
        return "tcp dport " + robot_port + " " + verdict + "\ntcp sport " + robot_port + " " + verdict;
    }
    void drive() {
        ASSERT_EQ(station::to_string(person->answer_to(person->send("release_stop"), limit).value()), "DONE");
        person->send("105 level=1 ttl=2s");
        ASSERT_TRUE(person->sees([this](const auto&) { return trace.take(), trace.latest().moves; }, limit));
    }
    /// Stops the robot. Returns the time from the request to zero ordered at the body.
    std::optional<Duration> stop(Duration at_most) {
        const SystemClock clock;
        const Instant written = clock.now();
        stop_id = person->send("full_stop");
        while (clock.now() < written + at_most) {
            person->wait(1ms);
            trace.take();
            if (!trace.latest().moves && trace.latest().at >= written) return trace.latest().at - written;
        }
        return std::nullopt;
    }

    Field field;
    OrderTrace trace{(field.scratch / "orders").string()};
    std::unique_ptr<Operator> person;
    std::string robot_port;
    std::uint64_t stop_id = 0;
};

TEST_F(BadLink, StopsInTimeWhileThirtyPercentOfThePacketsAreLost) {
    for (int i = 0; i < 60; ++i) {
        ASSERT_NO_FATAL_FAILURE(set_rules(""));
        ASSERT_NO_FATAL_FAILURE(drive());
        ASSERT_NO_FATAL_FAILURE(set_rules("udp dport != 0 numgen random mod 100 < 30 drop\n" +
                                          tcp_of_robot("numgen random mod 100 < 30 drop")));
        const auto time = stop(1500ms);
        ASSERT_TRUE(time) << i;
        EXPECT_LE(*time, 500ms) << i;
        EXPECT_FALSE(person->answer_to(stop_id, limit).value().refusal) << i;
    }
}

TEST_F(BadLink, StopsInTimeWhileTcpIsCut) {
    for (int i = 0; i < 5; ++i) {
        ASSERT_NO_FATAL_FAILURE(set_rules(""));
        ASSERT_TRUE(person->sees(is_driven, limit));
        ASSERT_NO_FATAL_FAILURE(drive());
        ASSERT_NO_FATAL_FAILURE(set_rules(tcp_of_robot("drop")));
        const auto time = stop(1500ms);
        ASSERT_TRUE(time) << i;
        EXPECT_LE(*time, 200ms) << i;
        const auto answer = person->answer_to(stop_id, 1s);
        ASSERT_TRUE(answer) << "it is acknowledged as a datagram, too";
        EXPECT_FALSE(answer->refusal) << answer->text;
    }
}

TEST_F(BadLink, StopsARobotThatDrivesItselfAfterItsConnectionIsLost) {
    ASSERT_EQ(station::to_string(person->answer_to(person->send("release_stop"), limit).value()), "DONE");
    ASSERT_FALSE(person->answer_to(person->send("set_run_mode mode=2"), limit).value().refusal);
    ASSERT_TRUE(person->sees([this](const auto&) { return trace.take(), trace.latest().moves; }, limit));
    ASSERT_NO_FATAL_FAILURE(set_rules(tcp_of_robot("drop")));
    ASSERT_TRUE(
        person->sees([](const auto& rover) { return rover.status.mode == data::StationMode::wait; }, limit));
    const auto time = stop(5s);
    ASSERT_TRUE(time);
    EXPECT_LE(*time, 200ms);
    const auto answer = person->answer_to(stop_id, limit).value();
    EXPECT_FALSE(answer.refusal) << answer.text;
    // Without datagrams, too, the robot is reported as unavailable, in time.
    ASSERT_NO_FATAL_FAILURE(set_rules(tcp_of_robot("drop") + "\nmeta l4proto udp drop"));
    EXPECT_EQ(person->answer_to(person->send("full_stop"), 5s).value().refusal, data::Refusal::unavailable);
}

}  // namespace
}  // namespace caribou::tests
