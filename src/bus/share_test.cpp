#include "bus/share.hpp"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/check.hpp"
#include "bus/broker_server.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

Address place(std::size_t index) {
    return Address::ip("127.0.0.1", static_cast<std::uint16_t>(9000 + index));
}

/// Several communities, each with a broker and a client that writes and subscribes to everything.
struct Communities {
    explicit Communities(const std::vector<std::string>& names, const std::vector<double>& warps = {}) {
        for (const std::string& name : names) {
            const std::size_t index = brokers.size();
            brokers.push_back(std::make_unique<BrokerServer>(
                loop, network,
                BrokerServer::Options{.broker = {.community = name},
                                      .warp = {warps.empty() ? 1 : warps.at(index)}},
                log));
            caribou::check(brokers.back()->listen(place(index)).has_value(), "the port is free");
            people.push_back(std::make_unique<Client>(
                loop, network, ClientOptions{.name = "person", .broker = place(index), .adopt_warp = true}));
            heard.emplace_back();
            people.back()->on_other_mail([this, index](const wire::MessageView& message) {
                if (!message.key.starts_with("DB_")) heard[index].push_back(wire::own(message));
            });
            caribou::check(people.back()->register_wildcard("*", "*").has_value(),
                           "a person hears everything");
            caribou::check(people.back()->start().has_value(), "a person starts");
        }
        loop.advance(1s);
    }
    Share& share(const std::string& text) {
        std::string peers;
        for (std::size_t i = 0; i < brokers.size(); ++i)
            peers += "[[community]]\nname = \"c" + std::to_string(i) +
                     "\"\nport = " + std::to_string(9000 + i) + "\n";
        const auto plan = plan_share(parse_toml_mission(peers + text, "s.toml"));
        caribou::check(plan.has_value(), plan ? "" : plan.error().message);
        SharePlan named = *plan;
        named.client_name += std::to_string(shares.size());
        shares.push_back(std::make_unique<Share>(loop, network, named, log));
        caribou::check(shares.back()->start().has_value(), "the share starts");
        loop.advance(1s);
        return *shares.back();
    }
    void write(std::size_t index, std::string_view key, double value) {
        caribou::check(people[index]->notify(key, value).has_value(), "a person writes");
        loop.advance(100ms);
    }
    std::vector<std::string> told(std::size_t index) {
        std::vector<std::string> all;
        for (const auto& message : heard[index])
            all.push_back(message.key + "=" + std::to_string(static_cast<int>(message.value)) + " of " +
                          message.community);
        return all;
    }

    MemoryLog log;
    VirtualLoop loop;
    MemoryNetwork network{loop};
    std::vector<std::unique_ptr<BrokerServer>> brokers;
    std::vector<std::unique_ptr<Client>> people;
    std::vector<std::vector<wire::Message>> heard;
    std::vector<std::unique_ptr<Share>> shares;
};

TEST(Share, CarriesWhatIsChosenUnderItsNewName) {
    Communities both({"alpha", "shore"});
    both.share("[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"NAV_X\"]\nas = \"ALPHA_X\"\n");
    both.write(0, "NAV_X", 1);
    both.write(0, "NAV_Y", 2);
    both.write(1, "NAV_X", 3);
    EXPECT_THAT(both.told(1), ElementsAre("ALPHA_X=1 of alpha", "NAV_X=3 of shore"));
    EXPECT_EQ(both.heard[1][0].source, "person");
    EXPECT_THAT(both.told(0), ElementsAre("NAV_X=1 of alpha", "NAV_Y=2 of alpha")) << "one way only";
}

TEST(Share, CarriesTextsAndBytesAsTheyAre) {
    Communities both({"alpha", "shore"});
    both.share("[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"T\", \"B\"]\n");
    ASSERT_TRUE(both.people[0]->notify("T", "text", {.aux = "aside", .time = 5.0}));
    ASSERT_TRUE(both.people[0]->notify("B", bytes_of(std::string_view("\0\1", 2))));
    both.loop.advance(1s);
    ASSERT_EQ(both.heard[1].size(), 2u);
    EXPECT_EQ(both.heard[1][0].payload, "text");
    EXPECT_EQ(both.heard[1][0].aux, "aside");
    EXPECT_EQ(both.heard[1][0].time, 5.0);
    EXPECT_TRUE(both.heard[1][1].is_binary());
    EXPECT_EQ(both.heard[1][1].payload, std::string("\0\1", 2));
}

