// Two communities over a bad link: `caribou share` on two machines, in network namespaces, with nftables that
// drop packets.

#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/program.hpp"
#include "field/own_network.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// The community `boat`, which sends to the community `shore`, in a network namespace of their own.
class SealedShare : public testing::Test {
protected:
    static constexpr const char* boat_port = "9000";
    static constexpr const char* shore_port = "9001";

    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "a network namespace takes root";
        network.emplace();
        ASSERT_TRUE(*network && OwnNetwork::add_address("10.9.8.7"));
        boat.emplace(command({"db", "--port", boat_port, "--community", "boat"}));
        shore.emplace(command({"db", "--port", shore_port, "--community", "shore"}));
        ASSERT_TRUE(boat->read_line(limit) && shore->read_line(limit));
        const auto made = run({"pair", "--keys", keys(), "make", "link"});
        ASSERT_EQ(made.code, 0) << made.err;
    }
    std::string keys() const { return folder / "keys"; }
    std::string block(const std::string& port, const std::string& lines) {
        return folder.write("m" + port + ".moos", "ServerHost = 127.0.0.1\nServerPort = " + port +
                                                      "\nProcessConfig = pShare\n{\nkeys = " + keys() + "\n" +
                                                      lines + "\n}\n");
    }
    ChildProcess receiver() {
        return ChildProcess(command({"share", block(shore_port, "Input = route=10.9.8.7:9310, key=link")}));
    }
    ChildProcess sender(const std::string& more = "") {
        return ChildProcess(command({"share", block(boat_port,
                                                    "Output = src_name=NAV_*, dest_name=BOAT_, "
                                                    "route=10.9.8.7:9310, key=link" +
                                                        more)}));
    }
    bool rules(const std::string& lines) {
        ChildProcess nft({"/usr/sbin/nft", "-f",
                          folder.write("rules",
                                       "flush ruleset\ntable inet bad { chain c {\n"
                                       "type filter hook input priority 0;\n" +
                                           lines + "\n}\n}\n")});
        return end_of(nft).code == 0;
    }
    static void poke(const std::string& assignment) {
        EXPECT_EQ(run({"poke", assignment, "--port", boat_port}).code, 0);
    }
    /// Returns the next value of a watched variable that contains the text; nullopt if none comes in time.
    static bool arrives(ChildProcess& watch, const std::string& text) {
        for (auto line = watch.read_line(limit); line; line = watch.read_line(limit))
            if (line->contains(text)) return true;
        return false;
    }

    TemporaryFolder folder;
    std::optional<OwnNetwork> network;
    std::optional<ChildProcess> boat;
    std::optional<ChildProcess> shore;
};

TEST_F(SealedShare, BringsTheLastValueOverALinkThatLosesHalfOfItsPackets) {
    ASSERT_TRUE(rules("udp dport != 0 numgen random mod 100 < 50 drop"));
    ChildProcess to = receiver();
    ChildProcess from = sender();
    ChildProcess watch(command({"watch", "BOAT_NAV_X", "--port", shore_port}));
    for (int i = 1; i <= 10; ++i) poke("NAV_X=" + std::to_string(i));
    EXPECT_TRUE(arrives(watch, " 10"));
}

TEST_F(SealedShare, BringsTheLastValueOfEachVariableAfterAnOutage) {
    ChildProcess to = receiver();
    ChildProcess from = sender();
    ChildProcess watch(command({"watch", "BOAT_NAV_X", "BOAT_NAV_Y", "--port", shore_port}));
    poke("NAV_X=1");
    ASSERT_TRUE(arrives(watch, " 1"));
    ASSERT_TRUE(rules("udp dport != 0 drop"));
    for (int i = 2; i <= 5; ++i) poke("NAV_X=" + std::to_string(i));
    poke("NAV_Y=7");
    ASSERT_TRUE(rules(""));
    EXPECT_TRUE(arrives(watch, " 5"));
    ChildProcess other(command({"watch", "BOAT_NAV_Y", "--port", shore_port}));
    EXPECT_TRUE(arrives(other, " 7"));
    // The receiver loses all that it knows.
    to.signal(SIGKILL);
    shore->signal(SIGKILL);
    std::ignore = shore->wait(limit);
    shore.emplace(command({"db", "--port", shore_port, "--community", "shore"}));
    ASSERT_TRUE(shore->read_line(limit));
    ChildProcess again = receiver();
    ChildProcess third(command({"watch", "BOAT_NAV_Y", "--port", shore_port}));
    EXPECT_TRUE(arrives(third, " 7"));
}

TEST_F(SealedShare, AcceptsNothingThatItsKeyDidNotSeal) {
    ChildProcess to = receiver();
    ChildProcess watch(command({"watch", "BOAT_NAV_X", "--port", shore_port}));
    const std::string plain =
        folder.write("plain.moos", std::string("ServerHost = 127.0.0.1\nServerPort = ") + boat_port +
                                       "\nProcessConfig = pShare\n{\ninsecure_lan = true\nOutput = "
                                       "NAV_X->BOAT_NAV_X:10.9.8.7:9310\n}\n");
    ChildProcess attacker(command({"share", plain, "--moos_name=attacker"}));
    ChildProcess reports(command({"watch", "APPCAST", "--port", shore_port}));
    poke("NAV_X=66");
    const auto is_counted = [&] {
        for (int i = 0; i < 50; ++i) {
            const auto shown = run({"appcast", "pShare", "--port", shore_port, "--seconds", "0.5"}).out;
            if (shown.contains(" not sealed") && !shown.contains(" 0 not sealed")) return true;
        }
        return false;
    };
    EXPECT_TRUE(is_counted());
    ChildProcess from = sender();
    poke("NAV_X=1");
    EXPECT_TRUE(arrives(watch, " 1")) << "the first value that arrives";
    EXPECT_EQ(run({"query", "BOAT_NAV_X == 1", "--port", shore_port}).code, 0);
    const auto missing = run({"share", block("9002", "Input = route=10.9.8.7:9311, key=nobody")});
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, HasSubstr("nobody"));
}

}  // namespace
}  // namespace caribou::tests
