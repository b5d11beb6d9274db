#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "loop/loop.hpp"
#include "msg/negotiated_interfaces/negotiated_topics_info.hpp"
#include "negotiation/choice.hpp"
#include "negotiation/limits.hpp"
#include "negotiation/negotiated_subscription.hpp"
#include "negotiation/outlets.hpp"
#include "negotiation/report.hpp"
#include "negotiation/supported_type.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

struct PublisherOptions {
    bool negotiate_on_subscription_added = true;  ///< and when one changes its mind
    bool negotiate_on_subscription_removed = true;
    /// When a negotiation fails: whether to stop publishing what was chosen before.
    bool disconnect_on_failure = true;
    std::size_t maximum_solutions = std::numeric_limits<std::size_t>::max();  ///< types at once; not 0
    /// How much more weight another choice of the same size must have to replace the present one. None:
    /// any, so that the choice depends only on who is there.
    std::optional<double> switch_cost{};
    std::uint64_t budget = ChoiceOptions{}.budget;  ///< steps of one choice
    /// Chooses in place of choose(): the keys of what to publish; none means failure.
    std::function<std::vector<TypeKey>(const ChoiceProblem&)> negotiate{};
    /// A result is in force: from now on its types are published.
    std::function<void(const NegotiatedTopicsInfo&)> on_success{};
    /// Somebody is not served, and why. Again whenever that changes.
    std::function<void(std::string_view)> on_unsatisfied{};
    /// What the subscriptions want has changed.
    std::function<void()> on_downstream_update{};
    Limits limits{};
};

struct PublisherCount {
    std::uint64_t negotiations = 0;
    std::uint64_t results_sent = 0;
    std::uint64_t switches = 0;       ///< of what is published
    std::uint64_t malformed = 0;      ///< lists that could not be read
    std::uint64_t refused_lists = 0;  ///< of subscriptions beyond the limit
};

/// Whether a node can make `downstream` out of `upstream`.
using Mapping = std::function<bool(const TypeKey& upstream, const TypeKey& downstream)>;

class PublisherCore;

/// Offers types, and publishes the fewest and best liked of them that serve all subscriptions. Lives on one
/// loop. Callbacks may call anything here except the destructor.
class NegotiatedPublisher {
public:
    /// Loop and transport outlive it. `topic_name` is the base: `/scan`.
    NegotiatedPublisher(Loop& loop, Transport& transport, std::string topic_name,
                        PublisherOptions options = {});
    ~NegotiatedPublisher();
    NegotiatedPublisher(const NegotiatedPublisher&) = delete;
    NegotiatedPublisher& operator=(const NegotiatedPublisher&) = delete;

    /// Fails for an empty name, a weight that is not finite, a type that is there already, and the 65th.
    /// Leads to a new negotiation if it has started.
    template <SupportedType T>
    Result<void> add_supported_type(double weight, const TopicQos& qos = {}, TypeOptions options = {}) {
        return add(key_of<T>(), weight, qos, std::move(options), &detail::tag<T>);
    }
    template <SupportedType T>
    Result<void> remove_supported_type() {
        return remove(key_of<T>());
    }
    /// A plain publisher of yours, made elsewhere, serves whoever supports its type under `name`, and
    /// counts not as a solution.
    Result<void> add_compatible_publisher(const Topic& topic, std::string name, double weight);
    Result<void> remove_compatible_publisher(const Topic& topic, const std::string& name);

    /// This publisher's node makes its messages of what the subscription brings: what is wanted here is told
    /// there, and only what can be made of what comes from there is published here. All upstreams must have
    /// negotiated. Without a mapping, a type is made of the same type.
    Result<void> add_upstream_negotiated_subscription(NegotiatedSubscription& upstream, Mapping mapping = {});
    Result<void> remove_upstream_negotiated_subscription(NegotiatedSubscription& upstream);

    /// Nothing is sent or read before. Refuses a maximum of 0 solutions, and a topic that cannot be.
    Result<void> start();
    /// Ends everything and forgets all subscriptions.
    void stop();
    /// Negotiates at the end of this turn of the loop, or as soon as limits allow.
    Result<void> negotiate();

    /// Whether publish<T> sends.
    template <SupportedType T>
    bool type_was_negotiated() const {
        const Outlet* outlet = find(&detail::tag<T>, [] { return key_of<T>(); });
        return outlet != nullptr && outlet->is_active;
    }

    template <SupportedType T>
    Result<Published> publish(const typename T::MsgT& message) {
        return publish_as<T>([&] { return std::make_shared<const typename T::MsgT>(message); });
    }
    /// The message is not copied. A null one is an error.
    template <SupportedType T>
    Result<Published> publish(std::unique_ptr<typename T::MsgT> message) {
        if (!message) return fail(null_message(key_of<T>()));
        return publish_as<T>([&] { return std::shared_ptr<const typename T::MsgT>(std::move(message)); });
    }
    template <SupportedType T>
    Result<Published> publish(std::shared_ptr<const typename T::MsgT> message) {
        if (!message) return fail(null_message(key_of<T>()));
        return publish_as<T>([&] { return std::move(message); });
    }

    const std::string& topic_name() const;
    std::vector<Offer> supported_types() const;
    /// What was told last.
    const NegotiatedTopicsInfo& result() const;
    const PublisherCount& count() const;
    /// Who offers, wants and gets what, and why. Takes about as long as a few negotiations.
    NegotiationReport report() const;

private:
    Result<void> add(TypeKey key, double weight, const TopicQos& qos, TypeOptions options, const void* tag);
    Result<void> remove(const TypeKey& key);
    template <class Key>
    Outlet* find(const void* tag, Key key) const {
        if (Outlet* outlet = outlets_->find_tag(tag)) return outlet;
        return outlets_->find(key());
    }
    Error null_message(const TypeKey& key) const;
    Error not_offered(const TypeKey& key) const;

    template <SupportedType T, class Make>
    Result<Published> publish_as(Make make) {
        Outlet* outlet = find(&detail::tag<T>, [] { return key_of<T>(); });
        if (outlet == nullptr) return fail(not_offered(key_of<T>()));
        return outlets_->write(*outlet, [&](WallTime stamp) { return make_sample(make(), stamp); });
    }

    std::unique_ptr<PublisherCore> core_;
    Outlets* outlets_;  ///< the core's
};

}  // namespace caribou::negotiation
