#include "cubes/coordinator.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cubes/coordinator_rig.hpp"
#include "cubes/cube_system.hpp"
#include "cubes/simulated_radio.hpp"

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using enum CoordinatorState;
using enum ConnectionType;

class Coordinator : public testing::Test, public CoordinatorRig {
protected:
    /// Advances to the start of the disconnect lights, without any interactable subscriber.
    void begin_switching() {
        connect(a, interactable);
        unsubscribe(a);
        loop.advance(15s);
        ASSERT_EQ(state(), switching_to_background);
        heard.clear();
        lights.played.clear();
    }
};

// The rows of the table.

TEST_F(Coordinator, ConnectsWhenASubscriptionExists) {
    loop.advance(1h);
    EXPECT_EQ(link.connects, 0);
    subscribe(a, background);
    EXPECT_EQ(state(), connecting);
    EXPECT_EQ(link.connects, 1);
    EXPECT_THAT(heard, IsEmpty());
}

TEST_F(Coordinator, BecomesInteractableWithLightsIfAnybodyIsInteractable) {
    subscribe(a, background);
    connect(b, interactable);
    EXPECT_EQ(state(), connected_interactable);
    EXPECT_THAT(lights.played, ElementsAre("connect"));
    EXPECT_TRUE(lights.status);
    EXPECT_THAT(heard, ElementsAre("a: interactable", "b: interactable"));
}

TEST_F(Coordinator, BecomesBackgroundWithoutLightsIfNobodyIsInteractable) {
    connect(a, background);
    EXPECT_EQ(state(), connected_background);
    EXPECT_THAT(lights.played, IsEmpty());
    EXPECT_FALSE(lights.status);
    EXPECT_THAT(heard, ElementsAre("a: background"));
}

TEST_F(Coordinator, DropsEverybodyAndTellsThemWhenConnectingFails) {
    subscribe(a, background);
    subscribe(b, interactable);
    link.fail_attempt();
    EXPECT_EQ(state(), unconnected);
    EXPECT_THAT(heard, ElementsAre("a: failed", "b: failed"));
    EXPECT_FALSE(a.subscription.active());
    loop.advance(1h);
    EXPECT_EQ(link.connects, 1);
    EXPECT_THAT(coordinator.history().back().why, HasSubstr("no cube is in range"));
}

TEST_F(Coordinator, FailsWhenTheTimeLimitForConnectingPasses) {
    subscribe(a, interactable);
    loop.advance(20s - 1ns);
    EXPECT_EQ(state(), connecting);
    loop.advance(1ns);
    EXPECT_EQ(state(), unconnected);
    EXPECT_THAT(heard, ElementsAre("a: failed"));
    EXPECT_EQ(link.link_state(), LinkState::idle) << "the attempt is given up";
}

TEST_F(Coordinator, GivesAnAttemptThatComesFurtherMoreTime) {
    subscribe(a, interactable);
    for (int i = 0; i < 5; ++i) {
        loop.advance(19s);
        link.progress();
    }
    EXPECT_EQ(state(), connecting);
    loop.advance(20s);
    EXPECT_EQ(state(), unconnected);
}

TEST_F(Coordinator, FailsAtOnceWhenTheRadioDoes) {
    link.refuses_connect = true;
    subscribe(a, interactable);
    EXPECT_EQ(state(), unconnected);
    EXPECT_THAT(heard, ElementsAre("a: failed"));
}

TEST_F(Coordinator, KeepsWhoSubscribesAgainInsideTheFailure) {
    a.in_failed = [&] { a.subscription = coordinator.subscribe(a); };
    subscribe(a, interactable);
    link.fail_attempt();
    EXPECT_EQ(state(), unconnected);
    EXPECT_TRUE(a.subscription.active());
    loop.advance(500ms);
    EXPECT_EQ(state(), connecting);
    link.succeed();
    EXPECT_THAT(heard, ElementsAre("a: failed", "a: interactable"));
}

