#pragma once

#include <memory>
#include <string>

#include "base/log.hpp"
#include "loop/network.hpp"
#include "negotiation/topic_settings.hpp"
#include "negotiation/transport.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// A transport with everything that it stands on.
class TopicTransport {
public:
    virtual ~TopicTransport() = default;
    virtual negotiation::Transport& transport() = 0;
};

/// The one that the settings ask for; null for `session`, which a link has by itself. `name` is what others
/// see. Loop and network outlive it.
Result<std::unique_ptr<TopicTransport>> make_topic_transport(const negotiation::TopicSettings& settings,
                                                             const std::string& name, EventLoop& loop,
                                                             Network& network, Log& log);

}  // namespace caribou
