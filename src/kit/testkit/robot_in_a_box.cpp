#include "kit/testkit/robot_in_a_box.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/log.hpp"
#include "behavior/behavior.hpp"
#include "behavior/difference.hpp"
#include "behavior/stand_ins.hpp"
#include "behavior/tree.hpp"
#include "cubes/simulated_radio.hpp"
#include "kit/testkit/played_program.hpp"
#include "link/run_mode.hpp"
#include "loop/virtual_loop.hpp"
#include "motion/thread_propulsion.hpp"
#include "robot/behavior_program.hpp"
#include "robot/program_classes.hpp"
#include "robot/robot_classes.hpp"
#include "robot/sim_body.hpp"
#include "robot/thread_ai.hpp"
#include "robot/thread_telemetry.hpp"
#include "world/world_reader.hpp"

namespace caribou {
namespace {

/// Counts how behaviors begin and end.
class BehaviorCounts final : public behavior::Observer {
public:
    struct Count {
        std::size_t activated = 0;
        std::size_t succeeded = 0;
        std::size_t failed = 0;
        std::string failure;
    };

    void on_tick(const behavior::Difference& difference) override {
        const behavior::BehaviorTree* tree = difference.old_tree ? difference.old_tree : &difference.tree;
        for (const behavior::Change& change : difference.changes) {
            if (std::holds_alternative<behavior::TreeChanged>(change)) tree = &difference.tree;
            if (const auto* pushed = std::get_if<behavior::Pushed>(&change))
                ++counts_[(*tree)[pushed->who].id()].activated;
            if (const auto* popped = std::get_if<behavior::Popped>(&change))
                count(counts_[(*tree)[popped->who].id()], *popped);
        }
    }
    Count of(std::string_view id) const {
        const auto found = counts_.find(id);
        return found == counts_.end() ? Count() : found->second;
    }

private:
    static void count(Count& count, const behavior::Popped& popped) {
        if (popped.outcome == behavior::Outcome::Kind::succeeded) ++count.succeeded;
        if (popped.outcome != behavior::Outcome::Kind::failed) return;
        ++count.failed;
        count.failure = popped.reason;
    }

    std::map<std::string, Count, std::less<>> counts_;
};

class BoxObserver final : public behavior::Observer {
public:
    BoxObserver(BehaviorCounts& counts, const std::shared_ptr<robot::BehaviorProgram>& program)
        : counts_(counts), program_(program) {}
    void on_tick(const behavior::Difference& difference) override {
        counts_.on_tick(difference);
        if (program_) program_->flush(difference.tick);
    }

private:
    BehaviorCounts& counts_;
    const std::shared_ptr<robot::BehaviorProgram>& program_;
};

class LineLog final : public Log {
public:
    void write(Level level, std::string_view text) override {
        lines.push_back(std::string(to_string(level)) + ": " + std::string(text));
    }
    std::vector<std::string> lines;
};

Result<world::WorldPlan> room_of(const std::string& text) {
    if (text.empty())
        return world::WorldPlan{
            .name = "box", .size = {6, 6}, .cubes = {{"cube", {4, 3}}}, .starts = {{3, 3, 0}}};
    auto plan = world::read_world({"room", text});
    if (!plan) return fail(Code::malformed, to_string(plan.error()));
    if (plan->starts.empty()) return fail(Code::malformed, "the room has no start for the robot");
    return std::move(*plan);
}

}  // namespace

struct RobotInABox::Inside final : motion::MotionEvents {
    Inside(std::string_view tree, Options given, world::WorldPlan plan,
           std::vector<behavior::StandIn> scripts)
        : options(std::move(given)),
          stand_ins(std::move(scripts)),
          world(world::World(std::move(plan)), loop.clock()),
          body(world, world.now().add_robot().value_or(0),
               robot::SimBodySettings{.lidar_period = std::chrono::milliseconds(200)}),
          propulsion(loop, body, settings, *this),
          telemetry(strand, body, propulsion, buffers, {.rate = options.rate}),
          ai(strand, body, propulsion, buffers, log, parts(),
             {.tree = {{"tree", std::string(tree)}},
              .rate = options.rate,
              .seed = options.seed,
              .bus_facts = options.bus_facts}) {}