TEST_F(Coordinator, WaitsLongerAfterEachFailureUntilASuccess) {
    link.refuses_connect = true;
    a.in_failed = [&] { a.subscription = coordinator.subscribe(a); };
    subscribe(a, interactable);
    std::vector<Duration> pauses;
    for (int last = link.connects; pauses.size() < 8; last = link.connects) {
        const Instant before = loop.clock().now();
        ASSERT_TRUE(loop.run_until([&] { return link.connects > last; }, 1min));
        pauses.push_back(loop.clock().now() - before);
    }
    EXPECT_THAT(pauses, ElementsAre(500ms, 1s, 2s, 4s, 8s, 16s, 30s, 30s));
    link.refuses_connect = false;
    loop.advance(30s);
    link.succeed();
    link.lose();
    subscribe(b, background);
    EXPECT_EQ(state(), connecting) << "at once after a success";
    link.fail_attempt();
    subscribe(b, background);
    EXPECT_EQ(state(), unconnected);
    loop.advance(500ms);
    EXPECT_EQ(state(), connecting) << "and the pauses begin anew";
}

TEST_F(Coordinator, AbandonsTheAttemptWhenTheLastSubscriberIsGone) {
    link.closes_at_once = false;
    subscribe(a, interactable);
    subscribe(b, background);
    unsubscribe(a);
    EXPECT_EQ(state(), connecting);
    unsubscribe(b);
    EXPECT_EQ(state(), disconnecting);
    link.close();
    EXPECT_EQ(state(), unconnected);
    EXPECT_THAT(heard, IsEmpty());
}

TEST_F(Coordinator, SwitchesWithLightsWhenNobodyIsInteractableForTheStandby) {
    connect(a, interactable);
    lights.played.clear();
    unsubscribe(a);
    loop.advance(15s - 1ns);
    EXPECT_EQ(state(), connected_interactable);
    loop.advance(1ns);
    EXPECT_EQ(state(), switching_to_background);
    EXPECT_THAT(lights.played, ElementsAre("disconnect"));
}

TEST_F(Coordinator, BeginsTheStandbyAnewWhenSomebodyCame) {
    connect(a, interactable);
    unsubscribe(a);
    loop.advance(10s);
    subscribe(a, interactable);
    loop.advance(10s);
    unsubscribe(a);
    loop.advance(10s);
    EXPECT_EQ(state(), connected_interactable);
    loop.advance(5s);
    EXPECT_EQ(state(), switching_to_background);
}

TEST_F(Coordinator, BecomesBackgroundAfterLightsAndGraceAndTellsWhoRemains) {
    subscribe(b, background);
    begin_switching();
    loop.advance(5s + 500ms - 1ns);
    EXPECT_EQ(state(), switching_to_background);
    EXPECT_THAT(heard, IsEmpty());
    loop.advance(1ns);
    EXPECT_EQ(state(), connected_background);
    EXPECT_THAT(heard, ElementsAre("b: background"));
    EXPECT_FALSE(lights.status);
}

TEST_F(Coordinator, ReturnsFromSwitchingWithoutLightsAndTellsTheNewcomer) {
    begin_switching();
    loop.advance(2s);
    subscribe(b, interactable);
    EXPECT_EQ(state(), connected_interactable);
    EXPECT_THAT(lights.played, ElementsAre("stop"));
    EXPECT_THAT(heard, ElementsAre("b: interactable"));
    EXPECT_TRUE(lights.status);
    loop.advance(1h);
    EXPECT_EQ(state(), connected_interactable);
}

TEST_F(Coordinator, BecomesInteractableFromBackgroundAsThoughItWereNew) {
    connect(a, background);
    subscribe(b, interactable);
    EXPECT_EQ(state(), connected_interactable);
    EXPECT_THAT(lights.played, ElementsAre("connect"));
    EXPECT_THAT(heard, ElementsAre("a: background", "b: background", "a: interactable", "b: interactable"));
}

TEST_F(Coordinator, DisconnectsWithoutASignWhenNobodyIsThereForTheHold) {
    link.closes_at_once = false;
    connect(a, background);
    unsubscribe(a);
    heard.clear();
    loop.advance(15s - 1ns);
    EXPECT_EQ(state(), connected_background);
    loop.advance(1ns);
    EXPECT_EQ(state(), disconnecting);
    link.close();
    EXPECT_EQ(state(), unconnected);
    EXPECT_THAT(lights.played, IsEmpty());
    EXPECT_THAT(heard, IsEmpty());
}

TEST_F(Coordinator, StartsANewAttemptForWhoCameWhileDisconnecting) {
    link.closes_at_once = false;
    connect(a, background);
    unsubscribe(a);
    loop.advance(15s);
    subscribe(b, background);
    EXPECT_EQ(state(), disconnecting);
    link.close();
    EXPECT_EQ(state(), connecting);
    link.succeed();
    EXPECT_THAT(heard, ElementsAre("a: background", "b: background"));
}

