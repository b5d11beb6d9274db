#include "sim/robot_world.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sim/robot_agent.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;

constexpr Duration step_time = 100ms;
constexpr double low_battery = 0.25;  ///< level at which a person sends the robot to its dock
constexpr std::uint16_t station_port = 9600;
constexpr std::uint16_t receive_port = 9601;  ///< of every robot
constexpr std::uint16_t broker_port = 9000;

/// A step down somewhere, which no lidar sees; away from the charger and the starts.
void add_cliff(world::WorldPlan& plan, std::uint64_t seed) {
    constexpr double side = 0.6;
    Random random(seed);
    for (int tries = 0; tries < 1000; ++tries) {
        const Vec2 low{random.unit() * (plan.size.x - side), random.unit() * (plan.size.y - side)};
        const Vec2 middle = low + Vec2{side / 2, side / 2};
        if (!world::is_free(plan, middle, side) || std::ranges::any_of(plan.starts, [&](const Pose& start) {
                return distance(position(start), middle) < 1.5;
            }))
            continue;
        plan.cliffs.push_back({low, low + Vec2{side, side}});
        return;
    }
}

world::WorldPlan plan_for(std::uint64_t seed, const RobotWorldOptions& options) {
    const double side = 4.0 + 2.0 * static_cast<double>(options.robots);
    world::WorldPlan plan = options.plan ? *options.plan : world::random_room(seed, std::min(side, 40.0));
    if (!options.plan && seed % 4 == 3) add_cliff(plan, seed);
    plan.faults.insert(plan.faults.end(), options.faults.begin(), options.faults.end());
    std::ranges::stable_sort(plan.faults, {}, &world::Fault::at);
    return plan;
}

/// Returns whether a cube is connected without a subscriber and without a pending disconnect.
bool is_held_by_nobody(const cubes::CoordinatorStatus& cubes) {
    using enum cubes::CoordinatorState;
    const bool connected = cubes.state == connected_interactable || cubes.state == connected_background;
    return connected && cubes.subscribers.empty() && !cubes.countdown;
}

}  // namespace

RobotWorld::RobotWorld(std::uint64_t seed, RobotWorldOptions options)
    : options_(std::move(options)),
      random_(seed),
      network_(loop_, seed),
      world_(world::World(plan_for(seed, options_)), loop_.clock()),
      station_network_(network_.on_host(station_host)),
      station_streams_(station_wire_, {.seed = seed}),
      intruder_network_(network_.on_host("intruder")),
      trails_(options_.robots),
      seen_(map::GridFrame::around({}, world_.now().plan().size, 0.05)) {
    report_.seed = seed;
    for (std::size_t i = 0; i < options_.robots; ++i) {
        auto id = world_.now().add_robot();
        // The plan's start poses may all be taken: tries random ones.
        for (int tries = 0; !id && tries < 1000; ++tries) {
            const Vec2 size = world_.now().plan().size;
            id = world_.now().add_robot({}, Pose{random_.unit() * size.x, random_.unit() * size.y, 0});
        }
        if (!id) break;
        agents_.push_back(std::make_unique<Agent>(*this, fmt::format("robot-{}", i), loop_, network_, world_,
                                                  *id, random_.next()));
        RobotProgram& program = agents_.back()->program;
        program.config.name = agents_.back()->name;
        program.config.server_ip = station_host;
        program.config.send_port = station_port;
        program.config.receive_port = receive_port;
        program.config.default_run_mode = random_.chance(0.5) ? 2 : 3;
        program.config.bus_prefix = fmt::format("R{}_", i);
        // RM3 would wait for telemetry to be sent.
        if (Random(seed + i).below(8) == 7)
            program.config.default_com_mode = program.config.default_run_mode = 2;
        if (options_.bus) agents_.back()->machine.broker = Address::ip(broker_host, broker_port);
        program.config.ai_seed = static_cast<int>(random_.below(1'000'000));
        program.tree = options_.tree;
        program.add_classes = options_.add_classes;
        if (options_.keyed) pair(*agents_.back());
    }
    start_station();
    if (options_.bus) start_broker();
    for (std::size_t i = 0; i < agents_.size(); ++i) start_program(i);
}

RobotWorld::~RobotWorld() = default;

