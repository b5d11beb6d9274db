#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "loop/address.hpp"

namespace caribou::negotiation {

/// DDS settings of a process. DDS traffic is neither authenticated nor encrypted.
struct DdsSettings {
    /// The highest domain whose ports all fit, with 120 participants each.
    static constexpr int max_domain = 232;

    int domain = -1;            ///< only participants of one domain see each other; -1: ROS_DOMAIN_ID, else 0
    bool insecure_lan = false;  ///< communicate with every reachable machine, not only this one
    std::string interface{};    ///< lan: the network interface to use; empty to let DDS choose
    std::vector<std::string> peers{};  ///< lan: machines to contact where there is no multicast
    std::string name = "caribou";      ///< of the process, for people

    friend bool operator==(const DdsSettings&, const DdsSettings&) = default;
};

/// Returns an error that describes what is wrong. `consent` is how the user allows DDS to leave this machine;
/// it is quoted in the error.
Result<void> check_settings(const DdsSettings& settings, std::string_view consent = "insecure_lan = true");
/// Returns `on this machine only`, or a warning for people.
std::string_view reach_text(const DdsSettings& settings);

/// The transport for the views that robot and station share: `[topics]` in their configuration files.
struct TopicSettings {
    std::string transport = "session";  ///< one of topic_transports()
    Address broker = Address::ip("127.0.0.1", 9000);
    DdsSettings dds{};

    friend bool operator==(const TopicSettings&, const TopicSettings&) = default;
};
/// Returns the names of all transports.
const std::vector<std::string>& topic_transports();

}  // namespace caribou::negotiation