TEST_F(Coordinator, DoesNotWaitForAClosingLinkForever) {
    link.closes_at_once = false;
    connect(a, background);
    unsubscribe(a);
    loop.advance(15s);
    loop.advance(10s);
    EXPECT_EQ(state(), unconnected);
    subscribe(b, background);
    EXPECT_EQ(state(), connecting);
    link.close();
    EXPECT_EQ(state(), connecting) << "the link goes on to the new attempt by itself";
}

class LossFrom : public Coordinator, public testing::WithParamInterface<CoordinatorState> {};

TEST_P(LossFrom, DropsEverybodyBeforeAnyCallback) {
    connect(a, GetParam() == connected_background ? background : interactable);
    if (GetParam() == switching_to_background) {
        unsubscribe(a);
        loop.advance(15s);
        subscribe(a, background);
    }
    subscribe(b, background);
    ASSERT_EQ(state(), GetParam());
    heard.clear();
    a.in_lost = [&] {
        EXPECT_EQ(state(), unconnected);
        EXPECT_THAT(coordinator.status().subscribers, IsEmpty());
        EXPECT_FALSE(lights.status);
    };
    link.lose();
    EXPECT_THAT(heard, ElementsAre("a: lost", "b: lost"));
    loop.advance(1h);
    EXPECT_EQ(link.connects, 1);
}

INSTANTIATE_TEST_SUITE_P(All, LossFrom,
                         testing::Values(connected_interactable, switching_to_background,
                                         connected_background));

TEST_F(Coordinator, StartsAFreshAttemptForWhoSubscribesInsideTheLoss) {
    a.in_lost = [&] { a.subscription = coordinator.subscribe(a); };
    connect(a, interactable);
    heard.clear();
    link.lose();
    loop.run_ready();
    EXPECT_EQ(state(), connecting);
    EXPECT_THAT(heard, ElementsAre("a: lost")) << "and never a spurious `connected`";
    link.succeed();
    EXPECT_THAT(heard, ElementsAre("a: lost", "a: interactable"));
}

TEST_F(Coordinator, SurvivesALossWhileASwitchIsBeingCancelled) {
    begin_switching();
    b.subscription = coordinator.subscribe(b);
    link.lose();
    EXPECT_THAT(heard, ElementsAre("b: lost"));
    loop.run_ready();
    EXPECT_EQ(state(), unconnected);
    EXPECT_THAT(lights.played, ElementsAre("stop"));
}

// Rules.

TEST_F(Coordinator, CountsTwoSubscriptionsWithTheSameExpiryAsTwo) {
    connect(a, background);
    subscribe(a, background, 30s);
    subscribe(b, background, 30s);
    unsubscribe(a);
    loop.advance(29s);
    EXPECT_EQ(coordinator.status().subscribers.size(), 1U);
    loop.advance(1s);
    EXPECT_THAT(coordinator.status().subscribers, IsEmpty());
}

TEST_F(Coordinator, LetsSubscriptionsExpireInEveryState) {
    subscribe(a, interactable, 5s);
    loop.advance(5s);
    EXPECT_EQ(state(), unconnected) << "while connecting";
    connect(a, interactable);
    subscribe(a, interactable, 3s);
    loop.advance(3s);
    EXPECT_FALSE(a.subscription.active()) << "while interactable";
    loop.advance(15s);
    subscribe(b, background, 1s);
    loop.advance(1s);
    EXPECT_FALSE(b.subscription.active()) << "while switching";
    loop.advance(5s);
    ASSERT_EQ(state(), connected_background);
    subscribe(b, background, 1s);
    loop.advance(1s);
    EXPECT_FALSE(b.subscription.active()) << "in the background";
    link.closes_at_once = false;
    loop.advance(15s);
    ASSERT_EQ(state(), disconnecting);
    subscribe(b, background, 1s);
    loop.advance(1s);
    EXPECT_FALSE(b.subscription.active()) << "while disconnecting";
    link.close();
    EXPECT_EQ(state(), unconnected);
    link.closes_at_once = true;
    subscribe(b, background);
    link.fail_attempt();
    subscribe(b, background, 100ms);
    loop.advance(100ms);
    EXPECT_FALSE(b.subscription.active()) << "while it waits for the next attempt";
    loop.advance(1h);
    EXPECT_EQ(state(), unconnected);
}