void RobotWorld::Trace::write(Level, std::string_view text) {
    if (world_.options_.trace) world_.tell(fmt::format("{}: {}", who_, text));
}

std::string RobotWorld::name_of(std::size_t index) const { return agents_[index]->name; }

/// Pairs the robot with the station, and with two more peers: one that may drive and one that may observe.
void RobotWorld::pair(Agent& agent) {
    const auto key = [&](std::string name, link::Role role) {
        return link::PairedKey{std::move(name), role, "2026-01-31T12:00:00Z", random_key(random_)};
    };
    agent.machine.keys.keys = {key(station_host, link::Role::admin), key(friend_key, link::Role::drive),
                               key(guest_key, link::Role::observe)};
    agent.machine.cookie.kept = station_host;
    station_keys_.keys.push_back(agent.machine.keys.keys.front());
    station_keys_.keys.back().name = agent.name;
}

std::uint64_t RobotWorld::refused_datagrams() const {
    if (!station_) return 0;
    const station::FleetCounts& counts = station_->fleet().counts();
    return counts.malformed + counts.foreign + counts.refused;
}

void RobotWorld::count_refusals() {
    if (const std::uint64_t refused = refused_datagrams()) report_.troubles["datagram refused"] += refused;
}

void RobotWorld::start_station() {
    datagrams_.restart();
    station::FleetSettings settings;
    for (const auto& agent : agents_)
        if (agent->program.config.default_com_mode == 2)
            settings.dial[agent->name] = Address::ip(agent->name, receive_port);
    if (options_.keyed) settings.keys.emplace(station_keys_, station_streams_);
    settings.session.send_to = fmt::format("{}:{}", station_host, station_port);
    station_ = std::make_unique<station::Station>(loop_, station_wire_, std::move(settings), log_);
    sent_.restart();
    station_->add_listener(sent_);
    if (auto heard = station_->fleet().listen(Address::ip("127.0.0.1", station_port)); !heard)
        report_.violations.push_back("the station cannot listen: " + heard.error().message);
    station_back_.reset();
}

void RobotWorld::start_broker() {
    broker_back_.reset();
    if (!broker_network_) broker_network_ = network_.on_host(broker_host);
    broker_ = std::make_unique<bus::BrokerServer>(loop_, *broker_network_, bus::BrokerServer::Options{},
                                                  broker_log_);
    const Address at = Address::ip("127.0.0.1", broker_port);
    if (auto heard = broker_->listen(at); !heard)
        report_.violations.push_back("the broker cannot listen: " + heard.error().message);
    if (witness_) return;
    witness_network_ = network_.on_host("witness");
    witness_ = std::make_unique<BusWitness>(loop_, *witness_network_, Address::ip(broker_host, broker_port));
}

bool RobotWorld::bus_is_right() const {
    return !witness_ || std::ranges::all_of(agents_, [this](const auto& agent) {
        const auto mode = agent->process ? to_string(agent->process->robot().main().modes().mode()) : "";
        return witness_->heard(agent->program.config.bus_prefix + "RUN_MODE") == mode;
    });
}

void RobotWorld::start_program(std::size_t index) {
    Agent& agent = *agents_[index];
    agent.back.reset();
    agent.audit.drive.restart();
    agent.stranger.reset();
    agent.process = std::make_unique<RobotProcess>(agent.machine, agent.program, agent.commands, agent.log,
                                                   [this, &agent] { sample_motion(agent); });
    agent.process->start();
    ++agent.starts;
}

RobotWorldReport RobotWorld::run() {
    began_ = loop_.clock().now();
    const Instant end = began_ + options_.time;
    Instant told = began_;
    while (loop_.clock().now() < end && report_.violations.empty() && !report_.canceled) {
        if (options_.trouble && loop_.clock().now() >= next_trouble_) {
            act();
            next_trouble_ = loop_.clock().now() + some_time(*options_.trouble * 2);
        }
        follow_script();
        step();
        if (options_.progress && loop_.clock().now() - told >= 60s) {
            told = loop_.clock().now();
            report_.canceled = !options_.progress(told - began_);
        }
    }
    if (report_.violations.empty() && !report_.canceled) settle();
    count_refusals();
    summarize();
    return report_;
}

