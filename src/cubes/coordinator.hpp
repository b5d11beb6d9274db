#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubes/connection_lights.hpp"
#include "cubes/connection_subscriber.hpp"
#include "cubes/coordinator_status.hpp"
#include "cubes/cube_link.hpp"
#include "cubes/subscription.hpp"
#include "loop/loop.hpp"

namespace caribou::cubes {

struct CoordinatorTimes {
    Duration standby = std::chrono::seconds(15);             ///< interactable, but not needed as such
    Duration lights_grace = std::chrono::milliseconds(500);  ///< after the disconnect lights
    Duration background_hold = std::chrono::seconds(15);     ///< connected, without any subscriber
    Duration connect_limit = std::chrono::seconds(20);       ///< for an attempt, or for each step of it
    Duration disconnect_limit = std::chrono::seconds(10);
    Duration first_back_off = std::chrono::milliseconds(500);  ///< doubled with each failure
    Duration max_back_off = std::chrono::seconds(30);
};

struct SubscribeOptions {
    ConnectionType type = ConnectionType::interactable;
    std::optional<Duration> expires_after{};  ///< nullopt: until the handle is destroyed
};

/// Maintains one connection for all components that need it, visibly or in the background, and closes it when
/// none does.
///
/// | from         | event                              | result                                       |
/// |--------------|------------------------------------|----------------------------------------------|
/// | unconnected  | a subscription exists              | connecting, after the back-off               |
/// | connecting   | connected                          | interactable with connection lights if a     |
/// |              |                                    | subscriber requests it, otherwise background |
/// |              | failed, or the limit passed        | subscriptions dropped; unconnected; each     |
/// |              |                                    | subscriber is notified                       |
/// |              | the last subscriber is gone        | disconnecting                                |
/// | interactable | no interactable subscriber for the | switching, with disconnect lights            |
/// |              | standby time                       |                                              |
/// | switching    | lights and grace time are over     | background                                   |
/// |              | an interactable subscription       | interactable, without connection lights      |
/// | background   | an interactable subscription       | interactable, with connection lights         |
/// |              | no subscriber for the hold time    | disconnecting, without lights                |
/// | disconnecting| closed, or the limit passed        | unconnected                                  |
/// | connected    | the link is lost, or ended by      | subscriptions dropped; unconnected; each     |
/// |              | another component                  | subscriber is notified                       |
/// | the others   | connected by another component     | as from connecting                           |
///
/// While connected, each subscription is notified once of the current type of the connection, and of each
/// change. Everything happens on the loop: a call takes effect at the end of the turn.
class CubeConnectionCoordinator final : private LinkEvents {
public:
    static constexpr std::size_t history_size = 100;

    /// All arguments passed by reference must outlive the coordinator.
    CubeConnectionCoordinator(Loop& loop, CubeLink& link, ConnectionLights& lights,
                              CoordinatorTimes times = {});
    ~CubeConnectionCoordinator();
    CubeConnectionCoordinator(const CubeConnectionCoordinator&) = delete;
    CubeConnectionCoordinator& operator=(const CubeConnectionCoordinator&) = delete;

    /// Subscribes, and returns a handle that ends the subscription when it is destroyed. Replaces an earlier
    /// subscription of the same subscriber, whose handle then has no effect.
    [[nodiscard]] CubeSubscription subscribe(CubeConnectionSubscriber& subscriber,
                                             const SubscribeOptions& options = {});

    /// Sets a function that is called with the name of a subscriber whose callback has thrown, and with what
    /// it has thrown.
    void set_on_throw(std::move_only_function<void(std::string_view who, std::string_view what)> on_throw) {
        on_throw_ = std::move(on_throw);
    }

    CoordinatorState state() const { return state_; }
    /// Returns the type of the connection, or nullopt if there is none; still interactable while switching.
    std::optional<ConnectionType> connection() const;
    CoordinatorStatus status() const;
    /// Returns the latest transitions (at most history_size), oldest first.
    const std::deque<Transition>& history() const { return history_; }
    /// Returns the number of transitions since the beginning.
    std::uint64_t transitions() const { return transitions_; }

private:
    friend class CubeSubscription;
    friend class CubeConnectionSubscriber;

    struct Record {
        std::uint64_t id;
        std::weak_ptr<CubeConnectionSubscriber*> subscriber;
        ConnectionType type;
        Instant since;
        std::optional<Instant> expires;
        std::optional<ConnectionType> told;
    };
    enum class Farewell : std::uint8_t { failed, lost };

    void on_link_connected() override;
    void on_link_progress() override;
    void on_link_failed(const Error& why) override;
    void on_link_ending() override;
    void on_link_closed(const Error& why) override;

    /// Ends the subscription of a subscriber that is being destroyed.
    void forget(const CubeConnectionSubscriber& subscriber);
    void unsubscribe(std::uint64_t id);
    bool holds(std::uint64_t id) const;
    bool wants_interactable() const;

    /// Applies rules until none matches.
    void update();
    /// Applies one rule. Returns whether one applied.
    bool advance(Instant now);
    void begin_attempt(Instant now);
    void fail_attempt(const std::string& why);
    void become_interactable(const std::string& why);
    void become_background(const std::string& why);
    void begin_disconnecting(Instant now, const std::string& why);
    /// Ends all subscriptions, becomes unconnected, and then notifies the former subscribers.
    void dismiss_all(Farewell farewell, const std::string& why);

    void lose(const std::string& why);

    /// Calls a subscriber if it still exists. Returns whether it has not thrown.
    template <class Call>
    bool notify(const std::weak_ptr<CubeConnectionSubscriber*>& subscriber, Call call);
    void drop_expired(Instant now);
    void tell_type();
    void enter(CoordinatorState to, std::string why);
    /// Returns when `state_` will change by time alone, and the name of that event.
    std::optional<Instant> due() const;
    std::string_view due_for() const;
    /// Records since when a condition holds, and clears it when it does not.
    static void keep(std::optional<Instant>& since, bool holds, Instant now);
    void arm();

    Loop& loop_;
    CubeLink& link_;
    ConnectionLights& lights_;
    CoordinatorTimes times_;
    CoordinatorState state_ = CoordinatorState::unconnected;
    std::vector<Record> records_;  ///< ordered by id
    std::uint64_t last_id_ = 0;
    std::uint64_t told_now_ = 0;  ///< the subscription whose connected_callback is running; 0: none
    std::move_only_function<void(std::string_view, std::string_view)> on_throw_;
    Duration back_off_{0};                     ///< the last back-off; doubled by the next failure
    Instant not_before_{};                     ///< earliest time of the next attempt
    std::optional<Instant> deadline_;          ///< of connecting, switching and disconnecting
    std::optional<Instant> not_needed_since_;  ///< by subscribers: the current type
    std::deque<Transition> history_;
    std::uint64_t transitions_ = 0;
    std::unique_ptr<Timer> timer_;
    std::shared_ptr<CubeConnectionCoordinator*> self_;  ///< expires with the coordinator, for handles
};

}  // namespace caribou::cubes