TEST_F(Coordinator, ReplacesTheRecordOfASubscriberWhoSubscribesAgain) {
    connect(a, interactable);
    CubeSubscription old = std::move(a.subscription);
    subscribe(a, background, 1min);
    EXPECT_EQ(coordinator.status().subscribers, (std::vector<SubscriberStatus>{{"a", background, 1min, 0s}}));
    EXPECT_FALSE(old.active());
    old.reset();
    EXPECT_TRUE(a.subscription.active()) << "the old handle is without effect";
    EXPECT_THAT(heard, ElementsAre("a: interactable", "a: interactable"));
    EXPECT_THAT(lights.played, ElementsAre("connect")) << "nothing happens to the link";
    loop.advance(15s);
    EXPECT_EQ(state(), switching_to_background) << "it is not interactable any more";
}

TEST_F(Coordinator, MayBeSubscribedAgainInEveryCallback) {
    a.in_connected = [&] { a.subscription = coordinator.subscribe(a, {interactable, 1min}); };
    connect(a, interactable);
    EXPECT_THAT(heard, ElementsAre("a: interactable"));
}

TEST_F(Coordinator, ChangesNothingWhenBackgroundJoinsInteractable) {
    connect(a, interactable);
    subscribe(b, background);
    EXPECT_EQ(state(), connected_interactable);
    EXPECT_THAT(lights.played, ElementsAre("connect"));
    EXPECT_THAT(heard, ElementsAre("a: interactable", "b: interactable"));
}

TEST_F(Coordinator, IsNotHeldByASubscriberThatIsDestroyedBeforeItsHandle) {
    auto gone = std::make_unique<WrittenSubscriber>("gone", heard);
    connect(*gone, interactable);
    const CubeSubscription elsewhere = std::move(gone->subscription);
    gone.reset();
    EXPECT_FALSE(elsewhere.active());
    EXPECT_THAT(coordinator.status().subscribers, IsEmpty());
    loop.advance(1min);
    EXPECT_EQ(state(), unconnected);
}

TEST_F(Coordinator, KeepsASubscriptionThatExpiresAfterTheLongestTime) {
    subscribe(a, background, Duration::max());
    loop.advance(1s);
    EXPECT_TRUE(a.subscription.active());
}

TEST_F(Coordinator, ContainsWhatACallbackThrows) {
    std::vector<std::string> thrown;
    coordinator.set_on_throw([&](std::string_view who, std::string_view what) {
        thrown.push_back(fmt::format("{}: {}", who, what));
    });
    a.in_connected = [] { throw std::runtime_error("no lights"); };
    subscribe(a, background);
    connect(b, background);
    EXPECT_THAT(heard, ElementsAre("a: background", "b: background")) << "the others are notified";
    EXPECT_FALSE(a.subscription.active());
    EXPECT_TRUE(b.subscription.active());
    b.in_lost = [] { throw 7; };
    subscribe(a, background);
    link.lose();
    EXPECT_EQ(state(), unconnected);
    EXPECT_THAT(thrown, ElementsAre("a: no lights", "a: no lights", "b: a value that is not an exception"));
}

TEST_F(Coordinator, TakesTheEndOfALinkByHandForALossAtOnce) {
    connect(a, interactable);
    link.closes_at_once = false;
    heard.clear();
    link.disconnect_by_hand();
    EXPECT_THAT(heard, ElementsAre("a: lost")) << "while the radio still disconnects";
    EXPECT_EQ(state(), unconnected);
    EXPECT_FALSE(a.subscription.active());
    EXPECT_FALSE(lights.status);
}

TEST_F(Coordinator, DoesNotTellWhoIsDestroyedByAnothersCallback) {
    auto victim = std::make_unique<WrittenSubscriber>("victim", heard);
    a.in_lost = [&] { victim.reset(); };
    connect(a, interactable);
    subscribe(*victim, background);
    heard.clear();
    link.lose();
    EXPECT_THAT(heard, ElementsAre("a: lost"));
}

TEST_F(Coordinator, IsUnsubscribedFromWhenASubscriberDies) {
    auto gone = std::make_unique<WrittenSubscriber>("gone", heard);
    connect(*gone, background);
    gone.reset();
    loop.run_ready();
    EXPECT_THAT(coordinator.status().subscribers, IsEmpty());
}