void RobotWorld::step() {
    follow_orders();
    loop_.advance(step_time);
    world_.now();
    for (std::size_t i = 0; i < agents_.size(); ++i) {
        if (!agents_[i]->process) sample_motion(*agents_[i]);
        watch(i);
    }
    if (options_.keyed) watch_outsiders();
    for (const std::string& found : sent_.findings()) report_.violations.push_back(found);
    if (loop_.clock().now() >= next_look_) look_around();
}

void RobotWorld::watch_outsiders() {
    if (intruder_ && intruder_->got_in())
        report_.violations.push_back(
            fmt::format("a robot let an intruder in: {}", to_string(intruder_->kind())));
    if (intruder_ && intruder_->kind() == Intruder::Kind::unleased && intruder_->is_connected()) {
        const Agent& agent = *agents_[intruded_];
        // A connection to a program that was killed stays half-open.
        const bool is_same = agent.process && agent.starts == intruded_start_;
        if (is_same && agent.paired_at && loop_.clock().now() - agent.unpaired_at > 2s)
            violate(intruded_, "a peer whose key was removed is still connected");
    }
    if (intruder_ && intruder_->kind() == Intruder::Kind::second_station && intruder_->is_welcome())
        violate(intruded_, "it has accepted another station than its own");
    datagrams_.look();
    for (const std::string& found : datagrams_.findings()) report_.violations.push_back(found);
}

void RobotWorld::look_around() {
    next_look_ = loop_.clock().now() + 2s;
    for (const auto& agent : agents_)
        if (const world::LidarScan* scan = world_.now().lidar(agent->id))
            seen_.add({.from = world_.now().pose(agent->id),
                       .angle_step = 2 * std::numbers::pi / static_cast<double>(scan->ranges.size()),
                       .ranges = scan->ranges});
}

/// Continues or ends the actions in progress.
void RobotWorld::follow_orders() {
    const Instant now = loop_.clock().now();
    if (station_back_ && now >= *station_back_) start_station();
    if (broker_back_ && now >= *broker_back_) start_broker();
    for (std::size_t i = 0; i < agents_.size(); ++i) {
        Agent& agent = *agents_[i];
        if (agent.link_back && now >= *agent.link_back) {
            agent.link_back.reset();
            network_.heal(station_host, agent.name);
        }
        if (agent.disk_back && now >= *agent.disk_back) {
            agent.disk_back.reset();
            agent.machine.fill_disk(false);
        }
        if (agent.release_at && now >= *agent.release_at) {
            agent.release_at.reset();
            send(i, "release_stop");
        }
        if (agent.stranger && now >= agent.stranger_until) {
            if (agent.process) agent.process->close_session(*agent.stranger);
            agent.audit.drive.gone({}, now);
            agent.stranger.reset();
        }
        if (agent.hang_at && now >= *agent.hang_at) hang_main(i);
        if (agent.reset_at && now >= *agent.reset_at) {
            agent.reset_at.reset();
            reset_link(i);
        }
        if (agent.unhang_at && now >= *agent.unhang_at) {
            agent.unhang_at.reset();
            agent.unhung = now;
            if (agent.process) agent.process->thread(agent.hanging).set_hanging(false);
        }
        if (agent.paired_at && now >= *agent.paired_at) {
            agent.paired_at.reset();
            agent.machine.keys.keys.push_back(*agent.friends_key);
        }
        if (now >= agent.next_tended) tend(i);
        if (agent.back && now >= *agent.back) start_program(i);
        if (agent.key_until && now >= *agent.key_until) agent.key_until.reset();
        if (agent.key_until) send(i, agent.key);
    }
}

/// Simulates a person who looks after batteries: sends a robot driven by the station to its dock in time, and
/// carries one with an empty battery there. A robot in RM2 docks by itself.
void RobotWorld::tend(std::size_t index) {
    Agent& agent = *agents_[index];
    agent.next_tended = loop_.clock().now() + 10s;
    if (agent.is_empty) return carry_to_charger(index);
    const station::RobotSession* const session = station_ ? station_->fleet().find(agent.name) : nullptr;
    const link::Telemetry* const telemetry =
        session && station::is_running(session->mode()) && !session->stale() ? session->telemetry() : nullptr;
    const bool is_low = telemetry && telemetry->battery.level <= low_battery;
    if (!is_low || telemetry->battery.on_charger) return;
    if (telemetry->run_mode != link::RunMode::rm3 && !telemetry->stopped) return;
    tell(fmt::format("{} is sent to its dock: its battery is at {}", agent.name,
                     link::level_text(telemetry->battery)));
    for (const char* command : {"release_stop", "enable_sensor sensor=lidar", "dock"}) send(index, command);
    agent.next_tended = loop_.clock().now() + 60s;
}

