// What people build on the engine: programs of behaviors, tests on a simulated robot, a new tree while it
// runs.

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "behavior_figures.hpp"
#include "give_up.hpp"
#include "kit/testkit/robot_in_a_box.hpp"
#include "robot/behavior_program_rig.hpp"

namespace caribou::bench {
namespace {

constexpr int trials = 5;

/// A process at the other end of a Unix socket, which answers each line at once.
class SocketProcesses final : public Processes {
public:
    SocketProcesses() {
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_.data()) != 0) give_up("no socket");
    }
    ~SocketProcesses() override {
        for (const int end : ends_) ::close(end);
    }
    Result<std::unique_ptr<Process>> start(const std::vector<std::string>&, ProcessEvents& events) override {
        events_ = &events;
        return std::make_unique<SocketProcess>(ends_[0]);
    }
    void print(std::string_view text) const { events_->on_bytes(bytes_of(text)); }
    void drain() const {
        std::array<char, 65536> room;
        while (::read(ends_[1], room.data(), room.size()) > 0) {}
    }

private:
    class SocketProcess final : public Process {
    public:
        explicit SocketProcess(int socket) : socket_(socket) {}
        int id() const override { return 1; }
        void terminate() override {}
        void kill() override {}
        bool write(std::string_view line) override {
            std::string whole(line);
            whole += '\n';
            return ::send(socket_, whole.data(), whole.size(), MSG_DONTWAIT) ==
                   static_cast<ssize_t>(whole.size());
        }

    private:
        int socket_;
    };

    std::array<int, 2> ends_{};
    ProcessEvents* events_ = nullptr;
};

/// Ten behaviors below a dispatcher that asks all of them; the last one runs.
std::string ten(std::string_view its_class) {
    std::string children;
    std::string behaviors;
    for (int i = 0; i < 10; ++i) {
        children += fmt::format(R"("b{}", )", i);
        behaviors += fmt::format(R"({{"class": "{}", "id": "b{}"}}, )", its_class, i);
    }
    return fmt::format(R"({{"base": "r", "behaviors": [{}{{"class": "idle", "id": "rest"}},
        {{"class": "strict_priority", "id": "r", "children": [{}"rest"]}}]}})",
                       behaviors, children);
}

class Declines final : public behavior::Behavior {
public:
    using Behavior::Behavior;

protected:
    behavior::Wants wants_to_be_activated(const behavior::View&) const override {
        return behavior::Wants::no("it is idle");
    }
};

constexpr std::string_view hello =
    R"({"type": "hello", "version": 1, "classes": [{"kind": "behavior", "name": "patrol"}]})";

/// Microseconds per tick, with ten behaviors of a program or ten of C++.
double tick_time(bool of_program) {
    constexpr int count = 4000;
    VirtualLoop loop;
    NullLog log;
    SocketProcesses processes;
    behavior::Facts facts;
    behavior::FactChanges changes;
    cubes::MemoryPreferenceStore store;
    cubes::SimulatedRadio radio(loop);
    cubes::CubeSystem cubes(loop, radio, store, log);
    robot::BehaviorProgramRig control(R"({"base": "r", "behaviors": [{"class": "idle", "id": "r"}]})");
    behavior::ClassRegistry classes;
    behavior::register_engine_classes(classes);
    classes.add(
        behavior::BehaviorClass{.name = "declines", .make = [](std::string id, const behavior::Arguments&) {
                                    return std::make_unique<Declines>(std::move(id));
                                }});
    const auto program =
        std::make_shared<robot::BehaviorProgram>(loop, processes, std::vector<std::string>{"p"}, "p", log);
    program->use({.control = control,
                  .navigator = nullptr,
                  .cubes = cubes,
                  .facts = facts,
                  .changes = changes,
                  .set_fact = {},
                  .action = {},
                  .publish = {},
                  .log = log});
    if (!robot::register_program_classes(classes, *robot::read_program_hello(hello), program))
        give_up("no classes");
    auto loaded = behavior::load_tree(
        std::vector<behavior::TreeText>{{"tree", ten(of_program ? "patrol" : "declines")}}, classes);
    if (!loaded) give_up(to_string(loaded.error()));
    behavior::BehaviorRunner runner(std::move(loaded->tree), facts);
    std::ignore = runner.set_base("r");
    program->start();
    processes.print(std::string(hello) + "\n");
    double spent = 0;
    for (int i = 0; i < count; ++i) {
        // Ten facts change in each tick, as on a robot that drives.
        for (int fact = 0; fact < 10; ++fact) facts.set(fmt::format("fact_{}", fact), i + 0.1 * fact);
        const SteadyTime start = now();
        runner.tick(loop.clock().now());
        if (of_program) {
            program->flush(runner.ticks());
            processes.print("{\"type\":\"report\",\"tick\":1,\"answers\":[],\"requests\":[]}\n");
        }
        spent += microseconds(now() - start);
        processes.drain();
        loop.advance(std::chrono::milliseconds(50));
    }
    return spent / count;
}

const char* const patrol = R"({"base": "robot", "behaviors": [{"class": "repeat", "id": "robot", "children": [
    {"class": "sequence", "id": "round", "children": [
        {"class": "act", "id": "there", "action": {"go_to": 1, "y": 0}},
        {"class": "act", "id": "back", "action": {"go_to": 0, "y": 0}},
        {"class": "connect_to_cube", "id": "greet", "children": [
            {"class": "act", "id": "wink", "action": {"cube_lights": "yellow", "for": "2s"}}]}]}]}]})";

const char* const winks = R"({"base": "robot", "behaviors": [
    {"class": "strict_priority", "id": "robot", "children": ["greet"]},
    {"class": "connect_to_cube", "id": "greet", "children": [
        {"class": "act", "id": "wink", "action": {"cube_lights": "yellow", "for": "2s"}}]}]})";

}  // namespace

void python_tick_us(const Report& report, const Effort&) {
    double best = 1e9;
    for (int i = 0; i < trials; ++i) best = std::min(best, tick_time(true) - tick_time(false));
    report.add({.metric = "python_tick_us", .value = best, .unit = "us", .at_most = 20});
}

void testkit_speedup(const Report& report, const Effort&) {
    constexpr Duration life = std::chrono::minutes(5);
    double best = 0;
    for (int i = 0; i < trials; ++i) {
        const SteadyTime start = now();
        auto box = RobotInABox::make(patrol);
        if (!box) give_up(box.error().message);
        box->advance(life);
        if (box->times_succeeded("wink") == 0) give_up("the robot has not winked: " + box->failure("greet"));
        best = std::max(best, to_seconds(life) / (microseconds(now() - start) / 1e6));
    }
    report.add({.metric = "testkit_speedup", .value = best, .unit = "x", .at_least = 500});
}

void testkit_1000_s(const Report& report, const Effort& effort) {
    const SteadyTime start = now();
    for (int i = 0; i < effort.count; ++i) {
        auto box = RobotInABox::make(winks, {.seed = static_cast<std::uint64_t>(i)});
        if (!box) give_up(box.error().message);
        box->advance(std::chrono::minutes(1));
        if (box->times_succeeded("wink") < 2) give_up("the robot has not winked twice: " + box->ask("why"));
    }
    report.add({.metric = "testkit_1000_s",
                .value = microseconds(now() - start) / 1e6 / effort.count * 1000,
                .unit = "s",
                .at_most = 60});
}

}  // namespace caribou::bench
