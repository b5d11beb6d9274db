// Faults and operator actions in a simulated world.

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/robot_agent.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::uint16_t robot_port = 9601;  ///< same as in robot_world.cpp

template <std::size_t n>
std::string_view any_word(const std::array<std::string_view, n>& words, Random& random) {
    return words[random.below(n)];
}

}  // namespace

const std::vector<RobotWorld::Action>& RobotWorld::actions() {
    static const std::vector<Action> all{
        {20, "command", &RobotWorld::give_command},
        {4, "nonsense", &RobotWorld::give_nonsense},
        {26, "hold_key", &RobotWorld::hold_a_key},
        {4, "stop_briefly", &RobotWorld::stop_briefly},
        {4, "hang_thread", &RobotWorld::hang_thread},
        {4, "hang_driven", &RobotWorld::hang_driven},
        {6, "drive_route", &RobotWorld::drive_route},
        {2, "unpair_friend", &RobotWorld::unpair_friend},
        {6, "full_stop", &RobotWorld::full_stop},
        {10, "release_stop", &RobotWorld::release_stop},
        {12, "change_mode", &RobotWorld::change_mode},
        {6, "cut_link", &RobotWorld::cut_link},
        {4, "reset_link", &RobotWorld::reset_link},
        {4, "change_network", &RobotWorld::change_network},
        {2, "kill_robot", &RobotWorld::kill_program},
        {2, "kill_station", &RobotWorld::kill_station},
        {3, "step_clock", &RobotWorld::step_wall},
        {5, "break_part", &RobotWorld::break_something},
        {1, "move_charger", &RobotWorld::move_charger},
        {2, "lose_cube", &RobotWorld::drop_cube_link},
        {2, "fill_disk", &RobotWorld::fill_disk},
        {2, "kill_broker", &RobotWorld::kill_broker},
        {6, "intrude", &RobotWorld::intrude},
        {4, "replay_datagrams", &RobotWorld::replay_datagrams},
    };
    return all;
}

void RobotWorld::act() {
    unsigned total = 0;
    for (const Action& action : actions()) total += action.weight;
    std::uint64_t drawn = random_.below(total);
    for (const Action& action : actions()) {
        if (drawn < action.weight) return let_happen(action);
        drawn -= action.weight;
    }
}

void RobotWorld::let_happen(const Action& action) {
    ++report_.troubles[std::string(action.name)];
    (this->*action.happen)();
}

void RobotWorld::follow_script() {
    for (; next_event_ < options_.script.size(); ++next_event_) {
        const ScriptedTrouble& event = options_.script[next_event_];
        if (event.at > loop_.clock().now() - began_) return;
        if (event.robot >= agents_.size()) continue;
        only_ = event.robot;
        let_happen(*std::ranges::find(actions(), event.what, &Action::name));
        only_.reset();
    }
}

std::vector<std::string> trouble_names() {
    std::vector<std::string> names;
    for (const RobotWorld::Action& action : RobotWorld::actions()) names.emplace_back(action.name);
    return names;
}

Duration RobotWorld::some_time(Duration most) { return Duration(random_.between(1, most.count())); }

void RobotWorld::send(std::size_t index, std::string_view text, std::string_view operator_name) {
    if (!station_) return;
    station::RobotSession* const session = station_->fleet().find(name_of(index));
    auto command = link::command_from(text);
    if (session == nullptr || !command) return;
    if (link::is_motion(command->code)) {
        Agent& agent = *agents_[index];
        const Duration life = command->duration("ttl").value_or(agent.program.config.motion.time_to_live);
        agent.audit.drive.sent(loop_.clock().now(), life);
        agent.drove.insert_or_assign(std::string(operator_name), loop_.clock().now());
    }
    if (command->code == link::CommandCode::full_stop) expect_stop(*agents_[index], *session);
    if (command->code == link::CommandCode::take_lease)
        agents_[index]->drove.insert_or_assign(std::string(operator_name), loop_.clock().now());
    session->send(std::move(*command), {std::string(operator_name), link::Role::admin},
                  [](const link::Answer&) {});
}