    robot::AiParts parts() {
        for (std::size_t i = 0; i < world.now().cube_count(); ++i)
            cubes.push_back(
                &radio.add_cube({.address{0xc0be'0000'0001 + i}, .name = world.now().plan().cubes[i].name}));
        move_cubes();
        robot::AiParts made{.radio = radio, .preferences = preferences};
        made.add_classes = [](behavior::ClassRegistry& classes, robot::AiControl& control) {
            return robot::register_robot_classes(classes, control);
        };
        made.add_own = [this](behavior::ClassRegistry& classes, const robot::RobotMeans& means) {
            if (options.own) options.own(classes, means);
            if (options.program) add_program(classes, means);
            for (const behavior::StandIn& stand_in : stand_ins) behavior::add_stand_in(classes, stand_in);
        };
        made.publish = [this](std::string variable, behavior::Value value) {
            published.emplace_back(std::move(variable), std::move(value));
        };
        made.observer = &observer;
        return made;
    }
    void add_program(behavior::ClassRegistry& classes, const robot::RobotMeans& means) {
        auto hello = robot::read_program_hello(options.program->hello);
        if (!hello) return void(program_error = hello.error().message);
        played.emplace(loop, [this](std::string_view line) { return exchange(line); });
        program = std::make_shared<robot::BehaviorProgram>(loop, *played, std::vector<std::string>{"program"},
                                                           "program", log);
        program->use(means);
        if (const auto added = robot::register_program_classes(classes, *hello, program); !added)
            program_error = added.error().message;
    }
    std::string exchange(std::string_view line) {
        if (!std::exchange(has_greeted, true)) return options.program->hello + "\n";
        return options.program->exchange(line);
    }
    void start() {
        std::vector<std::size_t> all(body.plan().sensors.size());
        std::iota(all.begin(), all.end(), 0U);
        buffers.sensor_array.write(std::move(all));
        buffers.mode_board.change([](robot::ModeBoard& board) { board.run_mode = link::RunMode::rm2; });
        propulsion.start();
        propulsion.permit({true, {motion::MotionSource::ai}});
        telemetry.start();
        ai.start();
        if (program) program->start();
        ai.run(true);
        loop.run_ready();
    }
    void move_cubes() {
        const Vec2 at = position(world.now().pose(0));
        for (std::size_t i = 0; i < cubes.size(); ++i)
            cubes[i]->set_distance(distance(at, world.now().cube_at(i)));
    }
    void step(Duration time) {
        loop.advance(time);
        move_cubes();
    }

    void on_answer(const motion::MotionAnswer&) override {}
    void on_report(const motion::MotionReport&) override {}

