#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "loop/address.hpp"

namespace caribou::negotiation {

/// How a process speaks DDS. Nothing that goes over it is authenticated or encrypted.
struct DdsSettings {
    /// Domains whose ports all fit, with 120 participants each.
    static constexpr int max_domain = 232;

    int domain = -1;  ///< participants of one domain see each other; -1: what ROS_DOMAIN_ID says, else 0
    bool insecure_lan = false;         ///< every machine that can be reached, not only this one
    std::string interface{};           ///< lan: the network interface to use; empty for DDS to choose
    std::vector<std::string> peers{};  ///< lan: machines to look for where there is no multicast
    std::string name = "caribou";      ///< of the process, for people

    friend bool operator==(const DdsSettings&, const DdsSettings&) = default;
};

/// What is wrong with them, as a sentence. `consent`: how the user says that DDS may leave this machine.
Result<void> check_settings(const DdsSettings& settings, std::string_view consent = "insecure_lan = true");
/// `on this machine only`, or what else people have to know.
std::string_view reach_text(const DdsSettings& settings);

/// Over what robot and station share views: `[topics]` of their files.
struct TopicSettings {
    std::string transport = "session";  ///< one of topic_transports()
    Address broker = Address::ip("127.0.0.1", 9000);
    DdsSettings dds{};

    friend bool operator==(const TopicSettings&, const TopicSettings&) = default;
};
const std::vector<std::string>& topic_transports();

}  // namespace caribou::negotiation
