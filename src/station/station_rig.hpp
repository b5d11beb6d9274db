#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "station/fleet.hpp"
#include "station/played_robot.hpp"

namespace caribou::station {

/// A fleet on an in-memory network, with simulated robots, each on its own host. Private to tests.
class StationRig : public testing::Test, public SessionEvents {
protected:
    void listen(FleetSettings settings = {}) {
        fleet = std::make_unique<Fleet>(loop, *station_host, std::move(settings), *this, log);
        address = *fleet->listen(Address::ip("0.0.0.0", 9600));
        address.host = "station";
    }
    PlayedRobot& add_robot(PlayedRobot::Settings settings = {}) {
        settings.station = Address::ip("station", 9600);
        hosts.push_back(network.on_host(settings.name));
        robots.push_back(std::make_unique<PlayedRobot>(loop, *hosts.back(), std::move(settings)));
        return *robots.back();
    }
    /// Creates a fleet and a robot that is connected to it.
    PlayedRobot& connect() {
        if (!fleet) listen();
        PlayedRobot& robot = add_robot();
        loop.advance(std::chrono::milliseconds(150));
        EXPECT_EQ(session().mode(), StationMode::run1) << session().why();
        return robot;
    }
    RobotSession& session(std::string_view name = "rover") { return *fleet->find(name); }
    void send(const std::string& text, const Asker& asker) {
        session().send(link::command_from(text).value(), asker,
                       [this](const link::Answer& answer) { answers.push_back(to_string(answer)); });
        loop.run_ready();
    }
    void send(const std::string& text) { send(text, driver); }

    void on_status(RobotSession& s) override { modes.push_back(std::string(to_string(s.mode()))); }
    void on_telemetry(RobotSession&) override {}
    void on_report(RobotSession&, std::string_view text) override { reports.emplace_back(text); }
    void on_command(RobotSession&, const link::Command&, const Asker&) override {}
    void on_answer(RobotSession&, const link::Answer&) override {}

    const Asker driver{"ann", link::Role::drive, "token of ann"};
    const Asker other{"bob", link::Role::drive, "token of bob"};
    const Asker admin{"eve", link::Role::admin, "token of eve"};
    const Asker watcher{"tim", link::Role::observe};

    VirtualLoop loop;
    MemoryNetwork network{loop};
    std::unique_ptr<Network> station_host = network.on_host("station");
    std::vector<std::unique_ptr<Network>> hosts;
    MemoryLog log;
    std::unique_ptr<Fleet> fleet;
    Address address;
    std::vector<std::unique_ptr<PlayedRobot>> robots;
    std::vector<std::string> answers;
    std::vector<std::string> reports;
    std::vector<std::string> modes;  ///< after each status event
};

}  // namespace caribou::station
