// caribou_device_simulator WORLD FOLDER: a Create 2 with an LD19 on it in a world, each on a pseudo-terminal,
// FOLDER/create2 and FOLDER/ld19. FOLDER/commands takes lines about what happens to them, FOLDER/trace gets
// `MICROSECONDS LEFT RIGHT` with each change of the wheels' orders, in m/s.
//
//   unplug base|lidar, plug base|lidar   the port disappears, and comes back
//   send base|lidar 1F 2E …              bytes that the device did not send
//   half lidar                           the next bytes get lost
//   set bumps|cliff N                    what its sensors see beyond the world
//   reset                                the base starts anew
//   freeze 0|1                           the base takes and sends nothing

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <termios.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

#include "devices/simulated_create2.hpp"
#include "devices/simulated_ld19.hpp"
#include "platform/descriptor.hpp"
#include "platform/system_clock.hpp"
#include "platform/text_file.hpp"
#include "world/world.hpp"
#include "world/world_reader.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;

/// The device's end of a port, with a name of its own.
class Terminal {
public:
    explicit Terminal(std::string name) : name_(std::move(name)) { plug(); }

    void plug() {
        master_ = Descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
        ::grantpt(master_.get());
        ::unlockpt(master_.get());
        const std::string path = ::ptsname(master_.get());
        // Open, so that the terminal lives while no driver has it; raw, so that it does not echo.
        slave_ = Descriptor(::open(path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC));
        termios settings{};
        ::tcgetattr(slave_.get(), &settings);
        ::cfmakeraw(&settings);
        ::tcsetattr(slave_.get(), TCSANOW, &settings);
        std::filesystem::create_symlink(path, name_ + ".new");
        std::filesystem::rename(name_ + ".new", name_);
    }
    void unplug() {
        std::filesystem::remove(name_);
        slave_ = Descriptor();
        master_ = Descriptor();
    }
    Bytes read() const {
        std::array<std::byte, 4096> room{};
        const ssize_t size = master_ ? ::read(master_.get(), room.data(), room.size()) : 0;
        return size > 0 ? Bytes(room.begin(), room.begin() + size) : Bytes();
    }
    void write(ByteView bytes) const {
        if (master_) std::ignore = ::write(master_.get(), bytes.data(), bytes.size());
    }

private:
    std::string name_;
    Descriptor master_;
    Descriptor slave_;
};

world::RobotModel create2_model() {
    world::RobotModel model;
    model.radius = 0.175;
    model.wheel_base = 0.235;
    model.max_speed = 0.5;
    model.ticks_per_metre = 1.0 / 0.000444565;
    model.beams = 360;
    return model;
}

class DeviceSimulator {
public:
    DeviceSimulator(world::WorldPlan plan, std::string folder)
        : world_(std::move(plan)),
          folder_(std::move(folder)),
          trace_(folder_ + "/trace", std::ios::app),
          robot_(world_.add_robot(create2_model()).value()) {
        base_.counts_alone = false;
        ::mkfifo((folder_ + "/commands").c_str(), 0600);
        commands_ = Descriptor(::open((folder_ + "/commands").c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
    }

    void run() {
        for (Instant before = clock_.now();;) {
            ::poll(nullptr, 0, 2);
            const Instant now = clock_.now();
            take_commands();
            step(now - before);
            before = now;
        }
    }

private:
    void step(Duration passed) {
        base_.on_bytes(base_port_.read());
        std::ignore = lidar_port_.read();
        world_.drive(robot_, {.left = base_.left_speed(), .right = base_.right_speed()});
        world_.advance(passed);
        trace();
        sense();
        base_port_.write(base_.advance(passed));
        const Bytes turns = lidar_.advance(passed);
        lidar_port_.write(std::exchange(loses_half_, false) ? std::span(turns).subspan(turns.size() / 2)
                                                            : std::span(turns));
    }
    void sense() {
        if (const auto ticks = world_.encoders(robot_)) {
            base_.left_count = static_cast<double>(ticks->left);
            base_.right_count = static_cast<double>(ticks->right);
        }
        const auto bumpers = world_.bumpers(robot_);
        base_.bumps = bumps_ | (bumpers && (bumpers->front || bumpers->right) ? 1 : 0) |
                      (bumpers && (bumpers->front || bumpers->left) ? 2 : 0);
        const auto cliffs = world_.cliffs(robot_);
        const int left = cliff_ | (cliffs && cliffs->front_left ? 1 : 0);
        const int right = cliff_ | (cliffs && cliffs->front_right ? 1 : 0);
        base_.cliffs = {left, left, right, right};
        base_.charging_sources = world_.power(robot_).on_contacts ? 2 : 0;
    }
    double look(double degrees) {
        const world::LidarScan* const scan = world_.lidar(robot_);
        if (scan == nullptr) return 0;
        const auto count = static_cast<double>(scan->ranges.size());
        const auto index = static_cast<std::size_t>(std::lround((360.0 - degrees) / 360.0 * count));
        const float range = scan->ranges[index % scan->ranges.size()];
        return std::isfinite(range) ? static_cast<double>(range) * 1000.0 : 0.0;
    }
    void trace() {
        const world::WheelSpeeds now{.left = base_.left_speed(), .right = base_.right_speed()};
        if (now == traced_) return;
        traced_ = now;
        trace_ << clock_.now().time_since_epoch() / 1us << ' ' << now.left << ' ' << now.right << std::endl;
    }

    void take_commands() {
        std::array<char, 1024> room{};
        const ssize_t size = ::read(commands_.get(), room.data(), room.size());
        if (size <= 0) return;
        std::istringstream lines(std::string(room.data(), static_cast<std::size_t>(size)));
        for (std::string line; std::getline(lines, line);) carry_out(line);
    }
    void carry_out(const std::string& line) {
        std::istringstream words(line);
        std::string what;
        std::string which;
        words >> what >> which;
        Terminal& port = which == "lidar" ? lidar_port_ : base_port_;
        if (what == "unplug") port.unplug();
        if (what == "plug") port.plug();
        if (what == "half") loses_half_ = true;
        if (what == "reset") base_.reset();
        if (what == "freeze") base_.is_frozen = which == "1";
        if (what == "set") words >> (which == "bumps" ? bumps_ : cliff_);
        if (what != "send") return;
        Bytes bytes;
        for (unsigned value = 0; words >> std::hex >> value;) bytes.push_back(static_cast<std::byte>(value));
        port.write(bytes);
    }

    SystemClock clock_;
    world::World world_;
    std::string folder_;
    std::ofstream trace_;
    world::RobotId robot_;
    devices::SimulatedCreate2 base_;
    devices::SimulatedLd19 lidar_{[this](double degrees) { return look(degrees); }};
    Terminal base_port_{folder_ + "/create2"};
    Terminal lidar_port_{folder_ + "/ld19"};
    Descriptor commands_;
    world::WheelSpeeds traced_{};
    int bumps_ = 0;
    int cliff_ = 0;
    bool loses_half_ = false;
};

}  // namespace
}  // namespace caribou::tests

int main(int argc, char** argv) {
    using namespace caribou;
    if (argc != 3) return 2;
    const std::string file = argv[1];
    auto plan = world::read_world({file, read_text_file(file).value()});
    if (!plan) return 1;
    tests::DeviceSimulator simulator(std::move(*plan), argv[2]);
    std::puts("ready");
    std::fflush(stdout);
    simulator.run();
}
