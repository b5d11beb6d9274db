#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_node.hpp"
#include "base/text_fault.hpp"
#include "bus/client_options.hpp"
#include "loop/network.hpp"
#include "negotiation/transport.hpp"
#include "platform/dds_settings.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// What `[topics]` in a configuration says: over what topics go.
///
///     [topics]
///     transport = "dds"        # or "bus", which is the default
///     domain = 0
///     insecure_lan = false     # true: other machines, too; `interface` and `peers` say which
struct TopicSettings {
    enum class Kind : std::uint8_t { bus, dds };
    Kind kind = Kind::bus;
    DdsSettings dds{};
};

/// Reads the table, if there is one; what is wrong goes to `faults`, as of its first file.
TopicSettings read_topic_settings(const JsonNode* table, FaultList& faults);

/// A transport with everything that it stands on.
class TopicTransport {
public:
    virtual ~TopicTransport() = default;
    virtual negotiation::Transport& transport() = 0;
};

/// The one that the settings ask for. `client` is for the bus. Loop and network outlive it.
Result<std::unique_ptr<TopicTransport>> make_topic_transport(const TopicSettings& settings, EventLoop& loop,
                                                             Network& network,
                                                             const bus::ClientOptions& client);

}  // namespace caribou
