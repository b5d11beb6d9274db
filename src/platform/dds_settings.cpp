#include "platform/dds_settings.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace caribou {
namespace {

/// What can stand in the name of an interface or a machine; nothing of it means anything in XML.
bool is_plain(const std::string& name) {
    return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '.' || c == ':' || c == '-' || c == '_' || c == '%' || c == '@';
    });
}

std::string network(const DdsSettings& settings) {
    if (settings.reach == DdsReach::loopback)
        return R"(<General><AllowMulticast>false</AllowMulticast>)"
               R"(<Interfaces><NetworkInterface name="lo" multicast="false"/></Interfaces></General>)";
    if (settings.interface.empty()) return "<General><AllowMulticast>spdp</AllowMulticast></General>";
    return fmt::format(R"(<General><AllowMulticast>spdp</AllowMulticast>)"
                       R"(<Interfaces><NetworkInterface name="{}"/></Interfaces></General>)",
                       settings.interface);
}

std::string peers(const DdsSettings& settings) {
    if (settings.reach == DdsReach::loopback) return R"(<Peers><Peer address="127.0.0.1"/></Peers>)";
    std::string out;
    for (const std::string& peer : settings.peers) out += fmt::format(R"(<Peer address="{}"/>)", peer);
    return out.empty() ? out : "<Peers>" + out + "</Peers>";
}

}  // namespace

Result<std::uint32_t> domain_from_environment() {
    const char* text = std::getenv("ROS_DOMAIN_ID");
    if (text == nullptr || *text == '\0') return 0;
    std::uint32_t number = 0;
    const std::string_view word(text);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || number > DdsSettings::max_domain)
        return fail(Code::invalid_argument,
                    fmt::format("ROS_DOMAIN_ID is `{}`, but a domain is a number from 0 to {}", text,
                                DdsSettings::max_domain));
    return number;
}

Result<void> check_settings(const DdsSettings& settings) {
    if (settings.domain > DdsSettings::max_domain)
        return fail(Code::invalid_argument, fmt::format("there is no domain {}: they go from 0 to {}",
                                                        settings.domain, DdsSettings::max_domain));
    if (settings.reach == DdsReach::loopback && (!settings.interface.empty() || !settings.peers.empty()))
        return fail(Code::invalid_argument,
                    "an interface or peers are for the LAN, but DDS is to stay on this machine");
    if (!settings.interface.empty() && !is_plain(settings.interface))
        return fail(Code::invalid_argument, fmt::format("`{}` is no network interface", settings.interface));
    for (const std::string& peer : settings.peers)
        if (!is_plain(peer))
            return fail(Code::invalid_argument,
                        fmt::format("`{}` is no machine: write its name or address", peer));
    return {};
}

std::string cyclone_config(const DdsSettings& settings) {
    // - Every participant has ports of its own, found by counting up: that is what unicast discovery
    //   goes through. 120 is what fits between the ports of two domains.
    // - Fast DDS takes the word of a leaving participant only if it comes with a key hash.
    // - Who falls silent is missed after five seconds, not ten.
    // - What a writer may have under way is one fixed number of bytes, not one that adapts.
    return fmt::format(
        "<CycloneDDS><Domain id=\"any\">{}"
        "<Discovery><LeaseDuration>5 "
        "s</LeaseDuration><ExternalDomainId>{}</ExternalDomainId><ParticipantIndex>auto</ParticipantIndex>"
        "<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>{}</Discovery>"
        "<Internal><GenerateKeyhash>true</GenerateKeyhash>"
        "<Watermarks><WhcAdaptive>false</WhcAdaptive><WhcHigh>16 MiB</WhcHigh><WhcHighInit>16 "
        "MiB</WhcHighInit><WhcLow>1 "
        "MiB</WhcLow></Watermarks>"
        "</Internal></Domain></CycloneDDS>",
        network(settings), settings.domain, peers(settings));
}

}  // namespace caribou