void RobotWorld::carry_to_charger(std::size_t index) {
    Agent& agent = *agents_[index];
    world::World& world = world_.now();
    if (world.power(agent.id).level >= charged_enough) {
        agent.is_empty = false;
        agent.back = loop_.clock().now();
        return;
    }
    if (!world.plan().charger) return world.change_battery(agent.id, charged_enough);
    world.set_charger_present(true);
    if (world.power(agent.id).on_contacts) return;
    if (!world.put_down(agent.id, world.plan().charger->pose)) return;  // another robot is there
    tell(fmt::format("{} is carried to its charger", agent.name));
    ++agent.carried;
}

void RobotWorld::watch(std::size_t index) {
    Agent& agent = *agents_[index];
    agent.commands.look();
    for (const std::string& found : agent.commands.findings()) violate(index, found);
    const world::Power power = world_.now().power(agent.id);
    if (power.on_contacts && !agent.was_docked) ++agent.dockings;
    agent.was_docked = power.on_contacts;
    watch_station(index);
    if (const Pose& pose = world_.now().pose(agent.id);
        trails_[index].empty() || distance(trails_[index].back(), {pose.x, pose.y}) > 0.05)
        trails_[index].push_back({pose.x, pose.y});
    if (!agent.process) return;

    RobotProcess& process = *agent.process;
    for (const std::string& found : process.motion().findings()) violate(index, found);
    for (const std::string& found : agent.audit.drive.findings()) violate(index, found);
    for (const std::string& found : agent.audit.findings()) violate(index, found);
    watch_machine(index);
    watch_link(index);
    watch_body(index);
    watch_full_stop(index);
    const robot::RunModes& modes = process.robot().main().modes();
    if ((modes.mode() == link::RunMode::rm1) != modes.wait_reason().has_value())
        violate(index, fmt::format("{} has a reason to wait, or RM1 has none", to_string(modes.mode())));
    if (is_held_by_nobody(process.robot().ai().cubes().coordinator.status()))
        violate(index, "a cube is connected without a subscription");
    if (!process.end()) return;

    // The program has ended: after RM5 a supervisor would restart it at once, after RM0 a person does later.
    const robot::RobotEnd end = *process.end();
    tell(fmt::format("{} ends in {}: {}", agent.name, to_string(end.mode), end.why));
    ++report_.troubles[fmt::format("ended in {}", to_string(end.mode))];
    process.stop();
    agent.process.reset();
    agent.commands.forget();
    agent.unhang_at.reset();
    agent.full_stop_due.reset();
    agent.is_empty =
        end.mode == link::RunMode::rm0 && end.why == to_string(motion::MotionFault::battery_critical);
    if (agent.is_empty)
        agent.next_tended = loop_.clock().now() + 20s;
    else
        agent.back = loop_.clock().now() + (end.mode == link::RunMode::rm5 ? 1s : 20s);
}

void RobotWorld::watch_machine(std::size_t index) {
    Agent& agent = *agents_[index];
    if (const Instant now = loop_.clock().now(); now >= agent.next_count) {
        agent.next_count = now + 1s;
        agent.held.look(agent.process->robot().held());
        for (const std::string& found : agent.held.findings()) violate(index, found);
    }
    if (agent.machine.store.text == agent.read_text) return;
    agent.read_text = agent.machine.store.text;
    if (!robot::read_config(agent.read_text, "").good())
        violate(index, "its configuration cannot be read any more");
}

void RobotWorld::violate(std::size_t index, std::string_view what) {
    report_.violations.push_back(fmt::format(
        "{:.1f} s, {}: {}", to_seconds(loop_.clock().now().time_since_epoch()), name_of(index), what));
}

void RobotWorld::tell(std::string_view what) const {
    if (options_.trace)
        options_.trace(
            fmt::format("{:9.1f} s  {}", to_seconds(loop_.clock().now().time_since_epoch()), what));
}

}  // namespace caribou::sim