TEST(Share, GoesBothWaysWithoutGoingRound) {
    Communities both({"alpha", "shore"});
    both.share("[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"X\"]\nboth_ways = true\n");
    both.write(0, "X", 1);
    both.write(1, "X", 2);
    both.loop.advance(10s);
    EXPECT_THAT(both.told(0), ElementsAre("X=1 of alpha", "X=2 of shore"));
    EXPECT_THAT(both.told(1), ElementsAre("X=1 of alpha", "X=2 of shore"));
}

TEST(Share, RenamesByPatternAndLeavesTheBrokersOwnVariables) {
    Communities both({"alpha", "shore"});
    both.share("[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"*\"]\nas = \"ALPHA_*\"\n");
    both.write(0, "NAV_X", 1);
    both.loop.advance(10s);
    EXPECT_THAT(both.told(1), ElementsAre("ALPHA_NAV_X=1 of alpha"));
}

TEST(Share, KeepsToItsIntervalAndBringsTheLastValue) {
    Communities both({"alpha", "shore"});
    both.share("[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"X\"]\ninterval = 1.0\n");
    for (int i = 1; i <= 20; ++i) both.write(0, "X", i);
    both.loop.advance(2s);
    EXPECT_LE(both.heard[1].size(), 4u);
    EXPECT_EQ(both.heard[1].back().value, 20);
}

TEST(Share, BringsTheLatestToABrokerThatWasAway) {
    Communities both({"alpha", "shore"});
    both.share("[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"X\"]\n");
    both.brokers[1].reset();
    both.loop.advance(3s);
    both.write(0, "X", 7);
    both.brokers[1] = std::make_unique<BrokerServer>(
        both.loop, both.network, BrokerServer::Options{.broker = {.community = "shore"}}, both.log);
    ASSERT_TRUE(both.brokers[1]->listen(place(1)));
    both.loop.advance(5s);
    EXPECT_THAT(both.told(1), ElementsAre("X=7 of alpha"));
}

TEST(Share, RefusesTwoCommunitiesOfOneName) {
    Communities both({"same", "same"});
    both.share("[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"X\"]\nboth_ways = true\n");
    both.write(0, "X", 1);
    EXPECT_TRUE(both.heard[1].empty());
    EXPECT_TRUE(both.log.mentions("two brokers report the community same"));
}

TEST(Share, RunsAtTheTimeWarpOfItsCommunities) {
    Communities both({"alpha", "shore"}, {10, 10});
    both.share("[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"X\"]\n");
    both.loop.advance(5s);
    both.write(0, "X", 1);
    ASSERT_EQ(both.heard[1].size(), 1u);
    EXPECT_NEAR(both.heard[1][0].time, both.loop.clock().unix_seconds() * 10, 20);
    EXPECT_FALSE(both.log.mentions("time warp")) << "no broker reports the share";
}

TEST(Share, CopiesNothingBetweenDifferentTimeWarps) {
    Communities both({"alpha", "shore"}, {10, 1});
    both.share("[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"X\"]\n");
    both.write(0, "X", 1);
    EXPECT_TRUE(both.heard[1].empty());
    EXPECT_TRUE(both.log.mentions("time warp 1, c0 at 10; nothing is copied between them"));
    EXPECT_EQ(both.shares[0]->stats().routes[0].copied, 0u);
}

TEST(Share, CountsWhatEachRouteHasCopied) {
    Communities both({"alpha", "shore"});
    Share& share = both.share(
        "[[share]]\nfrom = \"c0\"\nto = \"c1\"\nvariables = [\"NAV_*\"]\nas = \"ALPHA_*\"\n"
        "[[share]]\nfrom = \"c1\"\nto = \"c0\"\nvariables = [\"GO\"]\n");
    both.write(0, "NAV_X", 1);
    both.write(0, "NAV_Y", 1);
    both.write(1, "GO", 1);
    EXPECT_THAT(share.report(), ElementsAre("c0 to c1: NAV_* as ALPHA_*: 2 copied, 0 lost",
                                            "c1 to c0: GO: 1 copied, 0 lost"));
}

