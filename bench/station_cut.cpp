// Links that are cut while robots are driven, on virtual time.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/log.hpp"
#include "base/random.hpp"
#include "give_up.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "motion/body_rig.hpp"
#include "sim/robot_process.hpp"
#include "station/fleet.hpp"
#include "station_figures.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

enum class Cut { killed, half_open, lossy };

constexpr Duration held_key = 150ms;  ///< interval at which the command is sent
constexpr const char* host = "station";
constexpr std::uint16_t port = 9600;

/// A complete robot, except for its wheels.
struct DrivenRobot {
    DrivenRobot(VirtualLoop& loop, MemoryNetwork& fabric, std::string its_name, Log& log)
        : name(std::move(its_name)),
          network(fabric.on_host(name)),
          body(loop.clock()),
          machine(loop, *network, body, {}),
          commands(loop.clock()) {
        program.config.name = name;
        program.config.server_ip = host;
        program.config.send_port = port;
        program.tree = {{"rest.json", R"({"base": "rest", "behaviors": [{"class": "idle", "id": "rest"}]})"}};
        process = std::make_unique<sim::RobotProcess>(machine, program, commands, log);
        process->start();
    }
    bool moves() const { return body.driven != motion::WheelSpeeds{}; }

    std::string name;
    std::unique_ptr<Network> network;
    motion::BodyRig body;
    sim::RobotMachine machine;
    sim::RobotProgram program;
    sim::CommandAudit commands;
    std::unique_ptr<sim::RobotProcess> process;
    Duration released{};  ///< time after the cut at which the key is released
};

/// A station and its robots, and the results.
class CutTrial final : public station::SessionEvents {
public:
    CutTrial(std::uint64_t seed, std::size_t count)
        : random_(seed), network_(loop_, seed), station_network_(network_.on_host(host)) {
        start_station();
        for (std::size_t i = 0; i < count; ++i)
            robots_.push_back(
                std::make_unique<DrivenRobot>(loop_, network_, fmt::format("robot_{}", i), log_));
        const auto ready = [&] {
            return std::ranges::all_of(robots_, [&](const auto& robot) {
                return is_fresh(*robot, began_) && robot->process->propulsion().report().permit.motors;
            });
        };
        if (!loop_.run_until(ready, 30s)) give_up("robots and station do not find each other");
    }

    struct Result {
        std::size_t stopped = 0;  ///< in time
        std::size_t fresh = 0;    ///< in time
        std::size_t still = 0;    ///< after the link was restored
        std::size_t all = 0;      ///< all three
    };
    Result run(Cut cut) {
        if (cut == Cut::lossy)
            network_.set_faults({.min_delay = 5ms, .max_delay = 40ms, .loss = 0.1, .reordering = 0.1});
        for (const auto& robot : robots_)
            robot->released = Duration(random_.between(0, Duration(500ms).count()));
        drive_for(2s, [] {});
        for (const auto& robot : robots_)
            if (!robot->moves()) give_up("a robot does not do what it is told");

        const Instant cut_at = loop_.clock().now();
        begin(cut);
        const Duration length(random_.between(Duration(1200ms).count(), Duration(6s).count()));
        std::vector<bool> stopped(robots_.size(), true);
        drive_for(length, [&] {
            if (loop_.clock().now() - cut_at < stop_limit) return;
            for (std::size_t i = 0; i < robots_.size(); ++i)
                if (robots_[i]->moves()) stopped[i] = false;
        });

        const Instant healed_at = loop_.clock().now();
        end(cut);
        std::vector<bool> fresh(robots_.size(), false);
        std::vector<bool> still(robots_.size(), true);
        while (loop_.clock().now() - healed_at < 3s) {
            loop_.advance(10ms);
            for (std::size_t i = 0; i < robots_.size(); ++i) {
                if (robots_[i]->moves()) still[i] = false;
                if (loop_.clock().now() - healed_at <= fresh_limit && is_fresh(*robots_[i], healed_at))
                    fresh[i] = true;
            }
        }
        Result result;
        for (std::size_t i = 0; i < robots_.size(); ++i) {
            result.stopped += stopped[i] ? 1U : 0U;
            result.fresh += fresh[i] ? 1U : 0U;
            result.still += still[i] ? 1U : 0U;
            result.all += stopped[i] && fresh[i] && still[i] ? 1U : 0U;
        }
        return result;
    }

private:
    /// The last command may have been in transit for 40 ms, is valid for 0.5 s, and then the wheels slow
    /// down.
    static constexpr Duration stop_limit = 500ms + 40ms + 500ms;
    static constexpr Duration fresh_limit = 200ms;

