#include "kit/robot/robot_process.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "adapters/bluez/bluez_radio.hpp"
#include "adapters/body/driver_line.hpp"
#include "adapters/robot_files/self_check_file.hpp"
#include "base/path_name.hpp"
#include "cubes/no_radio.hpp"
#include "cubes/simulated_radio.hpp"
#include "kit/program/key_place.hpp"
#include "kit/robot/robot_guard.hpp"
#include "kit/robot/robot_start.hpp"
#include "kit/robot/robot_state.hpp"
#include "link/off_goodbye.hpp"
#include "platform/locked_memory.hpp"
#include "platform/print_if_writable.hpp"
#include "platform/system_clock.hpp"
#include "platform/text_file.hpp"
#include "robot/robot_classes.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

constexpr std::initializer_list<int> end_signals{SIGINT, SIGTERM, SIGHUP, SIGPWR};
constexpr Duration farewell_limit = 5s;
/// How long threads may take to end, besides braking, before the process exits without them.
constexpr Duration join_limit = 5s;
/// Interval at which a main that hangs is looked for, while the robot is to end.
constexpr Duration hang_look = 100ms;
/// Same as join_limit, for a robot with a thread that hangs.
constexpr Duration hang_end_limit = 5s;
constexpr const char* asked_by_signal = "a signal asked for it";

void tell(const std::string& line) { print_if_writable(STDOUT_FILENO, line); }

}  // namespace

RobotProcess::RobotProcess(const robot::RobotConfig& config, Options options, Log& log)
    : config_(config),
      options_(std::move(options)),
      tap_(log),
      log_(tap_),
      reboots_({.most = static_cast<std::size_t>(config.max_reboots)}, options_.reboots),
      main_("main", log_),
      telemetry_("telemetry", log_),
      transmission_("transmission", log_),
      receiver_("receiver", log_),
      ai_("ai", log_),
      stops_("stops", log_),
      bus_("bus", log_, bus::broker_descriptors(bus::BrokerLimits{}.max_clients)),
      store_(options_.config_path,
             {config.name, options_.key_folder, options_.guard != nullptr, options_.own != nullptr}),
      outside_network_(outside_, log_),
      facts_(state_file(config.name, config.link_record, ".facts")),
      maps_(map_folder(config)),
      buffers_(main_.strand),
      inbox_(buffers_),
      power_off_watch_(outside_.make_timer([this] { watch_power_off(); })),
      life_(outside_.make_timer([this] { prove(); })),
      initial_watch_(main_.thread.loop().make_timer([this] { watch_initial_thread(); })),
      is_ending_(main_.strand) {}

RobotProcess::~RobotProcess() { stop_threads(); }

Result<std::unique_ptr<RobotProcess>> RobotProcess::make(const robot::RobotConfig& config, Options options,
                                                         Log& log) {
    auto made = std::unique_ptr<RobotProcess>(new RobotProcess(config, std::move(options), log));
    if (auto built = made->build(); !built) return fail(std::move(built.error()));
    return made;
}

SoftwareNeeds RobotProcess::software_needs() const {
    SoftwareNeeds needs{
        .program = own_program(), .read = {options_.config_path}, .written = {options_.config_path}};
    if (!config_.body_file.empty()) needs.read.push_back(config_.body_file);
    if (!config_.cubes_preference.empty()) needs.written.push_back(config_.cubes_preference);
    if (config_.default_com_mode > 0)
        needs.station = Address::ip(config_.server_ip, static_cast<std::uint16_t>(config_.send_port));
    return needs;
}

Result<std::string> RobotProcess::read_beside_config(const std::string& name) const {
    if (auto checked = check_file_name(name); !checked) return fail(std::move(checked.error()));
    return read_text_file(std::filesystem::path(options_.config_path).parent_path() / name);
}

Result<std::vector<behavior::TreeText>> RobotProcess::read_tree(const std::vector<std::string>& names) const {
    if (names.empty()) return configured_tree(config_);
    std::vector<behavior::TreeText> files;
    for (const std::string& name : names) {
        auto text = read_beside_config(name);
        if (!text) return fail(std::move(text.error()));
        files.push_back({name, std::move(*text)});
    }
    return files;
}

