// Random histories of the whole cube system over a simulated radio: subscriptions, connections by hand,
// distance and faults of the radio. Compares what each subscriber was told with what holds.
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "base/random.hpp"
#include "cubes/cube_system.hpp"
#include "cubes/simulated_radio.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;

/// Remembers what it was told last.
class Told final : public CubeConnectionSubscriber {
public:
    explicit Told(std::string name) : name_(std::move(name)) {}
    std::string_view cube_connection_debug_name() const override { return name_; }
    void connected_callback(ConnectionType type) override { type_ = type; }
    void connection_failed_callback() override { was_dropped(); }
    void connection_lost_callback() override { was_dropped(); }

    std::optional<ConnectionType> type() const { return type_; }
    void forget() { type_.reset(); }
    CubeSubscription subscription;
    int dropped = 0;

private:
    void was_dropped() {
        ++dropped;
        type_.reset();
    }
    std::string name_;
    std::optional<ConnectionType> type_;
};

class CubeSystemModel : public testing::TestWithParam<std::uint64_t> {
protected:
    CubeSystemModel() {
        near_ = &radio_.add_cube({.address = {0xc0be'0000'0001}, .distance = 1});
        radio_.add_cube({.address = {0xc0be'0000'0002}, .distance = 4});
        for (const char* name : {"a", "b", "c"}) told_.push_back(std::make_unique<Told>(name));
    }

    void act() {
        Told& who = *told_[random_.below(told_.size())];
        switch (random_.below(10)) {
            case 0:
            case 1:
                who.forget();
                who.subscription = system_.coordinator.subscribe(
                    who, {random_.chance(0.5) ? ConnectionType::interactable : ConnectionType::background});
                break;
            case 2: who.subscription.reset(); break;
            case 3: std::ignore = system_.comms.connect(); break;
            case 4: system_.comms.disconnect(); break;
            case 5:
                system_.comms.disconnect();
                std::ignore = system_.comms.connect();
                break;
            case 6: near_->set_distance(random_.chance(0.5) ? 1 : 50); break;
            case 7: radio_.drop_link(); break;
            case 8:
                radio_.set_faults({.refuse_connect = random_.chance(0.2),
                                   .hang_connect = random_.chance(0.2),
                                   .refuse_disconnect = random_.chance(0.2),
                                   .hang_disconnect = random_.chance(0.2),
                                   .hang_values = random_.chance(0.2)});
                break;
            default: break;
        }
    }
    void wait() {
        static constexpr Duration times[] = {0ms, 0ms, 10ms, 60ms, 500ms, 4s, 20s};
        loop_.advance(times[random_.below(std::size(times))]);
        loop_.run_ready();
    }
    void check(int step) {
        const auto connection = system_.coordinator.connection();
        if (connection) {
            ASSERT_EQ(system_.comms.link_state(), LinkState::connected) << "step " << step;
        }
        for (const auto& told : told_)
            if (told->subscription.active()) {
                ASSERT_EQ(told->type(), connection)
                    << told->cube_connection_debug_name() << ", step " << step;
            }
    }
    /// Ends everything: from any state, the radio must become idle.
    void come_to_rest() {
        radio_.set_faults({});
        for (const auto& told : told_) told->subscription.reset();
        loop_.advance(2min);
        EXPECT_EQ(system_.coordinator.state(), CoordinatorState::unconnected);
        EXPECT_EQ(system_.comms.link_state(), LinkState::idle);
    }
    /// A subscriber gets a cube again.
    void connect_again() {
        near_->set_distance(1);
        Told& who = *told_.front();
        who.forget();
        who.subscription = system_.coordinator.subscribe(who, {ConnectionType::interactable});
        loop_.advance(1min);
        EXPECT_EQ(who.type(), ConnectionType::interactable);
    }

    Random random_{GetParam()};
    VirtualLoop loop_;
    NullLog log_;
    MemoryPreferenceStore preferences_;
    SimulatedRadio radio_{loop_};
    SimulatedCube* near_ = nullptr;
    CubeSystem system_{loop_, radio_, preferences_, log_};
    std::vector<std::unique_ptr<Told>> told_;
};

TEST_P(CubeSystemModel, TellsEachSubscriberWhatHolds) {
    for (int step = 0; step < 150; ++step) {
        act();
        wait();
        ASSERT_NO_FATAL_FAILURE(check(step));
    }
    come_to_rest();
    connect_again();
}

INSTANTIATE_TEST_SUITE_P(Seeds, CubeSystemModel, testing::Range<std::uint64_t>(1, 201));

}  // namespace
}  // namespace caribou::cubes
