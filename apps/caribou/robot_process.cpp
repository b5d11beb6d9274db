#include "caribou/robot_process.hpp"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/path_name.hpp"
#include "caribou/key_place.hpp"
#include "caribou/robot_guard.hpp"
#include "caribou/robot_start.hpp"
#include "caribou/robot_state.hpp"
#include "cubes/no_radio.hpp"
#include "cubes/simulated_radio.hpp"
#include "platform/bluez_radio.hpp"
#include "platform/driver_line.hpp"
#include "platform/text_file.hpp"
#include "robot/robot_classes.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;

constexpr Duration farewell_limit = 10s;
/// How long threads may take to end before the process exits without them.
constexpr Duration join_limit = 10s;

}  // namespace

RobotProcess::RobotProcess(const robot::RobotConfig& config, Options options, Log& log)
    : config_(config),
      options_(std::move(options)),
      log_(log),
      main_("main", log),
      telemetry_("telemetry", log),
      transmission_("transmission", log),
      receiver_("receiver", log),
      ai_("ai", log),
      bus_("bus", log, bus::broker_descriptors(bus::BrokerLimits{}.max_clients)),
      store_(options_.config_path),
      reboots_({.most = static_cast<std::size_t>(config.max_reboots)}, options_.reboots),
      outside_network_(outside_, log),
      buffers_(main_.strand),
      inbox_(buffers_) {}

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

/// Before the body is opened: the guard starts the driver that the body needs.
void RobotProcess::meet_guard() {
    if (!options_.guard) {
        log_.info("no guard: nothing outside this process stops the body");
        return;
    }
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
         .on_given_up =
             [to_main](const std::string& reason) {
                 to_main(&robot::ThreadMain::on_guard_gave_up, reason);
             }});
}

/// A robot without this socket can still be driven and stopped: a failure is only logged.
void RobotProcess::serve_locally() {
    local_ = std::make_unique<robot::LocalControl>(
        outside_strand_, outside_network_, buffers_, config_.name, [this](robot::Request request) {
            robot_->command(std::move(request), motion::StopCause::operator_);
        });
    const std::string path = state_file(config_.name, config_.link_record, ".sock");
    if (const auto listens = local_->listen(Address::unix_path(path)); !listens)
        log_.warning("`caribou robot release` will not work: " + listens.error().message);
}

Result<void> RobotProcess::lock_state() {
    auto lock = app::lock_state(config_, StateLock::Use::shared);
    if (lock)
        lock_.emplace(std::move(*lock));
    else if (lock.error().code == Code::refused)
        return fail(Code::refused, "a self-check of this robot is running: " + lock.error().message);
    else
        log_.warning("the state of the robot is not locked: " + lock.error().message);
    return {};
}

Result<void> RobotProcess::build() {
    if (auto locked = lock_state(); !locked) return locked;
    auto tree = check_tree(config_);
    // Before the files of a first start are created.
    latch_ = open_latch(config_, options_.keys, log_);
    std::string unchecked = not_self_checked(config_, options_.config_path);
    if (!unchecked.empty()) log_.warning("RM2 and RM3 are refused, not self-checked: " + unchecked);
    meet_guard();
    const auto unguarded = is_unguarded(config_);
    if (!unguarded) return fail(unguarded.error());
    RobotBody::WaitForGuard wait;
    if (options_.guard) wait = [this](Duration limit) { options_.guard->wait(limit); };
    auto body = RobotBody::make(config_, log_, inlet_, wait);
    if (!body) return fail(std::move(body.error()));
    body_ = std::move(*body);
    if (const driver::Hello* const hello = body_->hello()) options_.guard->declare(facts_of(*hello));
    if (config_.cubes_radio == "simulated") {
        auto radio = std::make_unique<cubes::SimulatedRadio>(ai_.thread.loop());
        cube_places_.emplace(ai_.thread.loop(), *radio, [this] { return body_->cubes_around(); });
        radio_ = std::move(radio);
    } else if (config_.cubes_radio == "bluez") {
        radio_ = std::make_unique<BluezRadio>(ai_.thread.loop(), log_);
    } else {
        radio_ = std::make_unique<cubes::NoRadio>();
    }
    if (config_.cubes_preference.empty())
        preferences_ = std::make_unique<cubes::MemoryPreferenceStore>();
    else
        preferences_ = std::make_unique<CubePreferenceFile>(config_.cubes_preference);
    if (!config_.link_plain && config_.default_com_mode != 0) {
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
            .strands = {main_.strand, telemetry_.strand, transmission_.strand, receiver_.strand, ai_.strand},
            .transmission_network = transmission_.network,
            .receiver_network = link_ ? link_->network() : receiver_.network,
            .body = body_->body(),
            .motion = *propulsion_,
            .buffers = buffers_,
            .ai = {.radio = *radio_,
                   .preferences = *preferences_,
                   .add_classes =
                       [this](behavior::ClassRegistry& classes, robot::AiControl& ai) {
                           return navigator_ = robot::register_robot_classes(classes, ai);
                       },
                   .read_file = [this](const std::string& name) { return read_beside_config(name); }},
            .tree = tree ? std::move(*tree) : std::vector<behavior::TreeText>(),
            .tree_unreadable = tree ? "" : tree.error().message,
            .store = store_,
            .reboots = reboots_,
            .latch = *latch_,
            .log = log_,
            .trust = link_ ? &link_->trust() : nullptr,
            .check_software = [this] { return check_software(software_needs()); },
            .unguarded = *unguarded,
            .not_self_checked = std::move(unchecked)},
        config_);
    hear(robot_->main());
    if (options_.self_test) robot_->main().only_test();
    if (auto hosted = host_bus(); !hosted) return hosted;
    if (auto shown = show_views(); !shown) return shown;
    if (auto served = serve_page(); !served) return served;
    if (!options_.self_test) serve_locally();
    return config_.ros_enabled ? join_ros() : Result<void>();
}

