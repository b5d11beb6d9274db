#include "negotiation/topic_settings.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace caribou::negotiation {
namespace {

/// Returns whether `name` consists only of characters that occur in names of interfaces and machines. None of
/// them has a special meaning in XML.
bool is_machine_name(const std::string& name) {
    return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '.' || c == ':' || c == '-' || c == '_' || c == '%' || c == '@';
    });
}

}  // namespace

Result<void> check_settings(const DdsSettings& settings, std::string_view consent) {
    if (settings.domain < -1 || settings.domain > DdsSettings::max_domain)
        return fail(Code::invalid_argument, fmt::format("there is no domain {}: they go from 0 to {}",
                                                        settings.domain, DdsSettings::max_domain));
    if (!settings.insecure_lan && (!settings.interface.empty() || !settings.peers.empty()))
        return fail(Code::invalid_argument,
                    fmt::format("`interface` and `peers` lead off this machine, where nothing is protected; "
                                "add {} if that is what you want",
                                consent));
    if (!settings.interface.empty() && !is_machine_name(settings.interface))
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is not a network interface", settings.interface));
    for (const std::string& peer : settings.peers)
        if (!is_machine_name(peer))
            return fail(Code::invalid_argument,
                        fmt::format("`{}` is not a machine; expected its name or address", peer));
    return {};
}

std::string_view reach_text(const DdsSettings& settings) {
    return settings.insecure_lan ? "open to the network, without any protection" : "on this machine only";
}

const std::vector<std::string>& topic_transports() {
    static const std::vector<std::string> all{"session", "bus", "dds"};
    return all;
}

}  // namespace caribou::negotiation