/// For any graph of sharing, a value arrives at most once in each community, and always where its own
/// community shares it to.
RC_GTEST_PROP(Share, NeverGoesRoundInAnyNet, ()) {
    Communities net({"a", "b", "c"});
    std::set<std::pair<std::size_t, std::size_t>> ways;
    std::string text;
    for (std::size_t from = 0; from < 3; ++from)
        for (std::size_t to = 0; to < 3; ++to)
            if (from != to && *rc::gen::arbitrary<bool>()) {
                ways.emplace(from, to);
                text += "[[share]]\nfrom = \"c" + std::to_string(from) + "\"\nto = \"c" + std::to_string(to) +
                        "\"\nvariables = [\"X*\"]\n";
            }
    RC_PRE(!ways.empty());
    net.share(text);
    const auto writes = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3));
    for (std::size_t i = 0; i < writes.size(); ++i)
        net.write(static_cast<std::size_t>(writes[i]), "X1", static_cast<double>(i));
    net.loop.advance(5s);
    for (std::size_t i = 0; i < writes.size(); ++i)
        for (std::size_t at = 0; at < 3; ++at) {
            const auto times =
                std::ranges::count(net.heard[at], static_cast<double>(i), &wire::Message::value);
            const auto from = static_cast<std::size_t>(writes[i]);
            RC_ASSERT(times == (at == from || ways.contains({from, at}) ? 1 : 0));
        }
}

TEST(SharePlan, SaysWhatIsWrong) {
    const auto told = [](std::string_view text) {
        const auto plan = plan_share(parse_toml_mission(text, "s.toml"));
        return plan ? "" : plan.error().message;
    };
    const std::string two = "[[community]]\nname = \"alpha\"\n[[community]]\nname = \"shore\"\nport = 9001\n";
    EXPECT_THAT(told(""), HasSubstr("sharing requires two communities"));
    EXPECT_THAT(told(two), HasSubstr("nothing to share"));
    EXPECT_THAT(
        told(two + "[[share]]\nfrom = \"alhpa\"\nto = \"shore\"\nvariables = [\"X\"]\n"),
        testing::AllOf(HasSubstr("s.toml:6: error: there is no community `alhpa`; did you mean `alpha`?"),
                       testing::Not(HasSubstr("nothing to share"))));
    EXPECT_THAT(told(two + "[[share]]\nfrom = \"alpha\"\nto = \"alpha\"\nvariables = [\"X\"]\n"),
                HasSubstr("`from` and `to` are both alpha"));
    EXPECT_THAT(
        told(two + "[[share]]\nfrom = \"alpha\"\nto = \"shore\"\nvariables = [\"X\", \"Y\"]\nas = \"Z\"\n"),
        HasSubstr("`as` names one variable"));
    EXPECT_THAT(
        told(two + "[[share]]\nfrom = \"alpha\"\nto = \"shore\"\nvariables = [\"X*Y*\"]\nas = \"Z*\"\n"),
        HasSubstr("one `*` each"));
    EXPECT_THAT(told(two + "[[share]]\nfrom = \"alpha\"\nto = \"shore\"\nvariable = [\"X\"]\n"),
                HasSubstr("did you mean `variables`?"));
    EXPECT_THAT(told(two + "[[shares]]\nfrom = \"alpha\"\n"), HasSubstr("unknown key `shares`"));
}

TEST(SharePlan, FindsTheNameOverThere) {
    const ShareRoute route{.variable = "NAV_*", .as = "ALPHA_*_NAV"};
    EXPECT_EQ(name_over_there(route, "NAV_X"), "ALPHA_X_NAV");
    EXPECT_EQ(name_over_there(route, "NAV_"), "ALPHA__NAV");
    EXPECT_EQ(name_over_there(route, "DEPTH"), "");
    EXPECT_EQ(name_over_there({.variable = "DB_*", .as = "DB_*"}, "DB_TIME"), "");
    EXPECT_EQ(name_over_there({.variable = "DB_TIME", .as = "T"}, "DB_TIME"), "T");
}

}  // namespace
}  // namespace caribou::bus
