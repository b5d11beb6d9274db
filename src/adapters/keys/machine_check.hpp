#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "adapters/keys/key_folder.hpp"
#include "loop/address.hpp"

namespace caribou {

/// The result of one check.
struct MachineFinding {
    enum class State : std::uint8_t {
        good,
        note,  ///< missing or in use, which may be intended
        bad,   ///< does not work, but should
    };
    std::string subject{};
    State state = State::good;
    std::string found{};
    std::string advice{};  ///< remedy; empty if the result is good
};

/// Files and limits to check.
struct MachinePlaces {
    /// A port that a program of Caribou listens on, and the name of that program.
    struct Port {
        std::string who;
        Address at;
        bool datagrams = false;
    };
    std::vector<Port> ports{};
    KeyFolder keys{{}};
    std::filesystem::path recordings = ".";
    std::uintmax_t disk_needed = 1ULL << 30;  ///< required free bytes
    std::filesystem::path devices = "/dev";
    std::filesystem::path adapters = "/sys/class/bluetooth";
    std::filesystem::path system_bus = "/run/dbus/system_bus_socket";
};

/// Checks whether Caribou can run on this machine. Changes nothing, and blocks for milliseconds.
std::vector<MachineFinding> check_machine(const MachinePlaces& places);

}  // namespace caribou
