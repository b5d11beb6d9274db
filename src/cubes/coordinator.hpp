#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cubes/connection_lights.hpp"
#include "cubes/connection_subscriber.hpp"
#include "cubes/coordinator_status.hpp"
#include "cubes/cube_link.hpp"
#include "cubes/subscription.hpp"
#include "loop/loop.hpp"

namespace caribou::cubes {

struct CoordinatorTimes {
    Duration standby = std::chrono::seconds(15);             ///< interactable, with nobody who needs that
    Duration lights_grace = std::chrono::milliseconds(500);  ///< after the disconnect lights
    Duration background_hold = std::chrono::seconds(15);     ///< connected, with no subscriber at all
    Duration connect_limit = std::chrono::seconds(20);       ///< of an attempt, or of a step of it
    Duration disconnect_limit = std::chrono::seconds(10);
    Duration first_back_off = std::chrono::milliseconds(500);  ///< doubles with each failure
    Duration max_back_off = std::chrono::seconds(30);
};

struct SubscribeOptions {
    ConnectionType type = ConnectionType::interactable;
    std::optional<Duration> expires_after{};  ///< none: until the handle is let go
};

/// Holds one connection for all who need it, visibly or in the background, and lets it go when
/// nobody does.
///
/// | from         | event                               | what happens                              |
/// |--------------|-------------------------------------|-------------------------------------------|
/// | unconnected  | a subscription exists               | connecting, after the back-off            |
/// | connecting   | connected                           | interactable with connection lights if a  |
/// |              |                                     | subscriber wants that, else background    |
/// |              | failed, or the limit passed         | subscriptions dropped; unconnected; each  |
/// |              |                                     | is told                                   |
/// |              | the last subscriber is gone         | disconnecting                             |
/// | interactable | nobody interactable for the standby | switching, with disconnect lights         |
/// | switching    | lights and grace are over           | background                                |
/// |              | an interactable subscription        | interactable, without connection lights   |
/// | background   | an interactable subscription        | interactable, with connection lights      |
/// |              | nobody for the hold                 | disconnecting, without a sign             |
/// | disconnecting| closed, or the limit passed         | unconnected                               |
/// | connected    | the link is lost                    | subscriptions dropped; unconnected; each  |
/// |              |                                     | is told                                   |
/// | the others   | connected, by somebody else         | as from connecting                        |
///
/// Whenever connected, each subscriber is told once of the type that the connection has. Everything
/// happens from the loop: a call here takes effect at the end of the turn.
class CubeConnectionCoordinator final : private LinkEvents {
public:
    static constexpr std::size_t history_size = 100;

    /// All of them outlive it.
    CubeConnectionCoordinator(Loop& loop, CubeLink& link, ConnectionLights& lights,
                              CoordinatorTimes times = {});
    ~CubeConnectionCoordinator();
    CubeConnectionCoordinator(const CubeConnectionCoordinator&) = delete;
    CubeConnectionCoordinator& operator=(const CubeConnectionCoordinator&) = delete;

    /// Replaces what the same subscriber had, whose handle is then without effect.
    [[nodiscard]] CubeSubscription subscribe(CubeConnectionSubscriber& subscriber,
                                             const SubscribeOptions& options = {});

    CoordinatorState state() const { return state_; }
    /// The type of the connection, if there is one; still interactable while switching.
    std::optional<ConnectionType> connection() const;
    CoordinatorStatus status() const;
    /// The latest transitions, oldest first.
    const std::deque<Transition>& history() const { return history_; }
    /// How many there were since the beginning.
    std::uint64_t transitions() const { return transitions_; }

private:
    friend class CubeSubscription;

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
    void on_link_closed(const Error& why) override;

    void unsubscribe(std::uint64_t id);
    bool holds(std::uint64_t id) const;
    bool wants_interactable() const;

    /// Follows the rules until none applies.
    void update();
    /// Applies one rule. Returns whether one applied.
    bool advance(Instant now);
    void begin_attempt(Instant now);
    void fail_attempt(const std::string& why);
    void become_interactable(const std::string& why);
    void become_background(const std::string& why);
    void begin_disconnecting(Instant now, const std::string& why);
    /// Ends every subscription, becomes unconnected, and only then tells those who had one.
    void dismiss_all(Farewell farewell, const std::string& why);

    void drop_expired(Instant now);
    void tell_type();
    void enter(CoordinatorState to, std::string why);
    /// When `state_` is left by the passing of time alone, and what that is called.
    std::optional<Instant> due() const;
    std::string_view due_for() const;
    /// Notes since when a condition holds, and forgets it when it does not.
    static void keep(std::optional<Instant>& since, bool holds, Instant now);
    void arm();

    Loop& loop_;
    CubeLink& link_;
    ConnectionLights& lights_;
    CoordinatorTimes times_;
    CoordinatorState state_ = CoordinatorState::unconnected;
    std::vector<Record> records_;  ///< in the order of their ids
    std::uint64_t last_id_ = 0;
    Duration back_off_{0};                     ///< after the next failure, doubled
    Instant not_before_{};                     ///< the next attempt
    std::optional<Instant> deadline_;          ///< of connecting, switching and disconnecting
    std::optional<Instant> not_needed_since_;  ///< the type that the connection has
    std::deque<Transition> history_;
    std::uint64_t transitions_ = 0;
    std::unique_ptr<Timer> timer_;
    std::shared_ptr<CubeConnectionCoordinator*> self_;  ///< by which handles see that it is gone
};

}  // namespace caribou::cubes
