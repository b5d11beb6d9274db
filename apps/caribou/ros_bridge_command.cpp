// `caribou ros-bridge`: bridges variables of the bus and ROS 2 topics.

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "adapters/dds/dds_transport.hpp"
#include "adapters/dds/ros_node.hpp"
#include "caribou/commands.hpp"
#include "caribou/message_folders.hpp"
#include "negotiation/ros_bridge.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

class RosBridgeCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* parser = program.add_subcommand("ros-bridge", "Copy variables to ROS 2 topics, and back");
        parser->add_option("-c,--config", file_, "Configuration file, TOML with [[to_ros]] and [[from_ros]]")
            ->required();
        parser->add_flag("--check", check_, "Check the file, and exit");
        parser->add_flag(
            "--insecure-lan", lan_,
            "Also exchange messages with other machines: all machines on the network can read and write");
        parser->add_flag("-q,--quiet", quiet_, "Only warnings");
        parser->footer("See docs/ros-bridge.md for the format of the file, with units and frames.");
        return parser;
    }

    Exit run() override {
        const auto plan = read_plan();
        if (!plan) return complain(Exit::failed, plan.error());
        if (check_) {
            fmt::print("{}: {} topics, no errors\n", file_, plan->routes.size());
            return Exit::ok;
        }
        const auto settings = settings_of(*plan);
        if (!settings) return complain(Exit::usage, settings.error());
        const auto carried = carry(*plan, *settings);
        return carried ? Exit::ok : complain(Exit::failed, carried.error());
    }

private:
    Result<negotiation::BridgePlan> read_plan() const {
        auto text = read_text_file(file_, 4_MiB);
        if (!text) return fail(std::move(text.error()));
        // Folders are relative to the file that names them.
        const std::filesystem::path here = std::filesystem::path(file_).parent_path();
        auto plan =
            negotiation::read_bridge_plan({file_, std::move(*text)}, [&](std::vector<std::string> folders) {
                for (std::string& folder : folders) folder = (here / folder).string();
                return open_message_folders(std::move(folders));
            });
        if (!plan) {
            std::string faults = to_string(plan.error());
            faults.pop_back();  // end of the last line
            return fail(Code::malformed, std::move(faults));
        }
        return std::move(*plan);
    }

    Result<negotiation::DdsSettings> settings_of(const negotiation::BridgePlan& plan) const {
        negotiation::DdsSettings settings = plan.dds;
        settings.insecure_lan = lan_;
        settings.name = plan.node;
        if (auto good = check_settings(settings, "--insecure-lan"); !good)
            return fail(good.error().code, fmt::format("{}: {}", file_, good.error().message));
        return settings;
    }

    Result<void> carry(const negotiation::BridgePlan& plan, const negotiation::DdsSettings& settings) const {
        ConsoleLog log(quiet_ ? Level::warning : Level::info);
        EventLoop loop;
        loop.stop_on_signals({SIGINT, SIGTERM});
        SocketNetwork network(loop, log);
        const auto participant = DdsParticipant::open(settings);
        if (!participant) return fail(participant.error());
        DdsTransport transport(**participant, loop, [&log](const std::string& text) { log.warning(text); });
        const auto node =
            RosNode::open(**participant, transport, loop,
                          {.name = plan.node, .name_space = plan.name_space, .layout = plan.layout});
        if (!node) return fail(node.error());
        negotiation::RosBridge bridge(
            loop, network, transport, plan,
            [&](const negotiation::PeerId& id) { return (*participant)->owns(id); }, log);
        if (auto started = bridge.start(); !started) return started;
        log.info(fmt::format("node {} in ROS domain {}, {}", plan.node, (*participant)->settings().domain,
                             reach_text(settings)));
        loop.run();
        bridge.finish(std::chrono::seconds(1));
        loop.run_until([&] { return bridge.stopped(); }, std::chrono::seconds(2));
        const auto& stats = bridge.stats();
        log.info(fmt::format(
            "carried {} messages to ROS and {} from there; {} came from there already and stayed, {} made "
            "no sense",
            stats.to_ros, stats.from_ros, stats.own, stats.refused));
        return {};
    }

    static Exit complain(Exit exit, const Error& error) {
        fmt::print(stderr, "caribou ros-bridge: {}\n", error.message);
        return exit;
    }

    std::string file_;
    bool check_ = false;
    bool lan_ = false;
    bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_ros_bridge_command() { return std::make_unique<RosBridgeCommand>(); }

}  // namespace caribou::app
