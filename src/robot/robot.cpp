#include "robot/robot.hpp"

#include <utility>

#include "robot/camera.hpp"

namespace caribou::robot {
namespace {

/// Only a robot whose station is on another machine accepts connections from other machines.
Address listening_address(const RobotConfig& config) {
    const bool is_here = Address::ip(config.server_ip, 0).is_loopback();
    const char* const everywhere = config.server_ip.contains(':') ? "::" : "0.0.0.0";
    return Address::ip(is_here ? "127.0.0.1" : everywhere, static_cast<std::uint16_t>(config.receive_port));
}

/// The configuration was checked (config_contradictions.cpp).
MapAtStart map_at_start(const RobotConfig& config) {
    MapAtStart start{.name = config.map_load};
    if (const auto pose = pose_from(config.map_start)) start.pose = *pose;
    return start;
}

}  // namespace

Robot::Robot(RobotParts parts, const RobotConfig& config)
    : buffers_(parts.buffers),
      motion_(parts.motion),
      plan_(parts.body.plan()),
      main_strand_(parts.strands.main),
      stops_(parts.strands.stops, parts.motion, parts.buffers, parts.latch, parts.log),
      telemetry_(parts.strands.telemetry, parts.body, parts.motion, parts.buffers,
                 {.rate = config.telemetry_rate, .motion_limit = config.motion.report_limit()}),
      transmission_(parts.strands.transmission, parts.transmission_network, parts.motion, parts.buffers,
                    {.robot = config.name,
                     .station = Address::ip(config.server_ip, static_cast<std::uint16_t>(config.send_port)),
                     .sends_at_once = config.default_com_mode == 1,
                     .trust = parts.trust}),
      receiver_(parts.strands.receiver, parts.receiver_network, parts.motion, parts.buffers, parts.log,
                {.robot = config.name,
                 .at = listening_address(config),
                 .station_limit = config.link_limit(),
                 .plain_afar = parts.plain_afar,
                 .trust = parts.trust}),
      ai_(parts.strands.ai, parts.body, parts.motion, parts.buffers, parts.log, std::move(parts.ai),
          {.tree = std::move(parts.tree),
           .tree_unreadable = std::move(parts.tree_unreadable),
           .rate = config.ai_rate,
           .telemetry_limit = from_seconds(config.ai_telemetry_limit),
           .seed = static_cast<std::uint64_t>(config.ai_seed),
           .bus_facts = config.ai_bus_facts,
           .has_programs = !config.ai_programs.empty(),
           .map = map_at_start(config)}),
      main_({.strand = parts.strands.main,
             .body = parts.body,
             .motion = parts.motion,
             .buffers = parts.buffers,
             .telemetry = telemetry_,
             .transmission = transmission_,
             .receiver = receiver_,
             .ai = ai_,
             .telemetry_strand = parts.strands.telemetry,
             .transmission_strand = parts.strands.transmission,
             .receiver_strand = parts.strands.receiver,
             .ai_strand = parts.strands.ai,
             .stops = stops_,
             .store = parts.store,
             .reboots = parts.reboots,
             .log = parts.log,
             .latch = parts.latch,
             .trust = parts.trust,
             .check_software = std::move(parts.check_software),
             .unguarded = parts.unguarded,
             .link_not_stored = parts.link_not_stored,
             .not_self_checked = std::move(parts.not_self_checked)},
            config),
      ask_camera_(std::move(parts.ask_camera)),
      views_(
          parts.strands.receiver, receiver_.topics(), config.name,
          [this](const ViewRequest& request, TellView tell) { ask_view(request, std::move(tell)); },
          parts.log) {
    buffers_.note_stop = [&latch = parts.latch](motion::StopCause cause) { latch.note(cause); };
    views_.start();
}

void Robot::start() {
    stops_.start();
    main_.start();
}

void Robot::set_bus(BusDoor door) {
    main_.set_bus(std::move(door.ask_line));
    ask_bus_ = std::move(door.ask_view);
}

void Robot::ask_view(const ViewRequest& request, TellView tell) {
    const views::View view = request.view;
    switch (view) {
        case views::View::camera: {
            if (ask_camera_) return ask_camera_(request.camera, std::move(tell));
            const double time = main_strand_.loop().clock().unix_seconds();
            return tell(camera_problem(std::string(no_camera), time, static_cast<std::uint64_t>(time)));
        }
        case views::View::scan: {
            const auto round = buffers_.telemetry_buffer.copy();
            const Clock& clock = main_strand_.loop().clock();
            const double zero = clock.unix_seconds() - to_seconds(clock.now().time_since_epoch());
            return tell(round ? scan_picture(*round, plan_, zero) : ViewPicture());
        }
        case views::View::map:
        case views::View::places:
        case views::View::plan:
        case views::View::behaviors:
        case views::View::cubes: return ai_.ask_view(view, std::move(tell));
        case views::View::bus: return ask_bus_ ? ask_bus_(std::move(tell)) : tell({});
        case views::View::health: return tell(main_.health_json());
        case views::View::topics: {
            // RobotViews adds its own negotiations.
            std::string lines;
            for (const auto& [user, sentences] : buffers_.topic_mismatches.copy())
                for (const std::string& sentence : sentences) lines += sentence + "\n";
            return tell(std::move(lines));
        }
    }
}

void Robot::command(Request request, motion::StopCause stops_as) {
    if (request.command.code == link::CommandCode::full_stop)
        buffers_.stop_now(motion_, stops_as, main_strand_.loop().clock());
    request.stop_cause = stops_as;
    if (!request.given) request.given = main_strand_.loop().clock().boot_seconds();
    const link::CommandId id = request.command.id;
    const Reply reply = request.reply;
    if (!buffers_.submit(std::move(request)))
        reply(link::Answer::refused(id, {link::Refusal::busy, "too many commands wait already"}));
}

std::vector<Held> Robot::held() const {
    std::vector<Held> all = buffers_.held();
    main_.commands().add_held(all);
    all.push_back(receiver_.held());
    all.push_back({"facts", ai_.facts().names().size(), 200});
    return all;
}

}  // namespace caribou::robot