/// A robot that waits for the disk is late, and its guard cuts a real body.
void RobotProcess::avoid_delays() {
    if (config_.body == "sim" || config_.body == "null") return;
    if (const auto locked = lock_memory(); !locked)
        log_.info("the robot's memory is not locked: " + locked.error().message);
}

/// Before the body is opened: the guard starts the driver that the body needs.
Result<void> RobotProcess::meet_guard() {
    if (!options_.guard) {
        log_.info("no guard: nothing outside this process stops the body");
        return {};
    }
    const auto digest = body_digest(config_);
    if (!digest) return fail(digest.error());
    const auto to_main = [this](auto event, const std::string& reason) {
        main_.strand.post_here([this, event, reason] {
            if (robot_) (robot_->main().*event)(reason);
        });
    };
    options_.guard->start(
        {.on_driver = [this](int descriptor) { inlet_.offer(driver_line(Descriptor(descriptor))); },
         .on_cut =
             [to_main](const motion::GuardCut& cut) {
                 to_main(&robot::ThreadMain::on_guard_cut, cut.reason);
             },
         .on_restored = [to_main] { to_main(&robot::ThreadMain::on_guard_cut, ""); },
         .on_not_restored =
             [to_main](const std::string& reason) {
                 to_main(&robot::ThreadMain::on_guard_not_restored, reason);
             },
         .on_given_up =
             [to_main](const std::string& reason) { to_main(&robot::ThreadMain::on_guard_gave_up, reason); }},
        *digest, config_.body_device);
    return {};
}

/// A robot without this socket can still be driven and stopped: a failure is only logged.
void RobotProcess::serve_locally() {
    local_ = std::make_unique<robot::LocalControl>(
        outside_strand_, outside_network_, buffers_, config_.name,
        [this](robot::Request request) { submit_local(std::move(request)); });
    const std::string path = state_file(config_.name, config_.link_record, ".sock");
    if (const auto listens = local_->listen(Address::unix_path(path)); !listens)
        log_.warning("`caribou robot stop`, `release`, `power-off` and `map` will not work: " +
                     listens.error().message);
}

/// A robot without its buttons can still be driven and stopped: a failure to read them is only logged.
Result<void> RobotProcess::open_buttons() {
    if (config_.body != "linux") return {};
    const auto wiring = wiring_of(config_);
    if (!wiring) return fail(wiring.error());
    release_button_ = std::make_unique<robot::ReleaseButton>(
        outside_.clock(), buffers_, log_,
        [this](robot::Request request) { robot_->command(std::move(request)); });
    auto opened = RobotButtons::open(*wiring,
                                     {.release = [this](Instant pressed) { release_button_->press(pressed); },
                                      .power_off =
                                          [this] {
                                              log_.warning("power-off by its button");
                                              // The guard ends the robot also if that hangs.
                                              if (!options_.guard || !options_.guard->signal_guard(SIGPWR))
                                                  ::kill(::getpid(), SIGPWR);
                                          }},
                                     log_);
    if (!opened) return log_.error("the buttons do not work: " + opened.error().message), Result<void>();
    buttons_ = std::move(*opened);
    return {};
}

void RobotProcess::submit_local(robot::Request request) {
    if (request.command.code == link::CommandCode::power_off) {
        power_off_ = request;
        power_off_until_ = outside_.clock().now() + hang_end_limit;
        power_off_watch_->arm(outside_.clock().now());
    }
    robot_->command(std::move(request), motion::StopCause::operator_);
}

/// Ends the robot if main hangs and cannot carry out the request.
void RobotProcess::watch_power_off() {
    const Instant now = outside_.clock().now();
    if (!is_main_silent()) {
        if (now < power_off_until_) power_off_watch_->arm(now + hang_look);
        return;
    }
    power_off_->reply(link::Answer::done(power_off_->command.id, "main hangs: the robot ends without it"));
    // After the answer, which was posted.
    outside_.post_from_any_thread([this] { outside_.stop(); });
}