TEST(CubeSubscription, OutlivesTheCoordinator) {
    CubeSubscription subscription;
    std::vector<std::string> heard;
    WrittenSubscriber subscriber("late", heard);
    {
        CoordinatorRig rig;
        subscription = rig.coordinator.subscribe(subscriber);
        EXPECT_TRUE(subscription.active());
    }
    EXPECT_FALSE(subscription.active());
    subscription.reset();
}

TEST_F(Coordinator, TakesAConnectionByHandForABackgroundOne) {
    link.succeed();
    EXPECT_EQ(state(), connected_background);
    EXPECT_THAT(coordinator.history().back().why, HasSubstr("not by the coordinator"));
    loop.advance(15s);
    EXPECT_EQ(state(), unconnected) << "nobody needs it, so it is let go";
    EXPECT_EQ(link.disconnects, 1);
}

TEST_F(Coordinator, GivesAConnectionByHandToWhoWaits) {
    subscribe(a, interactable);
    link.fail_attempt();
    subscribe(a, interactable);
    ASSERT_EQ(state(), unconnected);
    link.succeed();
    EXPECT_EQ(state(), connected_interactable);
    EXPECT_THAT(heard, ElementsAre("a: failed", "a: interactable"));
}

TEST_F(Coordinator, TakesADisconnectByHandForALossOrAFailure) {
    connect(a, interactable);
    heard.clear();
    link.lose();
    subscribe(a, interactable);
    ASSERT_EQ(state(), connecting);
    link.lose();
    EXPECT_EQ(state(), unconnected);
    EXPECT_THAT(heard, ElementsAre("a: lost", "a: failed"));
}

// Over the link itself: a connection made by hand while the old one is being closed.
TEST(CubeSystem, NoticesADisconnectAndConnectByHand) {
    VirtualLoop loop;
    NullLog log;
    SimulatedRadio radio(loop);
    SimulatedCube& cube = radio.add_cube();
    MemoryPreferenceStore preferences;
    CubeSystem cubes(loop, radio, preferences, log);
    std::vector<std::string> heard;
    WrittenSubscriber subscriber("game", heard);
    subscriber.subscription = cubes.coordinator.subscribe(subscriber);
    ASSERT_TRUE(loop.run_until([&] { return cubes.coordinator.connection().has_value(); }, 60s));
    loop.run_ready();
    cubes.comms.disconnect();
    ASSERT_TRUE(cubes.comms.connect());
    cube.set_distance(50);
    loop.advance(240s);
    EXPECT_EQ(cubes.coordinator.state(), unconnected);
    EXPECT_THAT(heard, ElementsAre("game: interactable", "game: lost"));
    cube.set_distance(0.5);
    subscriber.subscription = cubes.coordinator.subscribe(subscriber);
    loop.advance(60s);
    EXPECT_EQ(heard.back(), "game: interactable");
    EXPECT_EQ(cubes.comms.link_state(), LinkState::connected);
}

// Status for users.

TEST_F(Coordinator, TellsWhatIsComing) {
    const auto countdown = [&] { return coordinator.status().countdown; };
    EXPECT_FALSE(countdown());
    subscribe(a, interactable);
    loop.advance(1s);
    EXPECT_EQ(countdown(), (Countdown{"time limit for connecting", 19s}));
    link.succeed();
    EXPECT_FALSE(countdown()) << "somebody needs it as it is";
    unsubscribe(a);
    loop.advance(5s);
    EXPECT_EQ(countdown(), (Countdown{"standby", 10s}));
    loop.advance(10s);
    EXPECT_EQ(countdown(), (Countdown{"disconnect lights", 5500ms}));
    loop.advance(5500ms);
    EXPECT_EQ(countdown(), (Countdown{"background hold", 15s}));
}

TEST_F(Coordinator, RemembersItsLatestTransitionsWithReasons) {
    connect(a, background);
    ASSERT_EQ(coordinator.history().size(), 2U);
    EXPECT_EQ(to_string(coordinator.history()[1]),
              "0.000 s  connecting -> connected_background: the cube is connected");
    for (int i = 0; i < 100; ++i) {
        link.lose();
        connect(a, background);
    }
    EXPECT_EQ(coordinator.history().size(), CubeConnectionCoordinator::history_size);
    EXPECT_EQ(coordinator.transitions(), 302U);
}

}  // namespace
}  // namespace caribou::cubes
