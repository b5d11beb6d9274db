#include "adapters/dds/cyclone_config.hpp"

#include <charconv>
#include <string>

#include <fmt/format.h>

#include "platform/environment.hpp"

namespace caribou {
namespace {

using negotiation::DdsSettings;

std::string network(const DdsSettings& settings) {
    if (!settings.insecure_lan)
        return R"(<General><AllowMulticast>false</AllowMulticast>)"
               R"(<Interfaces><NetworkInterface name="lo" multicast="false"/></Interfaces></General>)";
    if (settings.interface.empty()) return "<General><AllowMulticast>spdp</AllowMulticast></General>";
    return fmt::format(R"(<General><AllowMulticast>spdp</AllowMulticast>)"
                       R"(<Interfaces><NetworkInterface name="{}"/></Interfaces></General>)",
                       settings.interface);
}

std::string peers(const DdsSettings& settings) {
    if (!settings.insecure_lan) return R"(<Peers><Peer address="127.0.0.1"/></Peers>)";
    std::string out;
    for (const std::string& peer : settings.peers) out += fmt::format(R"(<Peer address="{}"/>)", peer);
    return out.empty() ? out : "<Peers>" + out + "</Peers>";
}

}  // namespace

Result<DdsSettings> with_domain(DdsSettings settings) {
    if (settings.domain >= 0) return settings;
    std::string word = environment("ROS_DOMAIN_ID").value_or("");
    if (word.empty()) word = "0";
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), settings.domain);
    if (error != std::errc() || end != word.data() + word.size() || settings.domain < 0 ||
        settings.domain > DdsSettings::max_domain)
        return fail(Code::invalid_argument,
                    fmt::format("ROS_DOMAIN_ID is `{}`, but a domain is a number from 0 to {}", word,
                                DdsSettings::max_domain));
    return settings;
}

std::string cyclone_config(const DdsSettings& settings) {
    // - Every participant has its own ports, found by counting up, which unicast discovery relies on. 120 fit
    //   between the ports of two domains.
    // - Fast DDS accepts the message of a leaving participant only with a key hash.
    // - A silent participant is removed after five seconds instead of ten.
    // - The number of unacknowledged bytes of a writer is fixed instead of adaptive. A writer that keeps the
    //   last samples stays below it, so that a reader that does not keep up never stops it.
    // - A thread that waits on a single socket is ended by a packet to itself, which never arrives if the
    //   interface is gone; so on a LAN one thread waits on all sockets. This costs one system call per
    //   packet.
    return fmt::format(
        "<CycloneDDS><Domain id=\"any\">{}"
        "<Discovery><LeaseDuration>5 "
        "s</LeaseDuration><ExternalDomainId>{}</ExternalDomainId><ParticipantIndex>auto</ParticipantIndex>"
        "<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>{}</Discovery>"
        "<Internal><GenerateKeyhash>true</GenerateKeyhash><MultipleReceiveThreads>{}</MultipleReceiveThreads>"
        "<Watermarks><WhcAdaptive>false</WhcAdaptive><WhcHigh>64 MiB</WhcHigh><WhcHighInit>64 "
        "MiB</WhcHighInit><WhcLow>1 "
        "MiB</WhcLow></Watermarks>"
        "</Internal></Domain></CycloneDDS>",
        network(settings), settings.domain, peers(settings), !settings.insecure_lan);
}

}  // namespace caribou
