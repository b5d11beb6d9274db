#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "loop/address.hpp"
#include "motion/body.hpp"

namespace caribou {

/// Compares installed files with the manifest written by `cmake --install`.
struct InstallCheck {
    std::string manifest;  ///< path, whether it exists or not
    /// number of listed files; nullopt if there is no manifest, because nothing is installed
    std::optional<std::size_t> files{};
    std::vector<std::string> findings{};  ///< one sentence each; empty if all files are as installed
};

/// Returns the path of a program's manifest: `PREFIX/share/caribou/manifest.sha256` for `PREFIX/bin/caribou`.
std::string manifest_of(const std::string& program);
/// Returns the path of the running program.
std::string own_program();
/// Checks every file listed in the manifest, in the format of `sha256sum`, relative to its prefix.
InstallCheck check_install(const std::string& manifest);
/// Returns whether the manifest lists this file.
bool is_installed(const std::string& manifest, const std::string& file);

/// What a robot's program requires of the machine at its start.
struct SoftwareNeeds {
    std::string program{};
    std::vector<std::string> read{};     ///< files
    std::vector<std::string> written{};  ///< files that are replaced, so that their folders must be writable
    std::optional<Address> station{};    ///< for com modes above 0: address that must have a route
};
/// Checks access rights, installed files, libraries and network, and returns a result for each. Only a failed
/// required check prevents the robot from starting.
std::vector<motion::PartCheck> check_software(const SoftwareNeeds& needs);

}  // namespace caribou