/// Requires that the robot executes the full stop that is sent now, if nothing prevents that.
void RobotWorld::expect_stop(Agent& agent, const station::RobotSession& session) {
    const Instant now = loop_.clock().now();
    // Telemetry has shown the station where to send datagrams.
    const bool reaches =
        station::is_running(session.mode()) && session.telemetry() && agent.commands.station();
    if (reaches && agent.process && !agent.link_back && !agent.unhang_at && !agent.full_stop_due)
        agent.full_stop_due = Agent::FullStopDue{now + 1500ms, now};
}

void RobotWorld::give_command() {
    static constexpr std::array<std::string_view, 20> commands{"status",
                                                               "set_parameter name=telemetry.rate value=12",
                                                               "ping",
                                                               "move_forward level=2",
                                                               "move_backward level=1",
                                                               "spin_left level=1",
                                                               "spin_right level=3",
                                                               "turn_left level=2",
                                                               "turn_right level=3",
                                                               "move movement=TURN_BW_-1_-3",
                                                               "drive forward=0.3 turn=-0.8",
                                                               "drive forward=-0.1 turn=1.5",
                                                               "drive turn=4 ttl=1s",
                                                               "disable_sensor sensor=lidar",
                                                               "enable_sensor sensor=lidar",
                                                               "disable_telemetry",
                                                               "enable_telemetry",
                                                               "dock",
                                                               "take_lease",
                                                               "cubes line=status"};
    const std::size_t index = any_robot();
    const std::string_view command = any_word(commands, random_);
    tell(fmt::format("{} receives: {}", name_of(index), command));
    send(index, command);
}

/// Bypasses the station's own checks.
void RobotWorld::give_nonsense() {
    const std::size_t index = any_robot();
    if (!agents_[index]->process) return;
    link::Command command{.id = {random_.below(50)},
                          .code = static_cast<link::CommandCode>(random_.below(400))};
    const std::size_t arguments = random_.below(3);
    for (std::size_t i = 0; i < arguments; ++i)
        command.arguments.push_back(
            {random_.chance(0.5) ? "level" : "x", std::to_string(random_.between(-9, 9))});
    tell(fmt::format("{} receives nonsense: {}", name_of(index), to_string(command)));
    // Its session is not a connection, and ends soon, with its lease: see follow_orders().
    Agent& agent = *agents_[index];
    if (!agent.stranger) agent.stranger = agent.process->open_session();
    agent.stranger_until = loop_.clock().now() + 500ms;
    agent.commands.expect_stranger_until(agent.stranger_until +
                                         500ms);  // until the robot has noticed its end
    RobotAudit& audit = agents_[index]->audit;
    if (link::is_motion(command.code)) audit.drive.sent(loop_.clock().now(), 2s);
    if (command.code == link::CommandCode::full_stop) audit.on_command({}, command);
    agents_[index]->process->robot().command(
        {.peer = {"nobody", random_.chance(0.5) ? link::Role::observe : link::Role::drive, *agent.stranger},
         .command = command,
         .reply = [&audit, command](const link::Answer& answer) {
             if (answer.is_final() && !answer.refusal) audit.on_done(command);
         }});
}

void RobotWorld::hold_a_key() {
    static constexpr std::array<std::string_view, 8> keys{
        "move_forward level=3",       "move_forward level=1",      "move_backward level=2",
        "spin_left level=2",          "spin_right level=1",        "move movement=TURN_FW_3_1",
        "drive forward=0.4 turn=0.3", "drive forward=0.05 turn=-2"};
    const std::size_t index = any_robot();
    Agent& agent = *agents_[index];
    agent.key = any_word(keys, random_);
    agent.key_until = loop_.clock().now() + some_time(5s);
    // Most operators take over first, and release a stop of before.
    if (random_.chance(0.8)) {
        send(index, "setRM(3)");
        send(index, "release_stop");
    }
    tell(fmt::format("a person drives {}: {}", agent.name, agent.key));
}