bool RobotProcess::is_main_silent() { return buffers_.is_main_silent(outside_.clock().now()); }

void RobotProcess::prove() {
    const Instant now = outside_.clock().now();
    buffers_.prove_alive(robot::ThreadName::signals, now);
    life_->arm(now + robot::duty_period);
}

void RobotProcess::watch_initial_thread() {
    initial_watch_->arm(main_.thread.loop().clock().now() + hang_look);
    robot::ThreadMain& main = robot_->main();
    if (is_ending_.copy() || !main.is_silent(robot::ThreadName::signals)) return;
    if (end_of_main_) end_without(to_string(robot::ThreadName::signals), *end_of_main_);
    const int signal = std::exchange(signal_, 0);
    if (signal == SIGPWR)
        main.power_off();
    else if (signal != 0)
        main.shut_down(asked_by_signal);
}

void RobotProcess::end_without(std::string_view hanging, const robot::RobotEnd& end) {
    log_.error(fmt::format("{} hangs: the robot ends without it", hanging));
    end_limit_.emplace(hang_end_limit + config_.motion.braking_time(), [this, end] { leave(end); }, log_);
    service_.stopping(fmt::format("{} hangs", hanging));
    propulsion_->stop();
    stops_.thread.stop();
    latch_->finish();
    leave(end);
}

void RobotProcess::leave(const robot::RobotEnd& end) {
    if (end.mode == link::RunMode::rm5 && options_.restart) options_.restart(reboots_.history());
    if (options_.flush_log) options_.flush_log();
    std::_Exit(end.why == asked_by_signal || end.mode == link::RunMode::rm5 ? 1 : rm0_status);
}

