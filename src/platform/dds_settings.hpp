#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace caribou {

/// How far DDS reaches. Nothing that goes over it is authenticated or encrypted.
enum class DdsReach : std::uint8_t {
    loopback,  ///< this machine only, and no multicast
    lan,       ///< every machine that can be reached: the user has asked for it in so many words
};

struct DdsSettings {
    /// Domains whose ports all fit, with 120 participants each.
    static constexpr std::uint32_t max_domain = 232;

    std::uint32_t domain = 0;  ///< ROS 2's ROS_DOMAIN_ID; participants of one domain see each other
    DdsReach reach = DdsReach::loopback;
    std::string interface{};           ///< lan: the network interface to use; empty for DDS to choose
    std::vector<std::string> peers{};  ///< lan: machines to look for where there is no multicast
    std::string name = "caribou";      ///< of the process, for people

    friend bool operator==(const DdsSettings&, const DdsSettings&) = default;
};

/// What ROS_DOMAIN_ID says, or 0. Fails if it is no domain.
Result<std::uint32_t> domain_from_environment();

/// What is wrong with them, as a sentence.
Result<void> check_settings(const DdsSettings& settings);

/// They as CycloneDDS reads them.
std::string cyclone_config(const DdsSettings& settings);

}  // namespace caribou
