// `caribou drive`: drives a robot with the keyboard.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "caribou/station_link.hpp"
#include "loop/stall_watch.hpp"
#include "platform/terminal.hpp"
#include "station/drive_answers.hpp"
#include "station/drive_hold.hpp"
#include "station/drive_screen.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;
using link::CommandCode;
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
        // The screen has gone, and what it showed with it.
        if (const auto& refused = answers_.refused())
            fmt::print(stderr, "caribou drive: refused: {}: {}\n", refused->command, refused->why);
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
                    send({.code = CommandCode::full_stop});
                    break;
                case DriveKey::What::release_stop: send({.code = CommandCode::release_stop}); break;
                case DriveKey::What::take_lease: send({.code = CommandCode::take_lease}); break;
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
        renew();
        draw();
    }
    void renew() {
        const Instant now = link_.loop().clock().now();
        // A movement that is renewed again when the station answers would surprise whoever stands beside it.
        if (unanswered_since_ && now - *unanswered_since_ > answer_limit) hold_.interrupt(now);
        const auto command = hold_.due(now);
        if (!command) return;
        if (!unanswered_since_) unanswered_since_ = now;
        send(*command);
    }
    void send(const link::Command& command) {
        const double given = link_.loop().clock().boot_seconds() - to_seconds(stalls_.gap());
        answers_.sent(link_.send_command(state_.robot, to_string(command), given), command);
    }

    /// Halts the robot if the program is quit while a key is held, instead of leaving it to the dead man's
    /// switch.
    void halt() {
        if (!hold_.held()) return;
        send({.code = CommandCode::move, .arguments = {{"movement", "HALT"}}});
        link_.loop().run_until(
            [this] { return !link_.connected() || !link_.picture().take_answers().empty(); }, 1s);
    }

    void hear() {
        const Instant now = link_.loop().clock().now();
        unanswered_since_.reset();
        for (const auto& answer : link_.picture().take_answers()) {
            answers_.take(answer, now);
            // What stands against the movement may end at any time, such as a stop that another person
            // releases: the robot must not drive then because of a key that has been held since before.
            if (answer.refusal) hold_.interrupt(now);
        }
        for (const std::string& notice : link_.picture().take_notices()) state_.notice = notice;
        told_at_ = now;
        if (!link_.connected()) link_.end(link_.complain("the station has gone"));
    }

    void draw() {
        const auto& robots = link_.picture().robots();
        const auto found = robots.find(state_.robot);
        state_.picture = found == robots.end() ? nullptr : &found->second;
        const Instant now = link_.loop().clock().now();
        state_.last_answer = answers_.latest();
        state_.refused = answers_.refused();
        if (state_.refused) state_.refused_age = to_seconds(now - state_.refused->at);
        state_.silent = to_seconds(now - told_at_);
        state_.now = link_.picture().now() + state_.silent;
        state_.interrupted = hold_.is_interrupted(now);
        state_.held = hold_.held();
        state_.connected = link_.connected();
        screen_->show(drive_screen(state_, terminal_size().columns));
    }

    /// A movement ends when the station sends nothing for this long after it; the robot halts by then.
    static constexpr Duration answer_limit = 500ms;

    StationLink& link_;
    station::DriveState state_;
    station::DriveAnswers answers_;
    station::DriveHold hold_;
    StallWatch stalls_{link_.loop().clock()};
    std::optional<Instant> unanswered_since_{};  ///< when a command was sent that no message has followed yet
    Instant told_at_ = link_.loop().clock().now();
    std::unique_ptr<Timer> timer_ = link_.loop().make_timer([this] { tick(); });
    std::unique_ptr<FullScreen> screen_;
};

class DriveCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("drive", "Drive a robot from the keyboard");
        parser->add_option("ROBOT", robot_, "Name of the robot")->required();
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
