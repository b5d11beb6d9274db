// A thousand robots that call at once, as after a restart of the station.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "give_up.hpp"
#include "platform/descriptor_limit.hpp"
#include "platform/event_loop.hpp"
#include "platform/web_socket.hpp"
#include "station/fleet_picture.hpp"
#include "station_figures.hpp"
#include "station_program.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// Sends commands to the connected robot, one after another.
class Asking final : public TextChannelEvents {
public:
    explicit Asking(const Address& web)
        : channel_(dial_web_socket(loop_, {.at = web, .target = "/api/v1/stream"}, *this)) {
        if (!loop_.run_until([&] { return picture_.complete(); }, 10s)) give_up("a station says nothing");
    }

    /// Returns how long one answer takes.
    Seconds ask() {
        const SteadyTime asked = now();
        answered_ = false;
        channel_->send(
            fmt::format(R"({{"type":"command","id":{},"robot":"robot_0","command":"ping"}})", ++id_));
        if (!loop_.run_until([&] { return answered_; }, 10s)) give_up("a robot is starved");
        return now() - asked;
    }
    void let_pass(Duration time) {
        loop_.run_until([] { return false; }, time);
    }

private:
    void on_text(std::string_view text) override {
        static_cast<void>(picture_.take(text));
        for (const data::AnswerMessage& answer : picture_.take_answers()) {
            if (answer.refusal) give_up("a robot was lost: " + answer.text);
            answered_ = answer.final;
        }
    }
    void on_closed(std::string_view why) override { give_up(why); }

    EventLoop loop_;
    station::FleetPicture picture_;
    std::unique_ptr<TextChannel> channel_;
    int id_ = 0;
    bool answered_ = false;
};

}  // namespace

void reconnect_1000_s(const Report& report, const Effort&) {
    constexpr std::size_t robots = 1000;
    const auto limit = raise_descriptor_limit();
    if (!limit || *limit < 3 * robots) give_up("1,000 robots need 3,000 descriptors (ulimit -Hn)");
    StationProgram station(robots + 1);
    const RobotCrowd before(station.address(), {.count = 1});
    before.call();
    before.await();
    const RobotCrowd others(station.address(), {.first = 1, .count = robots});
    Asking asking(station.web());
    const SteadyTime began = now();
    others.call();
    Seconds slowest{};
    while (!others.connected()) {
        slowest = std::max(slowest, asking.ask());
        asking.let_pass(5ms);
    }
    report.add({"reconnect_1000_s", Seconds(now() - began).count(), "s"});
    report.add({"reconnect_others_ms", slowest.count() * 1e3, "ms"});
    station.end();  // before its robots, whose loss it would log
}

}  // namespace caribou::bench