Result<void> RobotProcess::build() {
    avoid_delays();
    const auto programs = describe_programs(config_);
    auto tree = check_tree(config_, options_.own, programs);
    if (tree && !programs->empty())
        programs_ = std::make_unique<BehaviorPrograms>(ai_.thread.loop(), *programs, log_);
    // Before the files of a first start are created.
    latch_ = open_latch(config_, options_.keys, log_);
    std::string unchecked = not_self_checked(config_, options_.config_path);
    if (!unchecked.empty()) log_.warning("RM2 and RM3 are refused, not self-checked: " + unchecked);
    if (auto met = meet_guard(); !met) return met;
    const auto unguarded = is_unguarded(config_);
    if (!unguarded) return fail(unguarded.error());
    RobotBody::WaitForGuard wait;
    if (options_.guard)
        wait = [this](Duration limit) {
            options_.guard->wait(limit);
            return options_.guard->not_restored();
        };
    auto body = RobotBody::make(config_, log_, inlet_, wait);
    if (!body) return fail(std::move(body.error()));
    body_ = std::move(*body);
    if (auto known = check_sensors_off(config_, body_->body().plan()); !known) {
        // The sensors of a driver are known only now, when it must not fail any more.
        if (config_.body != "driver") return known;
        log_.warning(known.error().message);
    }
    if (const driver::Hello* const hello = body_->hello()) options_.guard->declare(facts_of(*hello));
    if (config_.cubes_radio == "simulated") {
        auto radio = std::make_unique<cubes::SimulatedRadio>(ai_.thread.loop());
        cube_places_.emplace(
            ai_.thread.loop(), *radio, [this] { return body_->cubes_around(); },
            [this](std::size_t cube) { return body_->bring_cube(cube); });
        radio_ = std::move(radio);
    } else if (config_.cubes_radio == "bluez") {
        radio_ = std::make_unique<BluezRadio>(ai_.thread.loop(), log_);
    } else {
        radio_ = std::make_unique<cubes::NoRadio>();
    }
    camera_ = RobotCamera::make(config_, *body_, {ai_.strand, cube_places_ ? &*cube_places_ : nullptr}, log_);
    if (config_.cubes_preference.empty())
        preferences_ = std::make_unique<cubes::MemoryPreferenceStore>();
    else
        preferences_ = std::make_unique<CubePreferenceFile>(config_.cubes_preference);
    if (RobotLink::is_needed(config_)) {
        auto link = RobotLink::open(config_, options_.keys, receiver_.thread.loop(), receiver_.network, log_,
                                    [this](const std::string& text) { buffers_.refused(text); });
        if (!link) return fail(std::move(link.error()));
        link_ = std::move(*link);
    }
    propulsion_ =
        std::make_unique<PropulsionThread>(body_->body(), config_.motion, trace_, log_, options_.guard);
    if (!config_.body_trace.empty())
        if (auto opened = trace_.open(config_.body_trace); !opened) return opened;
    robot_ = std::make_unique<robot::Robot>(
        robot::RobotParts{
            .strands = {main_.strand, telemetry_.strand, transmission_.strand, receiver_.strand, ai_.strand,
                        stops_.strand},
            .transmission_network = transmission_.network,
            .receiver_network = link_ ? link_->network() : receiver_.network,
            .body = body_->body(),
            .motion = *propulsion_,
            .buffers = buffers_,
            .ai = {.radio = *radio_,
                   .preferences = *preferences_,
                   .add_classes =
                       [this](behavior::ClassRegistry& classes, robot::AiControl& ai) {
                           navigator_ = robot::register_robot_classes(classes, ai);
                           if (config_.ros_enabled && !config_.ros_map_to_odom)
                               navigator_->use_frame(std::nullopt);
                           return navigator_;
                       },
                   .read_file = [this](const std::string& name) { return read_beside_config(name); },
                   .read_tree = [this](const std::vector<std::string>& names) { return read_tree(names); },
                   .simulated_cubes = cube_places_ ? &*cube_places_ : nullptr,
                   .fact_store = &facts_,
                   .map_store = &maps_,
                   .add_own =
                       [this](behavior::ClassRegistry& classes, const robot::RobotMeans& means) {
                           if (options_.own) options_.own(classes, means);
                           if (programs_) programs_->add(classes, means);
                       },
                   .observer = programs_.get(),
                   .publish =
                       [this](std::string variable, behavior::Value value) {
                           if (robot_bus_) robot_bus_->publish(std::move(variable), std::move(value));
                       }},
            .tree = tree ? std::move(*tree) : std::vector<behavior::TreeText>(),
            .tree_unreadable = tree ? "" : tree.error().message,
            .store = store_,
            .reboots = reboots_,
            .latch = *latch_,
            .log = log_,
            .trust = link_ ? &link_->trust() : nullptr,
            .check_software = [this] { return check_software(software_needs()); },
            .unguarded = *unguarded,
            .link_not_stored = link_ && !link_->is_stored(),
            .ask_camera = ask_camera(),
            .not_self_checked = std::move(unchecked)},
        config_);
    hear(robot_->main());
    if (options_.self_test) robot_->main().only_test();
    if (auto hosted = host_bus(); !hosted) return hosted;
    if (auto shown = show_views(); !shown) return shown;
    if (auto served = serve_page(); !served) return served;
    if (!options_.self_test) {
        serve_locally();
        if (auto opened = open_buttons(); !opened) return opened;
    }
    return config_.ros_enabled ? join_ros() : Result<void>();
}

std::function<void(views::CameraEncodings, robot::TellView)> RobotProcess::ask_camera() {
    if (!camera_) return {};
    return [this](views::CameraEncodings wanted, robot::TellView tell) {
        camera_->ask(std::move(wanted), std::move(tell));
    };
}

void RobotProcess::hear(robot::ThreadMain& main) {
    main.on_end([this](const robot::RobotEnd& end) {
        end_of_main_ = end;
        outside_.post_from_any_thread([this, end] {
            is_ending_.write(true);
            end_ = end;
            outside_.stop();
        });
    });
    main.on_ready([this] {
        const auto& modes = robot_->main().modes();
        service_.ready(
            fmt::format("{} {}", link::to_string(modes.mode()), link::to_string(modes.com_mode())));
        tell(fmt::format("{} is ready in {}, on port {}\n", config_.name, link::to_string(modes.mode()),
                         robot_->main().receive_port()));
    });
    main.on_healthy([this] {
        service_.alive();
        if (web_) web_->beat();
    });
}

