#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "loop/address.hpp"
#include "platform/key_folder.hpp"

namespace caribou {

/// One thing that was looked at.
struct MachineFinding {
    enum class State : std::uint8_t {
        good,
        note,  ///< something will be missing, or is in use
        bad,   ///< something that is meant to work does not
    };
    std::string subject{};
    State state = State::good;
    std::string found{};
    std::string advice{};  ///< what to do; empty if it is good
};

/// What of a machine is looked at, and where.
struct MachinePlaces {
    struct Port {
        std::string who;
        Address at;
        bool datagrams = false;
    };
    std::vector<Port> ports{};
    KeyFolder keys{{}};
    std::filesystem::path recordings = ".";
    std::uintmax_t disk_needed = 1ULL << 30;  ///< bytes that should be free there
    std::filesystem::path devices = "/dev";
    std::filesystem::path adapters = "/sys/class/bluetooth";
    std::filesystem::path system_bus = "/run/dbus/system_bus_socket";
};

/// Looks whether Caribou can run here. Changes nothing, and blocks for milliseconds.
std::vector<MachineFinding> check_machine(const MachinePlaces& places);

}  // namespace caribou
