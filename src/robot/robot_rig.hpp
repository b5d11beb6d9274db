#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cubes/simulated_radio.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "motion/body_rig.hpp"
#include "motion/motion_audit.hpp"
#include "motion/thread_propulsion.hpp"
#include "robot/motion_inbox.hpp"
#include "robot/played_station.hpp"
#include "robot/robot.hpp"

namespace caribou::robot {

/// A loop whose timers a test can hold back.
class HoldingLoop final : public Loop {
public:
    explicit HoldingLoop(Loop& loop) : loop_(loop) {}

    void hold() { holds_ = true; }
    /// Runs the timers that were due meanwhile.
    void go_on() {
        holds_ = false;
        for (const auto& late : std::exchange(late_, {}))
            loop_.post([late] {
                if (const auto task = late.lock()) (*task)();
            });
    }

    const Clock& clock() const override { return loop_.clock(); }
    void post(Task task) override { loop_.post(std::move(task)); }
    std::unique_ptr<Timer> make_timer(Task on_due) override {
        auto task = std::make_shared<Task>(std::move(on_due));
        return std::make_unique<HeldTimer>(task, loop_.make_timer([this, weak = std::weak_ptr(task)] {
            if (holds_)
                late_.push_back(weak);
            else if (const auto own = weak.lock())
                (*own)();
        }));
    }

private:
    class HeldTimer final : public Timer {
    public:
        HeldTimer(std::shared_ptr<Task> task, std::unique_ptr<Timer> timer)
            : task_(std::move(task)), timer_(std::move(timer)) {}
        void arm(Instant due) override { timer_->arm(due); }
        void cancel() override { timer_->cancel(); }

    private:
        std::shared_ptr<Task> task_;
        std::unique_ptr<Timer> timer_;
    };

    Loop& loop_;
    bool holds_ = false;
    std::vector<std::weak_ptr<Task>> late_;
};

/// A strand that a test can stall: tasks posted meanwhile run, in order, when it resumes.
class StallingStrand final : public Strand {
public:
    explicit StallingStrand(Loop& loop) : loop_(loop), strand_(loop) {}

    void stall() { stalled_ = true; }
    /// Stalls its timers, too, like a thread that hangs in a call.
    void hang() {
        stall();
        loop_.hold();
    }
    void go_on() {
        stalled_ = false;
        // Requests before timers: the order in which signs of life are late.
        for (Task& task : std::exchange(waiting_, {})) strand_.post_here(std::move(task));
        loop_.go_on();
    }

    Loop& loop() override { return loop_; }
    void post_here(Task task) override {
        if (stalled_)
            waiting_.push_back(std::move(task));
        else
            strand_.post_here(std::move(task));
    }
    std::unique_ptr<TryLock> make_lock() override { return strand_.make_lock(); }

private:
    HoldingLoop loop_;
    LocalStrand strand_;
    bool stalled_ = false;
    std::vector<Task> waiting_;
};

/// A complete robot on virtual time, with a body that follows orders and a simulated station. For tests.
class RobotRig final : public motion::MotionEvents {
public:
    /// The smallest tree that moves: rotates while it may.
    static constexpr std::string_view tree =
        R"({"base": "spin", "behaviors": [{"class": "spin", "id": "spin"}]})";

    /// With keys, the link is secured.
    explicit RobotRig(const std::string& toml = "", std::vector<link::PairedKey> its_keys = {})
        : keys(std::move(its_keys)), store(toml), config(read(toml)) {
        radio.add_cube();
        make();
    }

    VirtualLoop loop;
    MemoryNetwork network{loop};
    link::MemoryKeyBook keys;
    MemoryServerCookie cookie;
    std::optional<LinkTrust> trust;
    link::KeyedNetwork secured{network, {.keys = [this](link::KeyId id) -> Result<link::SecretKey> {
                                   auto key = trust->admit(id);
                                   if (!key) return fail(key.error());
                                   return key->key;
                               }}};
    PlayedStation station{loop, network};
    LocalStrand strand{loop};
    StallingStrand main_strand{loop};
    StallingStrand stops_strand{loop};
    StallingStrand receiver_strand{loop};
    MemoryLog log;
    motion::BodyRig body{loop.clock()};
    motion::MotionSettings settings;
    motion::MotionAudit audit{settings};
    MemoryConfigStore store;
    RobotConfig config;
    RebootLimit reboots{{}, ""};
    std::vector<motion::PartCheck> software;  ///< result of the software check
    cubes::SimulatedRadio radio{loop};
    cubes::MemoryPreferenceStore preferences;
    FactStore* fact_store = nullptr;  ///< for the next make()
    std::optional<RobotEnd> end;
    bool wants_to_spin = true;  ///< answer of the tree's behavior
    std::size_t healthy = 0;
    std::uint64_t boots = 0;
    bool ready = false;
    motion::MemoryLatchStore latch;
    std::string tree_text{tree};   ///< for the next make()
    std::string more_tree_text{};  ///< in the second file of a reload
    bool has_map = false;          ///< for the next make()