    void on_status(station::RobotSession&) override {}
    void on_telemetry(station::RobotSession&) override {}
    void on_report(station::RobotSession&, std::string_view) override {}
    void on_command(station::RobotSession&, const link::Command&, const station::Asker&) override {}
    void on_answer(station::RobotSession&, const link::Answer&) override {}

    void start_station() {
        station::FleetSettings settings;
        settings.session.send_to = fmt::format("{}:{}", host, port);
        fleet_ = std::make_unique<station::Fleet>(loop_, *station_network_, settings, *this, log_);
        if (!fleet_->listen(Address::ip("127.0.0.1", port))) give_up("the station cannot listen");
    }
    void begin(Cut cut) {
        if (cut == Cut::killed)
            fleet_.reset();
        else
            for (const auto& robot : robots_) network_.partition(host, robot->name);
        cut_at_ = loop_.clock().now();
    }
    void end(Cut cut) {
        cut_at_.reset();
        if (cut == Cut::killed) return start_station();
        network_.set_faults({});
        for (const auto& robot : robots_) network_.heal(host, robot->name);
    }
    bool is_fresh(const DrivenRobot& robot, Instant since) {
        const station::RobotSession* const session = fleet_->find(robot.name);
        return session && session->telemetry() && !session->stale() && session->telemetry_at() >= since;
    }
    /// Holds the key of each robot for its configured time.
    template <class Look>
    void drive_for(Duration time, Look look) {
        const Instant end = loop_.clock().now() + time;
        for (Instant next = loop_.clock().now(); loop_.clock().now() < end; loop_.advance(10ms)) {
            look();
            if (loop_.clock().now() < next) continue;
            next = loop_.clock().now() + held_key;
            for (const auto& robot : robots_)
                if (!cut_at_ || loop_.clock().now() < *cut_at_ + robot->released)
                    send(*robot, "move_forward level=2");
                else if (loop_.clock().now() < *cut_at_ + robot->released + held_key)
                    send(*robot, "move movement=HALT");
        }
    }
    void send(const DrivenRobot& robot, std::string_view command) {
        if (station::RobotSession* const session = fleet_ ? fleet_->find(robot.name) : nullptr)
            session->send(link::command_from(command).value(), {"driver", link::Role::admin},
                          [](const link::Answer&) {});
    }

    Random random_;
    NullLog log_;
    VirtualLoop loop_;
    MemoryNetwork network_;
    std::unique_ptr<Network> station_network_;
    Instant began_ = loop_.clock().now();
    std::optional<Instant> cut_at_;
    std::vector<std::unique_ptr<DrivenRobot>> robots_;
    std::unique_ptr<station::Fleet> fleet_;
};

}  // namespace

void link_cut_ok(const Report& report, const Effort&) {
    constexpr std::size_t robots = 1000;
    constexpr std::size_t each = 20;
    CutTrial::Result sum;
    for (std::size_t seed = 0; seed < robots / each; ++seed) {
        const auto result = CutTrial(seed, each).run(static_cast<Cut>(seed % 3));
        sum.stopped += result.stopped;
        sum.fresh += result.fresh;
        sum.still += result.still;
        sum.all += result.all;
    }
    report.add({"link_cut_ok", static_cast<double>(sum.all), "of 1,000"});
    report.add({"link_cut_stopped", static_cast<double>(sum.stopped), "of 1,000"});
    report.add({"link_cut_fresh", static_cast<double>(sum.fresh), "of 1,000"});
    report.add({"link_cut_nothing_stale", static_cast<double>(sum.still), "of 1,000"});
}

}  // namespace caribou::bench
