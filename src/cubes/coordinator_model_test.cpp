// Compares the coordinator with a small independent model of its rules, over long random sequences of
// subscriptions and of a link that succeeds, fails, hangs and breaks. A failure prints the seed, and is
// shrunk to the shortest sequence that reproduces it.
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cubes/coordinator_rig.hpp"
#include "cubes/reference_coordinator.hpp"

namespace caribou::cubes {
namespace {

constexpr Duration tick = std::chrono::milliseconds(100);
constexpr int longest_wait = 400;  // ticks

/// One event. Events that are not possible in the current state are ignored.
struct Event {
    enum class Kind : std::uint8_t {
        wait,
        subscribe,
        unsubscribe,
        change_faith,
        link_succeeds,
        link_fails,
        link_breaks,
        link_closes,
        link_comes_further,
        connect_by_hand,
        disconnect_by_hand,
        change_refusal,
        change_closing,
    };
    Kind kind;
    std::size_t who;
    bool interactable;
    int ticks;  ///< to wait, or until it expires; for the latter, above longest_wait / 2 means never
};

std::ostream& operator<<(std::ostream& out, const Event& event) {
    return out << "{Event::Kind(" << int(event.kind) << "), " << event.who << ", " << event.interactable
               << ", " << event.ticks << "}";
}

rc::Gen<Event> any_event() {
    using Kind = Event::Kind;
    const auto kind = rc::gen::weightedElement<Kind>({{6, Kind::wait},
                                                      {6, Kind::subscribe},
                                                      {5, Kind::unsubscribe},
                                                      {1, Kind::change_faith},
                                                      {5, Kind::link_succeeds},
                                                      {2, Kind::link_fails},
                                                      {2, Kind::link_breaks},
                                                      {3, Kind::link_closes},
                                                      {1, Kind::link_comes_further},
                                                      {2, Kind::connect_by_hand},
                                                      {2, Kind::disconnect_by_hand},
                                                      {1, Kind::change_refusal},
                                                      {1, Kind::change_closing}});
    return rc::gen::construct<Event>(kind, rc::gen::inRange<std::size_t>(0, 4), rc::gen::arbitrary<bool>(),
                                     rc::gen::inRange(0, longest_wait));
}

/// The coordinator and its model, which receive the same events.
class Both {
public:
    Both() {
        for (const char* name : {"a", "b", "c", "d"})
            subscribers_.push_back(std::make_unique<WrittenSubscriber>(name, rig_.heard));
    }

    void happen(const Event& event) {
        WrittenSubscriber& subscriber = *subscribers_[event.who];
        const std::string who(subscriber.cube_connection_debug_name());
        const LinkState link = rig_.link.link_state();
        switch (event.kind) {
            case Event::Kind::wait: return wait(event.ticks);
            case Event::Kind::subscribe: {
                const bool expires = event.ticks > 0 && event.ticks <= longest_wait / 2;
                const auto type =
                    event.interactable ? ConnectionType::interactable : ConnectionType::background;
                subscriber.subscription = rig_.coordinator.subscribe(
                    subscriber, {type, expires ? std::optional(event.ticks * tick) : std::nullopt});
                model_.subscribe(who, type, expires ? event.ticks : -1);
                break;
            }
            case Event::Kind::unsubscribe:
                subscriber.subscription.reset();
                model_.unsubscribe(who);
                break;
            case Event::Kind::change_faith: change_faith(subscriber, who); break;
            case Event::Kind::link_succeeds:
                // Also from idle: a connection made without the coordinator.
                if (link == LinkState::connected || link == LinkState::disconnecting) return;
                model_.succeed();
                rig_.link.succeed();
                break;
            case Event::Kind::link_fails:
                if (link != LinkState::connecting) return;
                model_.fail_attempt();
                rig_.link.fail_attempt();
                break;
            case Event::Kind::link_breaks:
                if (link != LinkState::connected && link != LinkState::connecting) return;
                model_.lose();
                rig_.link.lose();
                break;
            case Event::Kind::link_closes:
                if (link != LinkState::disconnecting) return;
                model_.close();
                rig_.link.close();
                break;
            case Event::Kind::link_comes_further:
                model_.progress();
                rig_.link.progress();
                break;
            case Event::Kind::connect_by_hand:
                model_.connect_by_hand();
                std::ignore = rig_.link.connect();
                break;
            case Event::Kind::disconnect_by_hand:
                if (link != LinkState::connected) return;
                model_.disconnect_by_hand();
                rig_.link.disconnect_by_hand();
                break;
            case Event::Kind::change_refusal:
                model_.refuses_connect = rig_.link.refuses_connect = !rig_.link.refuses_connect;
                break;
            case Event::Kind::change_closing:
                model_.closes_at_once = rig_.link.closes_at_once = !rig_.link.closes_at_once;
                break;
        }
        rig_.loop.run_ready();
        model_.settle();
        compare();
    }

    /// Removes all subscribers. From any state, the radio must be idle after the configured times.
    void come_to_rest() {
        for (std::size_t who = 0; who < subscribers_.size(); ++who) {
            if (model_.faithful.contains(std::string(subscribers_[who]->cube_connection_debug_name())))
                happen({Event::Kind::change_faith, who, false, 0});
            happen({Event::Kind::unsubscribe, who, false, 0});
        }
        if (!rig_.link.closes_at_once) happen({Event::Kind::change_closing, 0, false, 0});
        const CoordinatorTimes times;
        wait(static_cast<int>((times.standby + std::chrono::milliseconds(5500) + times.background_hold) /
                              tick));
        happen({Event::Kind::link_closes, 0, false, 0});
        happen({Event::Kind::link_fails, 0, false, 0});  // of an attempt by hand
        wait(1);
        RC_ASSERT(rig_.state() == CoordinatorState::unconnected);
        RC_ASSERT(rig_.link.link_state() == LinkState::idle);
        RC_ASSERT(rig_.loop.idle());
    }

private:
    void wait(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            rig_.loop.advance(tick);
            model_.tick();
            compare();
        }
    }

    void change_faith(WrittenSubscriber& subscriber, const std::string& who) {
        if (model_.faithful.erase(who) > 0) {
            subscriber.in_lost = nullptr;
            subscriber.in_failed = nullptr;
            return;
        }
        model_.faithful.insert(who);
        const auto again = [&] { subscriber.subscription = rig_.coordinator.subscribe(subscriber); };
        subscriber.in_lost = again;
        subscriber.in_failed = again;
    }

    void compare() {
        RC_ASSERT(rig_.state() == model_.state);
        RC_ASSERT(rig_.heard == model_.heard);
        RC_ASSERT(rig_.link.connects == model_.connects);
        RC_ASSERT(rig_.link.link_state() == model_.link);
    }

    CoordinatorRig rig_;
    ReferenceCoordinator model_;
    std::vector<std::unique_ptr<WrittenSubscriber>> subscribers_;
};

RC_GTEST_PROP(CoordinatorModel, AgreesOverLongRandomHistories, ()) {
    const auto history = *rc::gen::scale(4.0, rc::gen::container<std::vector<Event>>(any_event()));
    Both both;
    for (const Event& event : history) both.happen(event);
    both.come_to_rest();
}

}  // namespace
}  // namespace caribou::cubes