    void start() {
        propulsion->start();
        robot->start();
        loop.run_ready();
    }
    /// Starts, and connects the station.
    void start_connected() {
        start();
        connect();
    }
    void connect() {
        loop.advance(std::chrono::milliseconds(100));
        station.dial(robot->main().receive_port());
        loop.advance(std::chrono::milliseconds(100));
    }
    /// Sends a command from the station and returns the answers.
    std::vector<std::string> tell(std::string_view command, std::optional<std::uint64_t> id = {}) {
        const std::uint64_t sent = station.send(command, id);
        loop.advance(std::chrono::milliseconds(100));
        return station.answers_to(sent);
    }
    /// Kills and restarts the program.
    void start_again() {
        robot.reset();
        propulsion.reset();
        make();
        start();
    }
    /// Creates it again, for another station; before it has started.
    void make(int station_port) {
        robot.reset();
        propulsion.reset();
        config.send_port = station_port;
        make();
    }
    link::RunMode mode() const { return robot->main().modes().mode(); }
    std::optional<link::WaitReason> wait_reason() const { return robot->main().modes().wait_reason(); }

    std::unique_ptr<RobotBuffers> buffers;
    std::unique_ptr<MotionInbox> inbox;
    std::unique_ptr<motion::ThreadPropulsion> propulsion;
    std::unique_ptr<Robot> robot;

private:
    void make() {
        buffers = std::make_unique<RobotBuffers>(strand);
        const bool is_secured = !keys.keys.empty();
        if (is_secured)
            trust.emplace(keys, cookie, LinkTrust::Options{.robot = config.name, .boot = ++boots});
        inbox = std::make_unique<MotionInbox>(*buffers);
        propulsion = std::make_unique<motion::ThreadPropulsion>(loop, body, settings, *this);
        robot = std::make_unique<Robot>(
            RobotParts{
                .strands = {main_strand, strand, strand, receiver_strand, strand, stops_strand},
                .transmission_network = network,
                .receiver_network = is_secured ? static_cast<Network&>(secured) : network,
                .body = body,
                .motion = *propulsion,
                .buffers = *buffers,
                .ai = {.radio = radio,
                       .preferences = preferences,
                       .add_classes = [this](behavior::ClassRegistry& classes,
                                             AiControl& control) { return add_spin(classes, control); },
                       .read_file = [](const std::string&) -> Result<std::string> {
                           return fail(Code::not_found, "there are no files");
                       },
                       .read_tree = [this](const std::vector<std::string>& names)
                           -> Result<std::vector<behavior::TreeText>> {
                           if (names.empty())
                               return std::vector<behavior::TreeText>{{"spin.json", tree_text}};
                           std::vector<behavior::TreeText> files;
                           for (const std::string& name : names)
                               files.push_back({name, files.empty() ? tree_text : more_tree_text});
                           return files;
                       },
                       .fact_store = fact_store},
                .tree = {{"spin.json", tree_text}},
                .store = store,
                .reboots = reboots,
                .latch = latch,
                .log = log,
                .trust = is_secured ? &*trust : nullptr,
                .check_software = [this] { return software; }},
            config);
        robot->main().on_end([this](const RobotEnd& how) { end = how; });
        robot->main().on_healthy([this] { ++healthy; });
        robot->main().on_ready([this] { ready = true; });
    }
    std::shared_ptr<Navigator> add_spin(behavior::ClassRegistry& classes, AiControl& control) {
        classes.add(behavior::BehaviorClass{
            .name = "spin", .about = "turns left", .make = [&](std::string id, const behavior::Arguments&) {
                return std::make_unique<Spin>(std::move(id), control, wants_to_spin);
            }});
        return has_map ? std::make_shared<Navigator>(control) : nullptr;
    }
    class Spin final : public behavior::Behavior {
    public:
        Spin(std::string id, AiControl& control, const bool& wants)
            : Behavior(std::move(id)), control_(control), wants_(wants) {}

    protected:
        behavior::Wants wants_to_be_activated(const behavior::View&) const override {
            return wants_ ? behavior::Wants::yes() : behavior::Wants::no("it is dizzy");
        }
        void update(behavior::Control& control) override {
            if (control.is_active()) control_.drive(motion::MovementCommand::of(1, -1).value());
        }

    private:
        AiControl& control_;
        const bool& wants_;
    };
    RobotConfig read(const std::string& toml) const {
        ReadConfig read = read_config(toml, "robot.toml");
        EXPECT_TRUE(read.good()) << read.errors();
        read.config.receive_port = 0;
        // Optional sensors of the body that give no reading unless the test sets one.
        if (read.config.sensors_off.empty()) read.config.sensors_off = {"imu", "lidar", "eyes"};
        read.config.send_port = station.address().port;
        return read.config;
    }
    void on_answer(const motion::MotionAnswer& answer) override { inbox->on_answer(answer); }
    void on_report(const motion::MotionReport& report) override {
        audit.observe(report);
        inbox->on_report(report);
    }
};

}  // namespace caribou::robot
