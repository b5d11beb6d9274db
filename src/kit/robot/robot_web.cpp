#include "kit/robot/robot_web.hpp"

#include <utility>

#include "kit/program/local_access.hpp"
#include "kit/program/station_page.hpp"

namespace caribou::app {
namespace {

station::FleetSettings fleet_of(const robot::RobotConfig& config) {
    return {.session = {.station = config.name + "'s own page", .takes_over_by_driving = false},
            .robots = {config.name},
            .only_known = true};
}

station::ApiSettings api_of(const robot::RobotConfig& config, Log& log) {
    station::ApiSettings settings{
        .station = config.name, .hosts = config.web_hosts, .page = station_page(log)};
    if (!config.web_token.empty()) settings.access.tokens[config.web_token] = link::Role::admin;
    return settings;
}

}  // namespace

RobotWeb::RobotWeb(const robot::RobotConfig& config, Log& log)
    : thread_("web", log),
      inside_(thread_.thread.loop()),
      station_(thread_.thread.loop(), inside_, fleet_of(config), log),
      api_(thread_.thread.loop(), station_, api_of(config, log), log) {}

Result<std::unique_ptr<RobotWeb>> RobotWeb::open(const robot::RobotConfig& config,
                                                 robot::RobotBuffers& buffers, robot::InnerLink::Hooks hooks,
                                                 Log& log) {
    auto made = std::unique_ptr<RobotWeb>(new RobotWeb(config, log));
    const auto calls = made->station_.fleet().listen(Address::ip("127.0.0.1", 0));
    if (!calls) return fail(calls.error());
    made->link_ = std::make_unique<robot::InnerLink>(
        made->thread_.strand, made->inside_, buffers, log, std::move(hooks),
        robot::InnerLink::Options{.robot = config.name, .station = *calls});
    if (auto started = made->link_->start(); !started) return fail(std::move(started.error()));
    const auto at = Address::parse(config.web_listen);
    if (!at) return fail(at.error());
    auto server = serve_web(made->thread_.thread.loop(), made->api_, *at);
    if (!server) return fail(std::move(server.error()));
    made->server_ = std::move(*server);
    made->token_ =
        open_local_token(made->thread_.thread.loop(), made->api_, *at, made->server_->address(), log);
    made->local_server_ =
        serve_local_programs(made->thread_.thread.loop(), made->api_, made->server_->address(), log);
    return made;
}

}  // namespace caribou::app