void RobotWorld::full_stop() {
    const std::size_t index = any_robot();
    tell(fmt::format("full stop of {}", name_of(index)));
    send(index, "full_stop");
    if (random_.chance(0.3)) reset_link(index);
}

/// Drives with a long life, stops, and releases before that has passed.
void RobotWorld::stop_briefly() {
    const std::size_t index = any_robot();
    tell(fmt::format("a brief stop of {}", name_of(index)));
    send(index, "move_forward level=2 ttl=2s");
    // The stop may arrive before this, as a datagram.
    if (random_.chance(0.5)) send(index, "release_stop");
    send(index, "full_stop");
    agents_[index]->release_at = loop_.clock().now() + some_time(1s);
}

void RobotWorld::hang_thread() {
    static constexpr std::array<std::string_view, RobotProcess::hanging_threads> names{"main", "telemetry",
                                                                                       "ai"};
    const std::size_t index = any_robot();
    Agent& agent = *agents_[index];
    if (!agent.process || agent.unhang_at) return;
    agent.full_stop_due.reset();
    agent.hanging = random_.below(names.size());
    agent.hangs_since = loop_.clock().now();
    agent.unhang_at = agent.hangs_since + some_time(6s);
    tell(fmt::format("the thread {} of {} hangs", names[agent.hanging], agent.name));
    agent.process->thread(agent.hanging).set_hanging(true);
}

/// Lets main hang for a moment while commands arrive, and often lets their connection end before it goes on.
void RobotWorld::hang_driven() {
    const std::size_t index = any_robot();
    Agent& agent = *agents_[index];
    tell(fmt::format("a person drives {}, whose main thread will hang", agent.name));
    send(index, "setRM(3)");
    send(index, "release_stop");
    agent.hang_at = loop_.clock().now() + 1s;
}

void RobotWorld::hang_main(std::size_t index) {
    Agent& agent = *agents_[index];
    agent.hang_at.reset();
    if (!agent.process || agent.unhang_at) return;
    const Duration longest = 900ms;  // main is silent, which stops the robot, after a second
    agent.full_stop_due.reset();
    agent.hanging = 0;
    agent.hangs_since = loop_.clock().now();
    agent.unhang_at = agent.hangs_since + 200ms + some_time(longest - 200ms);
    agent.process->thread(0).set_hanging(true);
    tell(fmt::format("the thread main of {} hangs", agent.name));
    send(index, random_.chance(0.5) ? "move_forward level=2" : "move_backward level=2 ttl=2s");
    if (random_.chance(0.5)) agent.reset_at = agent.hangs_since + some_time(300ms);
}

/// Lets the autopilot drive somewhere, in RM3.
void RobotWorld::drive_route() {
    const std::size_t index = any_robot();
    station::RobotSession* const session = station_ ? station_->fleet().find(name_of(index)) : nullptr;
    if (session == nullptr || session->telemetry() == nullptr) return;
    for (const char* command : {"setRM(3)", "release_stop", "release_lease"}) send(index, command);
    station::Autopilot& pilot = station_->pilot(*session);
    std::ignore = pilot.abort();
    station::Route route;
    for (int i = 0; i < 3; ++i) {
        const Pose& pose = session->telemetry()->pose;
        route.points.push_back(position(pose) + towards(random_.unit() * 6.28) * (0.3 + random_.unit()));
    }
    std::ignore = pilot.load(std::move(route));
    const auto objection = pilot.start();
    if (!objection) sent_.started(name_of(index));
    agents_[index]->audit.drive.sent(loop_.clock().now(), 600ms);
    tell(fmt::format("{} is sent along a route{}{}", name_of(index), objection ? ": " : "",
                     objection ? objection->text : ""));
}

