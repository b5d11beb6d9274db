#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "loop/network.hpp"
#include "negotiation/topic_settings.hpp"
#include "negotiation/transport.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// A transport with all objects that it uses.
class TopicTransport {
public:
    virtual ~TopicTransport() = default;
    /// Returns the transport, valid as long as this object.
    virtual negotiation::Transport& transport() = 0;
    /// Sets a handler for the writers and readers that do not match those of others, a sentence for each
    /// pair. Called on the loop whenever the list has changed; never on a transport without such a thing.
    virtual void on_mismatches(std::function<void(const std::vector<std::string>&)> handler) {
        static_cast<void>(handler);
    }
};

/// Creates the transport selected by the settings; null for `session`, which is part of the link. `name` is
/// visible to peers. Loop and network must outlive it.
Result<std::unique_ptr<TopicTransport>> make_topic_transport(const negotiation::TopicSettings& settings,
                                                             const std::string& name, EventLoop& loop,
                                                             Network& network, Log& log);

}  // namespace caribou
