#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "child/program.hpp"
#include "child/world_process.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {

/// The process of tests/serial/device_simulator.cpp: a Create 2 with an LD19 in a world.
class SimulatedDevices {
public:
    explicit SimulatedDevices(const std::string& world)
        : program_({in_build("caribou_device_simulator"), world, folder_.path()}) {
        EXPECT_EQ(program_.read_line(limit), "ready");
    }

    std::string base() const { return folder_ / "create2"; }
    std::string lidar() const { return folder_ / "ld19"; }
    /// Lets something happen to them, as the simulator says.
    void happen(const std::string& command) const {
        std::ofstream(folder_ / "commands") << command << std::endl;
    }

    /// What the wheels were ordered to do.
    struct Ordered {
        long long microseconds = 0;
        double left = 0;
        double right = 0;

        bool moves() const { return left != 0 || right != 0; }
    };
    std::vector<Ordered> trace() const {
        std::ifstream file(folder_ / "trace");
        std::vector<Ordered> all;
        for (Ordered each; file >> each.microseconds >> each.left >> each.right;) all.push_back(each);
        return all;
    }
    bool moves() const {
        const auto all = trace();
        return !all.empty() && all.back().moves();
    }

private:
    TemporaryFolder folder_;
    ChildProcess program_;
};

}  // namespace caribou::tests
