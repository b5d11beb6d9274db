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
    /// Whether to disconnect from the previously chosen type when a negotiation fails or its result contains
    /// no supported type.
    bool disconnect_on_failure = true;
    /// Returns one of the possible entries, or an empty entry for none. By default the current connection is
    /// kept as long as it is in the list; otherwise the first entry is taken.
    std::function<NegotiatedTopicInfo(const NegotiatedTopicInfo& existing,
                                      const NegotiatedTopicsInfo& possible)>
        choose{};
    /// Called with the reason whenever a result contains nothing for this subscription.
    std::function<void(std::string_view)> on_unsatisfied{};
    Limits limits{};
};

enum class SubscriptionState {
    idle,         ///< not started
    waiting,      ///< for a result
    unsatisfied,  ///< the result contains no supported type
    connected,    ///< to the data of a type
};

std::string_view to_string(SubscriptionState state);

struct SubscriptionCount {
    std::uint64_t lists_sent = 0;
    std::uint64_t results = 0;      ///< received
    std::uint64_t connections = 0;  ///< to data
    std::uint64_t delivered = 0;    ///< messages
    std::uint64_t malformed = 0;    ///< messages and results that could not be decoded
};

class SubscriptionCore;

/// Announces the types it supports with a weight for each, and connects to the one that the publisher
/// chooses. Must only be used on the thread of its loop. Callbacks may call any function of this class except
/// the destructor.
class NegotiatedSubscription {
public:
    /// `loop` and `transport` must outlive the subscription. `topic_name` is the base topic, such as `/scan`.
    NegotiatedSubscription(Loop& loop, Transport& transport, std::string topic_name,
                           SubscriptionOptions options = {});
    ~NegotiatedSubscription();
    NegotiatedSubscription(const NegotiatedSubscription&) = delete;
    NegotiatedSubscription& operator=(const NegotiatedSubscription&) = delete;

    /// Adds a type. `callback` takes a `const MsgT&` or a `std::shared_ptr<const MsgT>`. The publisher is
    /// informed by the next start(). Fails if a name is empty, the weight is not finite, or the type was
    /// added already.
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
    /// Changes the weight of a type without interrupting its connection. The publisher is informed by the
    /// next start(). Fails if the weight is not valid or the type was not added.
    template <SupportedType T>
    Result<void> set_weight(double weight) {
        return set_weight(key_of<T>(), weight);
    }
    /// Removes a type, and disconnects if it is the connected one. The publisher is informed by the next
    /// start().
    template <SupportedType T>
    Result<void> remove_supported_callback() {
        return remove(key_of<T>());
    }

    // The same for a type that is known at run time only. `callback` takes the message as bytes: CDR, with
    // its header.
    Result<void> add_supported_callback(TypeKey key, double weight, const TopicQos& qos,
                                        std::move_only_function<void(const Sample&)> callback,
                                        TypeOptions options = {}) {
        return add(
            std::move(key), weight, qos,
            [callback = std::move(callback)](const Sample& sample) mutable -> Result<void> {
                callback(sample);
                return {};
            },
            std::move(options));
    }
    Result<void> set_weight(const TypeKey& key, double weight);
    Result<void> remove_supported_callback(const TypeKey& key) { return remove(key); }

    /// Registers a plain subscription that the caller has created as support of its type under `name`. If the
    /// publisher has a compatible publisher on the same topic, no connection is needed.
    Result<void> add_compatible_subscription(const Topic& topic, std::string name, double weight);
    Result<void> remove_compatible_subscription(const Topic& topic, const std::string& name);

    /// Sends the supported types to the publisher and subscribes to results. If already started, sends the
    /// types again.
    Result<void> start();

    SubscriptionState state() const;
    /// Returns the list that is sent to the publisher: its own types, or, if it is upstream of publishers,
    /// the types wanted there.
    SupportedTypes supported_types() const;
    /// Returns the current connection. All three fields are empty if there is none.
    const NegotiatedTopicInfo& connection() const;
    const SubscriptionCount& count() const;
    const std::string& topic_name() const;

    using AfterSubscription = std::function<void(const NegotiatedTopicInfo&)>;
    /// Registers a function that is called after each connection to data. Returns a number for its removal.
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