/// Somebody takes a friend's key away for a while.
void RobotWorld::unpair_friend() {
    Agent& agent = *agents_[any_robot()];
    auto& keys = agent.machine.keys.keys;
    const auto found = std::ranges::find(keys, friend_key, &link::PairedKey::name);
    if (found == keys.end()) return;
    tell(fmt::format("{} is unpaired from {}", agent.name, friend_key));
    agent.friends_key = *found;
    keys.erase(found);
    agent.unpaired_at = loop_.clock().now();
    agent.paired_at = agent.unpaired_at + 5s + some_time(10s);
}

void RobotWorld::release_stop() {
    for (std::size_t i = 0; i < agents_.size(); ++i) send(i, "release_stop");
}

void RobotWorld::change_mode() {
    static constexpr std::array<std::string_view, 8> modes{"setRM(2)",
                                                           "setRM(2)",
                                                           "setRM(3)",
                                                           "setRM(3,true)",
                                                           "go_to_run_mode mode=1 reason=TimedSleep time=5s",
                                                           "setRM(5)",
                                                           "setRM(4)",
                                                           "setRM(1)"};
    const std::size_t index = any_robot();
    const std::string_view mode = any_word(modes, random_);
    tell(fmt::format("{} receives: {}", name_of(index), mode));
    send(index, mode);
}

void RobotWorld::cut_link() {
    const std::size_t index = any_robot();
    Agent& agent = *agents_[index];
    if (!agent.link_back) agent.cut_since = loop_.clock().now();
    agent.full_stop_due.reset();
    agent.link_back = loop_.clock().now() + some_time(8s);
    tell(fmt::format("the link to {} is cut", agent.name));
    network_.partition(station_host, agent.name);
}

void RobotWorld::reset_link() { reset_link(any_robot()); }

void RobotWorld::reset_link(std::size_t index) {
    // Without keys a full stop is sent on the connection only.
    if (!options_.keyed) agents_[index]->full_stop_due.reset();
    tell(fmt::format("the connection with {} is reset", name_of(index)));
    network_.reset(station_host, name_of(index));
}

void RobotWorld::change_network() {
    Faults faults;
    if (random_.chance(0.7)) {
        faults.min_delay = some_time(20ms);
        faults.max_delay = faults.min_delay + some_time(200ms);
        faults.loss = random_.unit() * 0.3;
        faults.duplication = random_.unit() * 0.1;
        faults.reordering = random_.unit() * 0.2;
        faults.split_reads = random_.chance(0.5);
    }
    tell(fmt::format("the network loses {:.0f} % and takes up to {:.0f} ms", faults.loss * 100,
                     to_seconds(faults.max_delay) * 1000));
    network_.set_faults(faults);
}

void RobotWorld::kill_program() {
    const std::size_t index = any_robot();
    Agent& agent = *agents_[index];
    if (!agent.process) return;
    tell(fmt::format("the program of {} is killed", agent.name));
    agent.process.reset();
    agent.commands.forget();
    agent.unhang_at.reset();
    agent.full_stop_due.reset();
    network_.crash(agent.name);
    // The motor driver no longer receives orders and switches off.
    std::ignore = agent.body.cut_motors();
    agent.back = loop_.clock().now() + some_time(5s);
}

void RobotWorld::kill_station() {
    if (!station_) return;
    tell("the station is killed");
    for (const auto& agent : agents_) agent->full_stop_due.reset();
    count_refusals();
    station_.reset();
    network_.crash(station_host);
    station_back_ = loop_.clock().now() + some_time(8s);
}

void RobotWorld::step_wall() {
    const Duration step(random_.between(-3600, 3600) * Duration(1s).count());
    tell(fmt::format("the wall clock jumps by {} s", step / 1s));
    loop_.step_wall(step);
}

