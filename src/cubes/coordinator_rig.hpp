#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cubes/coordinator.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::cubes {

/// A link that is controlled by the test.
class ScriptedLink final : public CubeLink {
public:
    bool refuses_connect = false;
    bool closes_at_once = true;  ///< false: the test has to call close()
    int connects = 0;
    int disconnects = 0;

    LinkState link_state() const override { return state_; }
    Result<void> connect() override {
        ++connects;
        if (refuses_connect) return fail(Code::unavailable, "there is no radio");
        wanted_ = true;
        if (state_ == LinkState::idle) state_ = LinkState::connecting;
        return {};
    }
    void disconnect() override {
        ++disconnects;
        wanted_ = false;
        if (state_ == LinkState::idle) return;
        state_ = closes_at_once ? LinkState::idle : LinkState::disconnecting;
    }
    void add_observer(LinkEvents& observer) override { observer_ = &observer; }
    void remove_observer(LinkEvents&) override { observer_ = nullptr; }

    void succeed() {
        state_ = LinkState::connected;
        observer_->on_link_connected();
    }
    /// Another component than the coordinator disconnects a connected cube.
    void disconnect_by_hand() {
        disconnect();
        observer_->on_link_ending();
    }
    void progress() { observer_->on_link_progress(); }
    void fail_attempt() {
        state_ = LinkState::idle;
        observer_->on_link_failed({Code::not_found, "no cube is in range"});
    }
    void lose() {
        state_ = LinkState::idle;
        observer_->on_link_closed({Code::unreachable, "the cube is gone"});
    }
    /// Completes a disconnect, if closes_at_once is false.
    void close() {
        state_ = wanted_ ? LinkState::connecting : LinkState::idle;
        if (!wanted_) observer_->on_link_closed({Code::closed, "as asked"});
    }

private:
    LinkState state_ = LinkState::idle;
    bool wanted_ = false;
    LinkEvents* observer_ = nullptr;
};

/// Records the lights that would be played.
class WrittenLights final : public ConnectionLights {
public:
    std::vector<std::string> played;
    bool status = false;

    void play_connection_lights() override { played.emplace_back("connect"); }
    Duration play_disconnect_lights() override {
        played.emplace_back("disconnect");
        return std::chrono::seconds(5);
    }
    void stop_connection_lights() override { played.emplace_back("stop"); }
    void enable_status_lights(bool enabled) override { status = enabled; }
};

/// Records its callbacks as `name: background`, and runs the actions set by the test.
class WrittenSubscriber final : public CubeConnectionSubscriber {
public:
    WrittenSubscriber(std::string name, std::vector<std::string>& heard)
        : name_(std::move(name)), heard_(heard) {}

    std::move_only_function<void()> in_lost{};
    std::move_only_function<void()> in_failed{};
    std::move_only_function<void()> in_connected{};
    CubeSubscription subscription{};

    std::string_view cube_connection_debug_name() const override { return name_; }
    void connected_callback(ConnectionType type) override {
        heard_.push_back(fmt::format("{}: {}", name_, to_string(type)));
        if (in_connected) in_connected();
    }
    void connection_failed_callback() override {
        heard_.push_back(name_ + ": failed");
        if (in_failed) in_failed();
    }
    void connection_lost_callback() override {
        heard_.push_back(name_ + ": lost");
        if (in_lost) in_lost();
    }

private:
    std::string name_;
    std::vector<std::string>& heard_;
};

/// A coordinator on virtual time, with a scripted link.
class CoordinatorRig {
public:
    using Written = std::vector<std::string>;

    VirtualLoop loop;
    ScriptedLink link;
    WrittenLights lights;
    CubeConnectionCoordinator coordinator{loop, link, lights};
    Written heard;
    WrittenSubscriber a{"a", heard};
    WrittenSubscriber b{"b", heard};

    void subscribe(WrittenSubscriber& who, ConnectionType type, std::optional<Duration> expires_after = {}) {
        who.subscription = coordinator.subscribe(who, {type, expires_after});
        loop.run_ready();
    }
    void unsubscribe(WrittenSubscriber& who) {
        who.subscription.reset();
        loop.run_ready();
    }
    void connect(WrittenSubscriber& who, ConnectionType type) {
        subscribe(who, type);
        link.succeed();
        loop.run_ready();
    }
    Written take_heard() { return std::exchange(heard, {}); }
    CoordinatorState state() const { return coordinator.state(); }
};

}  // namespace caribou::cubes
