#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "behavior/action_text.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"
#include "cubes/cube_system.hpp"
#include "cubes/simulated_radio.hpp"
#include "loop/virtual_loop.hpp"
#include "robot/behavior_program.hpp"
#include "robot/program_classes.hpp"

namespace caribou::robot {

/// Processes that a test plays.
class PlayedProcesses final : public Processes {
public:
    Result<std::unique_ptr<Process>> start(const std::vector<std::string>&, ProcessEvents& events) override {
        ++started;
        if (refuses) return fail(Code::not_found, "there is no such program");
        events_ = &events;
        return std::make_unique<PlayedProcess>(*this);
    }
    /// The process prints this.
    void print(std::string_view text) const { events_->on_bytes(bytes_of(text)); }
    void end(ProcessEnd how = {}) { std::exchange(events_, nullptr)->on_end(how); }
    bool runs() const { return events_ != nullptr; }

    int started = 0;
    bool refuses = false;
    bool reads = true;
    bool is_killed = false;
    std::vector<std::string> lines{};  ///< that were written to it

private:
    class PlayedProcess final : public Process {
    public:
        explicit PlayedProcess(PlayedProcesses& all) : all_(all) {}
        int id() const override { return 1; }
        void terminate() override {}
        void kill() override { all_.is_killed = true; }
        bool write(std::string_view line) override {
            if (all_.reads) all_.lines.emplace_back(line);
            return all_.reads;
        }

    private:
        PlayedProcesses& all_;
    };

    ProcessEvents* events_ = nullptr;
};

/// A tree with classes of a program, in virtual time, and the program, which a test plays.
class BehaviorProgramRig final : public AiControl {
public:
    explicit BehaviorProgramRig(std::string_view tree, std::string hello = std::string(usual_hello))
        : hello_(std::move(hello)) {
        behavior::register_engine_classes(classes_);
        program->use(
            {.control = *this,
             .navigator = nullptr,
             .cubes = cubes_,
             .facts = facts,
             .changes = changes_,
             .set_fact = [this](std::string_view fact, const behavior::Value& value) -> Result<void> {
                 if (fact != "rounds") return fail(Code::not_found, "there is no such fact");
                 facts.set(fact, value);
                 return {};
             },
             .action = [this](std::string_view json) { return behavior::action_from(json, classes_); },
             .publish = [this](std::string variable,
                               behavior::Value) { published.push_back(std::move(variable)); },
             .log = log});
        const auto described = read_program_hello(hello_);
        if (!described) throw std::runtime_error(described.error().message);
        if (const auto added = register_program_classes(classes_, *described, program); !added)
            throw std::runtime_error(added.error().message);
        auto loaded =
            behavior::load_tree(std::vector<behavior::TreeText>{{"tree", std::string(tree)}}, classes_);
        if (!loaded) throw std::runtime_error(to_string(loaded.error()));
        runner.emplace(std::move(loaded->tree), facts);
        std::ignore = runner->set_base(loaded->base);
        program->start();
    }
    ~BehaviorProgramRig() override { runner.reset(); }

    void greet() { processes.print(hello_ + "\n"); }
    /// One tick, and an empty report of the program unless it is silent.
    void tick(std::string_view report = "{\"type\": \"report\"}") {
        runner->tick(loop.clock().now());
        program->flush(runner->ticks());
        loop.advance(std::chrono::milliseconds(50));
        if (!report.empty() && processes.runs()) processes.print(std::string(report) + "\n");
    }
    void ticks(int count, std::string_view report = "{\"type\": \"report\"}") {
        for (int i = 0; i < count; ++i) tick(report);
    }
    std::string stack() const {
        std::string text;
        for (const behavior::Behavior* const each : runner->stack())
            text += (text.empty() ? "" : " > ") + std::string(each->id());
        return text;
    }
    std::string why(std::string_view id) const {
        return std::string(runner->why_not(*runner->tree().find(id)).why_not());
    }

    const motion::BodyPlan& body() const override { return body_; }
    const TelemetryRound& telemetry() const override { return round_; }
    void drive(motion::MotionCommand) override {}
    void drive_touching(motion::MotionCommand) override {}
    void set_lights(motion::BodyLights) override {}

    static constexpr std::string_view usual_hello =
        R"({"type": "hello", "version": 1, "classes": [)"
        R"({"kind": "behavior", "name": "patrol", "max_children": 2, "parameters": [)"
        R"({"name": "side", "kind": "number", "fallback": {"number": 1}}]}, )"
        R"({"kind": "action", "name": "wave", "parameters": [)"
        R"({"name": "wave", "kind": "duration", "required": true}]}, )"
        R"({"kind": "condition", "name": "is_dark"}], "facts": [{"name": "rounds", "value": {"number": 0}}]})";

    VirtualLoop loop;
    MemoryLog log;
    PlayedProcesses processes;
    behavior::Facts facts;
    std::vector<std::string> published;
    std::shared_ptr<BehaviorProgram> program = std::make_shared<BehaviorProgram>(
        loop, processes, std::vector<std::string>{"mine.py"}, "mine.py", log);
    std::optional<behavior::BehaviorRunner> runner;

private:
    std::string hello_;
    motion::BodyPlan body_;
    TelemetryRound round_;
    cubes::MemoryPreferenceStore preferences_;
    cubes::SimulatedRadio radio_{loop};
    cubes::CubeSystem cubes_{loop, radio_, preferences_, log};
    behavior::FactChanges changes_;
    behavior::ClassRegistry classes_;
};

}  // namespace caribou::robot
