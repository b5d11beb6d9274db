#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "cubes/coordinator_status.hpp"
#include "cubes/cube_link.hpp"

namespace caribou::cubes {

/// An independent reference model of the coordinator, as simple as possible: a table that is evaluated tick
/// by tick, on a clock of tenths of a second, together with the link of the test. For tests.
class ReferenceCoordinator {
public:
    using State = CoordinatorState;

    State state = State::unconnected;
    LinkState link = LinkState::idle;
    bool refuses_connect = false;
    bool closes_at_once = true;
    int connects = 0;
    std::set<std::string> faithful;  ///< subscribers that subscribe again when they are dropped
    std::vector<std::string> heard;

    void subscribe(const std::string& who, ConnectionType type, int expires_after) {
        const auto old = std::ranges::find(subscribers_, who, &Subscriber::name);
        if (old != subscribers_.end()) subscribers_.erase(old);
        subscribers_.push_back({who, type, expires_after < 0 ? never : now_ + expires_after, ""});
    }
    void unsubscribe(const std::string& who) {
        std::erase_if(subscribers_, [&](const Subscriber& s) { return s.name == who; });
    }

    // Events of the link.
    void succeed() {
        link = LinkState::connected;
        if (is_connected()) return;
        expire();
        failures_ = 0;
        retry_at_ = 0;
        enter(someone_is_interactable() ? State::connected_interactable : State::connected_background);
    }
    void fail_attempt() {
        link = LinkState::idle;
        if (state == State::connecting) drop_all("failed");
    }
    void lose() {
        link = LinkState::idle;
        if (is_connected())
            drop_all("lost");
        else if (state == State::connecting)
            drop_all("failed");
    }
    void connect_by_hand() {
        ++connects;
        if (refuses_connect) return;
        wanted_ = true;
        if (link == LinkState::idle) link = LinkState::connecting;
    }
    void disconnect_by_hand() {
        disconnect();
        if (is_connected()) drop_all("lost");
    }
    void close() { link = wanted_ ? LinkState::connecting : LinkState::idle; }
    void progress() {
        if (state == State::connecting) since_ = now_;
    }

    void tick() {
        ++now_;
        note_need();  // those that expire now were needed until this moment
        settle();
    }
    void settle() {
        expire();
        do tell();
        while (step());
    }

private:
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    struct Subscriber {
        std::string name;
        ConnectionType type;
        std::int64_t expires;
        std::string knows;
    };

    bool is_connected() const {
        return state == State::connected_interactable || state == State::switching_to_background ||
               state == State::connected_background;
    }
    bool someone_is_interactable() const {
        for (const Subscriber& s : subscribers_)
            if (s.type == ConnectionType::interactable) return true;
        return false;
    }
    void note_need() {
        if (state == State::connected_interactable && someone_is_interactable()) since_ = now_;
        if (state == State::connected_background && !subscribers_.empty()) since_ = now_;
    }
    void expire() {
        std::erase_if(subscribers_, [&](const Subscriber& s) { return s.expires <= now_; });
    }
    void tell() {
        if (!is_connected()) return;
        const std::string type = state == State::connected_background ? "background" : "interactable";
        for (Subscriber& s : subscribers_) {
            if (s.knows == type) continue;
            s.knows = type;
            heard.push_back(s.name + ": " + type);
        }
    }
    void enter(State to) {
        state = to;
        since_ = now_;
    }
    void disconnect() {
        wanted_ = false;
        if (link != LinkState::idle) link = closes_at_once ? LinkState::idle : LinkState::disconnecting;
    }
    void drop_all(const std::string& farewell) {
        if (farewell == "failed") {
            disconnect();
            constexpr std::int64_t pauses[] = {5, 10, 20, 40, 80, 160, 300};
            retry_at_ = now_ + pauses[std::min<std::size_t>(failures_++, 6)];
        }
        const std::vector<Subscriber> dropped = std::exchange(subscribers_, {});
        enter(State::unconnected);
        for (const Subscriber& s : dropped) {
            heard.push_back(s.name + ": " + farewell);
            if (faithful.contains(s.name)) subscribe(s.name, ConnectionType::interactable, -1);
        }
    }

    bool step() {
        const State before = state;
        note_need();
        const std::int64_t age = now_ - since_;
        switch (state) {
            case State::unconnected:
                if (subscribers_.empty() || now_ < retry_at_) return false;
                enter(State::connecting);
                ++connects;
                if (refuses_connect)
                    drop_all("failed");
                else
                    wanted_ = true, link = link == LinkState::idle ? LinkState::connecting : link;
                return true;
            case State::connecting:
                if (subscribers_.empty())
                    enter(State::disconnecting), disconnect();
                else if (age >= 200)
                    drop_all("failed");
                break;
            case State::connected_interactable:
                if (!someone_is_interactable() && age >= 150) enter(State::switching_to_background);
                break;
            case State::switching_to_background:
                if (someone_is_interactable())
                    enter(State::connected_interactable);
                else if (age >= 55)
                    enter(State::connected_background);
                break;
            case State::connected_background:
                if (someone_is_interactable())
                    enter(State::connected_interactable);
                else if (subscribers_.empty() && age >= 150)
                    enter(State::disconnecting), disconnect();
                break;
            case State::disconnecting:
                if (link == LinkState::idle || age >= 100) enter(State::unconnected);
                break;
        }
        return state != before;
    }

    std::int64_t now_ = 0;
    std::int64_t since_ = 0;  ///< when the state was entered, or when the connection was last needed
    std::int64_t retry_at_ = 0;
    std::size_t failures_ = 0;
    bool wanted_ = false;
    std::vector<Subscriber> subscribers_;
};

}  // namespace caribou::cubes