Result<void> RobotProcess::host_bus() {
    auto address = Address::parse(config_.bus_address);
    if (!address) return fail(std::move(address.error()));
    if (config_.bus_host) {
        broker_ = std::make_unique<bus::BrokerServer>(bus_.thread.loop(), bus_.network,
                                                      bus::BrokerServer::Options{}, log_);
        auto at = broker_->listen(*address);
        if (!at) return fail(std::move(at.error()));
        address = std::move(at);
        log_.info(fmt::format("the bus is at {}", to_string(*address)));
    }
    config_.topics.broker = *address;
    if (!config_.bus_join && !config_.bus_host) return {};
    robot_bus_ = std::make_unique<robot::RobotBus>(
        bus_.strand, bus_.network, buffers_, log_,
        [this](robot::Request request) { robot_->command(std::move(request)); },
        robot::RobotBus::Options{.robot = config_.name,
                                 .broker = *address,
                                 .prefix = config_.bus_prefix,
                                 .drive = config_.bus_drive,
                                 .hosted = config_.bus_host,
                                 .facts = config_.ai_bus_facts},
        [this](const std::string& name, behavior::Value value) {
            robot_->ai().hear_bus(name, std::move(value));
        });
    robot_->set_bus(
        {.ask_line = [this](std::string line, auto told) { robot_bus_->ask_line(std::move(line), told); },
         .ask_view = [this](robot::TellView tell) { robot_bus_->ask_view(std::move(tell)); }});
    return robot_bus_->start();
}

Result<void> RobotProcess::join_ros() {
    auto view = [this](bool with_grid, robot::RobotRos::Told told) {
        ai_.strand.post_here([this, with_grid, told = std::move(told)] {
            const Pose odometry = navigator_->odometry().value_or(Pose{});
            told({.pose = navigator_->pose(),
                  .odometry = odometry,
                  .grid =
                      with_grid ? std::make_shared<const map::OccupancyGrid>(navigator_->grid()) : nullptr});
        });
    };
    auto node = RobotNode::open(
        config_, buffers_, body_->body().plan(),
        {.submit = [this](robot::Request request) { robot_->command(std::move(request)); },
         .ask_map = std::move(view),
         .use_frame =
             [this](const Pose& odom_in_map) {
                 ai_.strand.post_here([this, odom_in_map] { navigator_->use_frame(odom_in_map); });
             },
         .report =
             [this, clock = std::make_shared<SystemClock>()] {
                 return as_of(propulsion_->report(), clock->now(), config_.motion.report_limit());
             }},
        {.submit =
             [this](robot::Request request) { robot_->command(std::move(request), motion::StopCause::ros); },
         .go_to = [this](const robot::GoalPose& goal,
                         robot::GoalTold told) { robot_->ai().go_to(goal, std::move(told)); },
         .set_pose =
             [this](const Pose& pose, std::function<void(Result<void>)> told) {
                 robot_->ai().set_pose(pose, std::move(told));
             }},
        tap_);
    if (!node) return fail(std::move(node.error()));
    node_ = std::move(*node);
    return {};
}

Result<void> RobotProcess::show_views() {
    auto topics =
        make_topic_transport(config_.topics, config_.name + "_views", bus_.thread.loop(), bus_.network, log_);
    if (!topics) return fail(std::move(topics.error()));
    topics_ = std::move(*topics);
    if (!topics_) return {};
    topics_->on_mismatches([this](const std::vector<std::string>& present) {
        buffers_.topic_mismatches.change([&](auto& all) { all["views"] = present; });
    });
    views_ = std::make_unique<robot::RobotViews>(
        bus_.strand, topics_->transport(), config_.name,
        [this](const robot::ViewRequest& request, robot::TellView tell) {
            // Everyone on the bus or in the domain of DDS would see it.
            if (request.view == views::View::camera && !config_.topics_camera) return tell({});
            robot_->ask_view(request, std::move(tell));
        },
        log_, ros_frames(config_));
    views_->start();
    return {};
}