    Options options;
    std::vector<behavior::StandIn> stand_ins;
    LineLog log;
    VirtualLoop loop;
    LocalStrand strand{loop};
    motion::MotionSettings settings;
    robot::RunningWorld world;
    robot::SimBody body;
    robot::RobotBuffers buffers{strand};
    motion::ThreadPropulsion propulsion;
    cubes::SimulatedRadio radio{loop};
    cubes::MemoryPreferenceStore preferences;
    std::vector<cubes::SimulatedCube*> cubes;
    BehaviorCounts counts;
    std::optional<PlayedProgram> played;              ///< null: there is no program
    std::shared_ptr<robot::BehaviorProgram> program;  ///< same
    bool has_greeted = false;
    std::string program_error;
    BoxObserver observer{counts, program};
    std::vector<std::pair<std::string, behavior::Value>> published;
    robot::ThreadTelemetry telemetry;
    robot::ThreadAi ai;
};

RobotInABox::RobotInABox(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
RobotInABox::RobotInABox(RobotInABox&&) noexcept = default;
RobotInABox& RobotInABox::operator=(RobotInABox&&) noexcept = default;
RobotInABox::~RobotInABox() = default;

Result<RobotInABox> RobotInABox::make(std::string_view tree, Options options) {
    auto plan = room_of(options.room);
    if (!plan) return fail(std::move(plan.error()));
    std::vector<behavior::StandIn> stand_ins;
    for (const std::string& text : options.stand_ins) {
        auto parsed = behavior::parse_stand_in(text);
        if (!parsed) return fail(std::move(parsed.error()));
        stand_ins.push_back(std::move(*parsed));
    }
    RobotInABox box(
        std::make_unique<Inside>(tree, std::move(options), std::move(*plan), std::move(stand_ins)));
    if (!box.inside_->program_error.empty()) return fail(Code::malformed, box.inside_->program_error);
    box.inside_->start();
    if (!box.inside_->ai.tree_error().empty()) return fail(Code::malformed, box.inside_->ai.tree_error());
    return box;
}

void RobotInABox::advance(Duration time) {
    const Duration period = from_seconds(1 / inside_->options.rate);
    for (Duration left = time; left > Duration(0); left -= period) inside_->step(std::min(left, period));
}

bool RobotInABox::advance_until(const std::function<bool()>& condition, Duration limit) {
    const Duration period = from_seconds(1 / inside_->options.rate);
    for (Duration left = limit; !condition(); left -= period) {
        if (left <= Duration(0)) return false;
        inside_->step(period);
    }
    return true;
}

Duration RobotInABox::time() const { return inside_->loop.clock().now().time_since_epoch(); }

std::vector<std::string> RobotInABox::stack() const { return inside_->buffers.ai_board.copy().stack; }

bool RobotInABox::is_active(std::string_view id) const {
    const std::vector<std::string> active = stack();
    return std::ranges::find(active, id) != active.end();
}

std::size_t RobotInABox::times_activated(std::string_view id) const {
    return inside_->counts.of(id).activated;
}
std::size_t RobotInABox::times_succeeded(std::string_view id) const {
    return inside_->counts.of(id).succeeded;
}
std::size_t RobotInABox::times_failed(std::string_view id) const { return inside_->counts.of(id).failed; }
std::string RobotInABox::failure(std::string_view id) const { return inside_->counts.of(id).failure; }

Result<void> RobotInABox::knows_behavior(std::string_view id) const { return inside_->ai.knows_behavior(id); }
Result<void> RobotInABox::knows_fact(std::string_view name) const { return inside_->ai.knows_fact(name); }

std::string RobotInABox::ask(std::string_view line) {
    std::string answer;
    inside_->ai.ask_behaviors(std::string(line), [&answer](const Result<std::string>& told) {
        answer = told ? *told : told.error().message;
    });
    // Some answers come with the next ticks.
    for (int ticks = 0; answer.empty() && ticks < 30; ++ticks)
        advance(from_seconds(1 / inside_->options.rate));
    return answer;
}

const std::vector<std::string>& RobotInABox::log() const { return inside_->log.lines; }

std::optional<behavior::Value> RobotInABox::fact(std::string_view name) const {
    const behavior::Value* const value = inside_->ai.facts().find(name);
    return value ? std::optional(*value) : std::nullopt;
}

void RobotInABox::set_fact(std::string_view name, behavior::Value value) {
    inside_->ai.set_fact(std::string(name), std::move(value));
    inside_->loop.run_ready();
}

void RobotInABox::hear_bus(std::string_view variable, behavior::Value value) {
    inside_->ai.hear_bus(std::string(variable), std::move(value));
    inside_->loop.run_ready();
}

const std::vector<std::pair<std::string, behavior::Value>>& RobotInABox::published() const {
    return inside_->published;
}

Pose RobotInABox::pose() const { return inside_->world.now().pose(0); }
void RobotInABox::set_battery(double percent) { inside_->world.now().change_battery(0, percent / 100); }

void RobotInABox::lift(bool lifted) {
    world::World& world = inside_->world.now();
    if (lifted) return world.pick_up(0);
    std::ignore = world.put_down(0, world.pose(0));
}

std::size_t RobotInABox::cube_count() const { return inside_->cubes.size(); }

cubes::LedColors RobotInABox::cube_lights(std::size_t cube) const {
    return inside_->cubes.at(cube)->leds(inside_->loop.clock().now());
}

void RobotInABox::tap_cube(std::size_t cube) { inside_->cubes.at(cube)->tap(); }

}  // namespace caribou
