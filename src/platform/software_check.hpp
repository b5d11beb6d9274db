#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "loop/address.hpp"
#include "motion/body.hpp"

namespace caribou {

/// The files that `cmake --install` has put there, against the list that it wrote beside them.
struct InstallCheck {
    std::string manifest;                 ///< its path, whether it is there or not
    std::optional<std::size_t> files{};   ///< that it lists; none: there is no manifest, nothing is installed
    std::vector<std::string> findings{};  ///< one sentence each; empty: everything is as it was installed
};

/// Where the manifest of a program stands: `PREFIX/share/caribou/manifest.sha256` for `PREFIX/bin/caribou`.
std::string manifest_of(const std::string& program);
/// The path of the program that runs.
std::string own_program();
/// Reads every file that the manifest lists, as `sha256sum` writes it, from its prefix.
InstallCheck check_install(const std::string& manifest);

/// What a robot's program needs of the machine before it starts.
struct SoftwareNeeds {
    std::string program{};
    std::vector<std::string> read{};     ///< files
    std::vector<std::string> written{};  ///< files that are replaced: their folders have to be writable
    std::optional<Address> station{};    ///< for com modes above 0: the network leads there
};
/// Access rights, installed files, libraries and network, each with what came of it. Only what is
/// required keeps a robot from starting.
std::vector<motion::PartCheck> check_software(const SoftwareNeeds& needs);

}  // namespace caribou