void RobotWorld::break_something() {
    using enum world::FaultKind;
    static constexpr std::array kinds{dead_sensor,   dead_sensor,   dead_sensor, stuck_motor,
                                      blocked_wheel, lying_encoder, low_battery, picked_up};
    const std::size_t index = any_robot();
    world::Fault fault{.kind = kinds[random_.below(kinds.size())],
                       .at = world_.now().now(),
                       .until = world_.now().now() + some_time(10s),
                       .robot = agents_[index]->id};
    std::vector<std::string> ranges;
    for (const auto& range : world_.now().model(fault.robot).ranges) ranges.push_back(range.name);
    if (const auto subjects = world::subjects_of(fault.kind, ranges); !subjects.empty())
        fault.what = subjects[random_.below(subjects.size())];
    if (fault.kind == lying_encoder) fault.value = random_.unit() * 2;
    if (fault.kind == low_battery) fault.value = 0.1 + random_.unit() * 0.3;
    tell(fmt::format("{}: {} {}", name_of(index), to_string(fault.kind), fault.what));
    world_.now().befall(fault);
    agents_[index]->whole_since = loop_.clock().now() + (*fault.until - fault.at) + 5s;
}

void RobotWorld::move_charger() {
    const bool there = !world_.now().charger_present();
    tell(there ? "the charger is back" : "the charger is taken away");
    world_.now().set_charger_present(there);
}

void RobotWorld::drop_cube_link() {
    const std::size_t index = any_robot();
    tell(fmt::format("the cube of {} is out of reach for a moment", name_of(index)));
    agents_[index]->machine.radio.drop_link();
}

void RobotWorld::fill_disk() {
    Agent& agent = *agents_[any_robot()];
    tell(fmt::format("the disk of {} is full", agent.name));
    agent.machine.fill_disk(true);
    agent.disk_back = loop_.clock().now() + some_time(10s);
}

void RobotWorld::kill_broker() {
    if (!broker_) return;
    tell("the broker is killed");
    broker_.reset();
    network_.crash(broker_host);
    broker_back_ = loop_.clock().now() + some_time(8s);
}

void RobotWorld::intrude() {
    using enum Intruder::Kind;
    const std::size_t index = any_robot();
    const auto kind =
        static_cast<Intruder::Kind>(random_.below(options_.keyed ? Intruder::kinds : Intruder::plain_kinds));
    tell(fmt::format("an intruder dials {}: {}", name_of(index), to_string(kind)));
    ++report_.troubles[fmt::format("intruder: {}", to_string(kind))];
    intruder_.reset();
    intruder_streams_.reset();
    intruded_ = index;
    intruded_start_ = agents_[intruded_]->starts;
    agents_[index]->audit.drive.sent(loop_.clock().now(), 5s);
    const bool proves_a_key = options_.keyed && (kind == wrong_key || !Intruder::is_outsider(kind));
    if (proves_a_key) {
        auto& keys = agents_[index]->machine.keys;
        const char* const name = kind == observer ? guest_key : friend_key;
        const auto known = keys.named(name);
        const auto key = kind == wrong_key || !known ? random_key(random_) : known->key;
        intruder_streams_ = std::make_unique<link::KeyedNetwork>(
            *intruder_network_, link::KeyedNetwork::Options{.own_key = key, .seed = random_.next()});
    }
    intruder_ = std::make_unique<Intruder>(
        proves_a_key ? static_cast<Network&>(*intruder_streams_) : *intruder_network_,
        Address::ip(name_of(index), robot_port), kind, random_, said_.any(random_));
}

void RobotWorld::replay_datagrams() {
    const std::size_t index = any_robot();
    const std::size_t count = 1 + random_.below(8);
    tell(fmt::format("{} datagrams of {} are sent again", count, name_of(index)));
    // Without sealing, a modified datagram cannot be detected.
    agents_[index]->datagrams.replay(count, options_.keyed);
}

}  // namespace caribou::sim
