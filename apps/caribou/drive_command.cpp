// `caribou drive`: drives a robot with the keyboard.

#include <memory>
#include <string>

#include <fmt/format.h>

#include "caribou/station_link.hpp"
#include "loop/stall_watch.hpp"
#include "platform/terminal.hpp"
#include "station/drive_hold.hpp"
#include "station/drive_screen.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;
using station::DriveKey;

/// Converts keys to commands, and shows the robot's state on the screen.
class Drive {
public:
    Drive(StationLink& link, std::string robot) : link_(link) { state_.robot = std::move(robot); }

    Exit run() {
        auto screen = FullScreen::open(
            link_.loop(), [this](std::string_view keys) { press(keys); }, [this] { draw(); });
        if (!screen) return link_.complain(screen.error().message);
        screen_ = std::move(*screen);
        link_.watch(state_.robot, 10);
        link_.on_news([this] { hear(); });
        tick();
        const Exit how = link_.run();
        // From now on nothing is renewed or drawn, and answers are for halt() only.
        timer_->cancel();
        link_.on_news([] {});
        screen_.reset();
        halt();
        return how;
    }

private:
    void press(std::string_view keys) {
        // Keys that are read after a stall of this program may have waited for that long.
        const Instant now = link_.loop().clock().now() - stalls_.gap();
        while (!keys.empty()) {
            const DriveKey key = station::take_key(keys, state_.level);
            switch (key.what) {
                case DriveKey::What::move: hold_.press(key.movement, now); break;
                case DriveKey::What::halt: hold_.let_go(); break;
                case DriveKey::What::full_stop:
                    hold_.let_go();
                    send("full_stop");
                    break;
                case DriveKey::What::release_stop: send("release_stop"); break;
                case DriveKey::What::take_lease: send("take_lease"); break;
                case DriveKey::What::level: state_.level = key.level; break;
                case DriveKey::What::quit: return link_.end(Exit::ok);
                case DriveKey::What::none: break;
            }
        }
        renew();
        draw();
    }

    void tick() {
        stalls_.turn();
        const Instant now = link_.loop().clock().now();
        timer_->arm(now + 50ms);
        if (now >= next_clock_) {
            next_clock_ = now + 1s;
            link_.ask_clock();
        }
        renew();
        draw();
    }
    void renew() {
        if (const auto command = hold_.due(link_.loop().clock().now())) send(to_string(*command));
    }
    void send(const std::string& command) {
        link_.send_command(state_.robot, command,
                           link_.loop().clock().boot_seconds() - to_seconds(stalls_.gap()));
    }

    /// Halts the robot if the program is quit while a key is held, instead of leaving it to the dead man's
    /// switch.
    void halt() {
        if (!hold_.held()) return;
        send("move movement=HALT");
        link_.loop().run_until(
            [this] { return !link_.connected() || !link_.picture().take_answers().empty(); }, 1s);
    }

    void hear() {
        for (const auto& answer : link_.picture().take_answers())
            state_.last_answer = station::to_string(answer);
        for (const std::string& notice : link_.picture().take_notices()) state_.notice = notice;
        told_at_ = link_.loop().clock().now();
        if (!link_.connected()) link_.end(link_.complain("the station has gone"));
    }

    void draw() {
        const auto& robots = link_.picture().robots();
        const auto found = robots.find(state_.robot);
        state_.picture = found == robots.end() ? nullptr : &found->second;
        state_.now = link_.picture().now() + to_seconds(link_.loop().clock().now() - told_at_);
        state_.held = hold_.held();
        state_.connected = link_.connected();
        screen_->show(drive_screen(state_, terminal_size().columns));
    }

    StationLink& link_;
    station::DriveState state_;
    station::DriveHold hold_;
    StallWatch stalls_{link_.loop().clock()};
    Instant next_clock_{};
    Instant told_at_ = link_.loop().clock().now();
    std::unique_ptr<Timer> timer_ = link_.loop().make_timer([this] { tick(); });
    std::unique_ptr<FullScreen> screen_;
};

class DriveCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("drive", "Drives a robot from the keyboard");
        parser->add_option("ROBOT", robot_, "Its name")->required();
        add_station_options(*parser, station_);
        parser->footer(
            "w a s d or the arrows move while they are held, q and e curve, 1 2 3 set the speed, h halts,\n"
            "space is the full stop, r releases it, t takes the lease, x quits. A robot in RM2 drives "
            "itself:\n"
            "`caribou send ROBOT set_run_mode mode=3` takes over.");
        return parser;
    }

    Exit run() override {
        StationLink link("drive", station_);
        if (auto connected = link.connect(); !connected) return link.complain(connected.error().message);
        if (const std::string& name = link.picture().replay(); !name.empty())
            return link.complain(fmt::format("this is the recording {}: there is no robot to drive", name));
        if (!link.picture().robots().contains(robot_))
            return link.complain(
                fmt::format("the station knows no robot `{}`; `caribou robots` lists them", robot_));
        return Drive(link, robot_).run();
    }

private:
    StationOptions station_;
    std::string robot_;
};

}  // namespace

std::unique_ptr<Command> make_drive_command() { return std::make_unique<DriveCommand>(); }

}  // namespace caribou::app