Result<void> RobotProcess::serve_page() {
    if (config_.web_listen.empty()) return {};
    auto web = RobotWeb::open(
        config_, buffers_,
        {.submit =
             [this](robot::Request request) {
                 robot_->command(std::move(request), motion::StopCause::operator_);
             },
         .ask_view = [this](const robot::ViewRequest& request,
                            robot::TellView tell) { robot_->ask_view(request, std::move(tell)); }},
        log_);
    if (!web) return fail(std::move(web.error()));
    web_ = std::move(*web);
    tell(fmt::format("{} shows itself at http://{}/\n", config_.name, to_string(web_->address())));
    return {};
}

Result<void> RobotProcess::start_threads() {
    if (auto started = propulsion_->start(); !started) return started;
    for (RobotThread* const each : {&stops_, &main_, &telemetry_, &transmission_, &receiver_, &ai_})
        if (auto started = each->thread.start(); !started) return started;
    if (programs_) ai_.strand.post_here([this] { programs_->start(); });
    if (robot_bus_ || views_)
        if (auto started = bus_.thread.start(); !started) return started;
    if (camera_)
        if (auto started = camera_->start(); !started) return started;
    if (web_)
        if (auto started = web_->start(); !started) return started;
    if (buttons_)
        if (auto started = buttons_->start(); !started) return started;
    return node_ ? node_->start() : Result<void>();
}

void RobotProcess::stop_threads() {
    if (!propulsion_) return;
    // Motion first, then everything in the reverse order of its start.
    propulsion_->stop();
    if (node_) node_->stop();
    if (buttons_) buttons_->stop();
    if (web_) web_->stop();
    if (camera_) camera_->stop();
    for (RobotThread* const each : {&bus_, &ai_, &receiver_, &transmission_, &telemetry_, &main_, &stops_})
        each->thread.stop();
    if (!robot_) return;
    if (robot_bus_) robot_bus_->stop();
    robot_->stop_ai();
    const bool is_off = end_ && end_->mode == link::RunMode::rm0;
    robot_->stop_receiver(is_off ? link::off_goodbye(end_->why) : end_ ? end_->why : "the program ends");
    robot_->stop_transmission();
    robot_->stop_telemetry();
    robot_->stop_stops();
}

Result<robot::RobotEnd> RobotProcess::run() {
    outside_.stop_on_signals(end_signals);
    main_.thread.loop().watch_signals(end_signals, [this](int signal) { signal_ = signal; });
    prove();
    if (auto started = start_threads(); !started) return fail(std::move(started.error()));
    main_.strand.post_here([this] {
        robot_->start();
        watch_initial_thread();
    });
    outside_.run();
    const Duration limit = join_limit + config_.motion.braking_time();
    if (!end_) {
        const bool power_off = outside_.stopped_by() == SIGPWR || outside_.stopped_by() == 0;
        const robot::RobotEnd asked{link::RunMode::rm0,
                                    power_off ? "the power is switched off" : asked_by_signal};
        was_asked_ = !power_off;
        propulsion_->full_stop(motion::StopCause::shutdown);  // does not wait for main
        end_limit_.emplace(farewell_limit + limit, [this, asked] { leave(asked); }, log_);
        main_.strand.post_here([this, power_off] {
            if (power_off)
                robot_->main().power_off();
            else
                robot_->main().shut_down(asked_by_signal);
        });
        std::unique_ptr<Timer> look;
        look = outside_.make_timer([&] { look->arm(outside_.clock().now() + hang_look); });
        look->arm(outside_.clock().now());
        outside_.run_until([this] { return end_ || is_main_silent(); }, farewell_limit);
        if (!end_ && is_main_silent()) end_without(to_string(robot::ThreadName::main), asked);
        if (!end_) return fail(Code::timed_out, "the robot did not come to an end");
    }
    service_.stopping(end_->why);
    // A copy: the limit also holds while the members of this object are destroyed.
    end_limit_.emplace(limit, [this, end = *end_] { leave(end); }, log_);
    stop_threads();
    return *end_;
}

}  // namespace caribou::app