void RobotProcess::hear(robot::ThreadMain& main) {
    main.on_end([this](const robot::RobotEnd& end) {
        outside_.post_from_any_thread([this, end] {
            end_ = end;
            outside_.stop();
        });
    });
    main.on_ready([this] {
        const auto& modes = robot_->main().modes();
        service_.ready(
            fmt::format("{} {}", link::to_string(modes.mode()), link::to_string(modes.com_mode())));
        fmt::print("{} is ready in {}, on port {}\n", config_.name, link::to_string(modes.mode()),
                   robot_->main().receive_port());
        std::fflush(stdout);
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
    auto node =
        RobotNode::open(config_, buffers_, body_->body().plan(),
                        {.submit = [this](robot::Request request) { robot_->command(std::move(request)); },
                         .ask_map = std::move(view)},
                        log_);
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
    views_ = std::make_unique<robot::RobotViews>(
        bus_.strand, topics_->transport(), config_.name,
        [this](views::View view, robot::TellView tell) { robot_->ask_view(view, std::move(tell)); }, log_);
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
         .ask_view = [this](views::View view,
                            robot::TellView tell) { robot_->ask_view(view, std::move(tell)); }},
        log_);
    if (!web) return fail(std::move(web.error()));
    web_ = std::move(*web);
    fmt::print("{} shows itself at http://{}/\n", config_.name, to_string(web_->address()));
    std::fflush(stdout);
    return {};
}

Result<void> RobotProcess::start_threads() {
    if (auto started = propulsion_->start(); !started) return started;
    for (RobotThread* const each : {&main_, &telemetry_, &transmission_, &receiver_, &ai_})
        if (auto started = each->thread.start(); !started) return started;
    if (robot_bus_ || views_)
        if (auto started = bus_.thread.start(); !started) return started;
    if (web_)
        if (auto started = web_->start(); !started) return started;
    return node_ ? node_->start() : Result<void>();
}

void RobotProcess::stop_threads() {
    if (!propulsion_) return;
    // Motion first, then everything in the reverse order of its start.
    propulsion_->stop();
    if (node_) node_->stop();
    if (web_) web_->stop();
    for (RobotThread* const each : {&bus_, &ai_, &receiver_, &transmission_, &telemetry_, &main_})
        each->thread.stop();
    if (!robot_) return;
    if (robot_bus_) robot_bus_->stop();
    robot_->stop_ai();
    robot_->stop_receiver(end_ ? end_->why : "the program ends");
    robot_->stop_transmission();
    robot_->stop_telemetry();
}

Result<robot::RobotEnd> RobotProcess::run() {
    outside_.stop_on_signals({SIGINT, SIGTERM, SIGHUP, SIGPWR});
    if (auto started = start_threads(); !started) return fail(std::move(started.error()));
    main_.strand.post_here([this] { robot_->start(); });
    outside_.run();
    if (!end_) {
        const bool power_off = outside_.stopped_by() == SIGPWR;
        was_asked_ = !power_off;
        end_limit_.emplace(farewell_limit + join_limit, power_off ? rm0_status : 1, log_);
        main_.strand.post_here([this, power_off] {
            if (power_off)
                robot_->main().power_off();
            else
                robot_->main().shut_down("a signal asked for it");
        });
        if (!outside_.run_until([this] { return end_.has_value(); }, farewell_limit))
            return fail(Code::timed_out, "the robot did not come to an end");
    }
    service_.stopping(end_->why);
    if (!end_limit_) end_limit_.emplace(join_limit, end_->mode == link::RunMode::rm0 ? rm0_status : 1, log_);
    stop_threads();
    return *end_;
}

}  // namespace caribou::app
