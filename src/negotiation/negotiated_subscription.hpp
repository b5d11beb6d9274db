#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "loop/loop.hpp"
#include "msg/negotiated_interfaces/negotiated_topic_info.hpp"
#include "msg/negotiated_interfaces/negotiated_topics_info.hpp"
#include "msg/negotiated_interfaces/supported_types.hpp"
#include "negotiation/limits.hpp"
#include "negotiation/supported_type.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

using msg::negotiated_interfaces::NegotiatedTopicInfo;
using msg::negotiated_interfaces::NegotiatedTopicsInfo;
using msg::negotiated_interfaces::SupportedTypes;

struct SubscriptionOptions {
    /// When a negotiation fails, or brings nothing that is supported: whether to stop listening to what
    /// was chosen before.
    bool disconnect_on_failure = true;
    /// Chooses one of the possible entries; an empty answer means none. Without it the present
    /// connection is kept while it is in the list, otherwise it is the first entry.
    std::function<NegotiatedTopicInfo(const NegotiatedTopicInfo& existing,
                                      const NegotiatedTopicsInfo& possible)>
        choose{};
    /// Told why, whenever a result brings nothing for this subscription.
    std::function<void(std::string_view)> on_unsatisfied{};
    Limits limits{};
};

enum class SubscriptionState {
    idle,         ///< not started
    waiting,      ///< for a result
    unsatisfied,  ///< the result has nothing for it
    connected,    ///< to the data of a type
};

std::string_view to_string(SubscriptionState state);

struct SubscriptionCount {
    std::uint64_t lists_sent = 0;
    std::uint64_t results = 0;      ///< heard
    std::uint64_t connections = 0;  ///< made to data
    std::uint64_t delivered = 0;    ///< messages
    std::uint64_t malformed = 0;    ///< messages and results that could not be read
};

class SubscriptionCore;

/// Says which types it can take and how much it likes them, and is connected to the one that the publisher
/// chooses. Lives on one loop. Callbacks may call anything here except the destructor.
class NegotiatedSubscription {
public:
    /// Loop and transport outlive it. `topic_name` is the base: `/scan`.
    NegotiatedSubscription(Loop& loop, Transport& transport, std::string topic_name,
                           SubscriptionOptions options = {});
    ~NegotiatedSubscription();
    NegotiatedSubscription(const NegotiatedSubscription&) = delete;
    NegotiatedSubscription& operator=(const NegotiatedSubscription&) = delete;

    /// `callback` takes a `const MsgT&` or a `std::shared_ptr<const MsgT>`. Told to the publisher by the
    /// next start(). Fails for an empty name, a weight that is not finite, and a type that is there already.
    template <SupportedType T, class Callback>
    Result<void> add_supported_callback(double weight, const TopicQos& qos, Callback callback,
                                        TypeOptions options = {}) {
        using MsgT = typename T::MsgT;
        return add(
            key_of<T>(), weight, qos,
            [callback = std::move(callback)](const Sample& sample) mutable -> Result<void> {
                auto object = object_of<MsgT>(sample);
                if (!object) return fail(std::move(object.error()));
                if constexpr (std::invocable<Callback&, std::shared_ptr<const MsgT>>)
                    callback(std::move(*object));
                else
                    callback(**object);
                return {};
            },
            std::move(options));
    }
    /// Lets go of the connection if it is to this type. Told to the publisher by the next start().
    template <SupportedType T>
    Result<void> remove_supported_callback() {
        return remove(key_of<T>());
    }

    /// A plain subscription of yours, made elsewhere, counts as support of its type under `name`: if the
    /// publisher has a compatible publisher on the same topic, nothing needs to be connected.
    Result<void> add_compatible_subscription(const Topic& topic, std::string name, double weight);
    Result<void> remove_compatible_subscription(const Topic& topic, const std::string& name);

    /// Tells the publisher what is supported, and listens for results. Again: tells it again.
    Result<void> start();

    SubscriptionState state() const;
    /// What it tells: its own types; if it is upstream of publishers, those that are wanted there.
    SupportedTypes supported_types() const;
    /// All three fields are empty if there is no connection.
    const NegotiatedTopicInfo& connection() const;
    const SubscriptionCount& count() const;
    const std::string& topic_name() const;

    using AfterSubscription = std::function<void(const NegotiatedTopicInfo&)>;
    /// Called after each connection to data. The number is for the removal.
    std::size_t add_after_subscription_callback(AfterSubscription callback);
    Result<void> remove_after_subscription_callback(std::size_t number);

private:
    friend class PublisherCore;
    using Deliver = std::move_only_function<Result<void>(const Sample&)>;

    Result<void> add(TypeKey key, double weight, const TopicQos& qos, Deliver deliver, TypeOptions options);
    Result<void> remove(const TypeKey& key);

    std::unique_ptr<SubscriptionCore> core_;
};

}  // namespace caribou::negotiation
