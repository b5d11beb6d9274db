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
#include "negotiation/supported_type.hpp"
#include "negotiation/transport.hpp"

namespace caribou::data {
struct NegotiationReport;
}

namespace caribou::negotiation {

struct PublisherOptions {
    bool negotiate_on_subscription_added = true;  ///< also when one changes its list
    bool negotiate_on_subscription_removed = true;
    /// Whether a failed negotiation stops the publication of the previously chosen types.
    bool disconnect_on_failure = true;
    std::size_t maximum_solutions = std::numeric_limits<std::size_t>::max();  ///< published types; not 0
    /// How much more weight another choice of the same size must have to replace the current one. If nullopt,
    /// any gain suffices, and the choice depends only on the present subscriptions.
    std::optional<double> switch_cost{};
    std::uint64_t budget = ChoiceOptions{}.budget;  ///< steps per choice
    /// Replaces choose(). Returns the keys of the types to publish; an empty vector means failure.
    std::function<std::vector<TypeKey>(const ChoiceProblem&)> negotiate{};
    /// Called when a result takes effect: its types are published from now on.
    std::function<void(const NegotiatedTopicsInfo&)> on_success{};
    /// Called with the reason when a subscription is not served, and again whenever that changes.
    std::function<void(std::string_view)> on_unsatisfied{};
    /// Called when the lists of the subscriptions have changed.
    std::function<void()> on_downstream_update{};
    Limits limits{};
};

struct PublisherCount {
    std::uint64_t negotiations = 0;
    std::uint64_t results_sent = 0;
    std::uint64_t switches = 0;       ///< changes of the set of published types
    std::uint64_t malformed = 0;      ///< lists that could not be decoded
    std::uint64_t refused_lists = 0;  ///< lists of subscriptions beyond the limit
};

/// Returns whether a node can convert messages of type `upstream` to type `downstream`.
using Mapping = std::function<bool(const TypeKey& upstream, const TypeKey& downstream)>;

class PublisherCore;

/// Offers types, and publishes the smallest set with the greatest weight that serves all subscriptions. Must
/// only be used on the thread of its loop. Callbacks may call any function of this class except the
/// destructor.
class NegotiatedPublisher {
public:
    /// `loop` and `transport` must outlive the publisher. `topic_name` is the base topic, such as `/scan`.
    NegotiatedPublisher(Loop& loop, Transport& transport, std::string topic_name,
                        PublisherOptions options = {});
    ~NegotiatedPublisher();
    NegotiatedPublisher(const NegotiatedPublisher&) = delete;
    NegotiatedPublisher& operator=(const NegotiatedPublisher&) = delete;

    /// Adds a type and, once started, negotiates again. Fails if a name is empty, the weight is not finite,
    /// the type was added already, or there are 64 types already.
    template <SupportedType T>
    Result<void> add_supported_type(double weight, const TopicQos& qos = {}, TypeOptions options = {}) {
        return add(key_of<T>(), weight, qos, std::move(options), &detail::tag<T>);
    }
    template <SupportedType T>
    Result<void> remove_supported_type() {
        return remove(key_of<T>());
    }
    /// The same for a type that is known at run time only, and whose messages are published as bytes.
    Result<void> add_supported_type(TypeKey key, double weight, const TopicQos& qos = {},
                                    TypeOptions options = {}) {
        return add(std::move(key), weight, qos, std::move(options), nullptr);
    }
    Result<void> remove_supported_type(const TypeKey& key) { return remove(key); }
    /// Registers a plain publisher that the caller has created. It serves every subscription that supports
    /// its type under `name`, and does not count as a solution. If its writer is given, publish<T>() of that
    /// type sends through it while it is part of the result; it must outlive this object or the removal.
    Result<void> add_compatible_publisher(const Topic& topic, std::string name, double weight,
                                          Writer* writer = nullptr);
    Result<void> remove_compatible_publisher(const Topic& topic, const std::string& name);

    /// Declares that the messages published here are generated from those of `upstream`. Demands of this
    /// publisher are forwarded to it, and only types that can be generated from its data are published. All
    /// upstreams must have negotiated. Without a mapping, each type is generated from the same type.
    Result<void> add_upstream_negotiated_subscription(NegotiatedSubscription& upstream, Mapping mapping = {});
    Result<void> remove_upstream_negotiated_subscription(NegotiatedSubscription& upstream);

    /// Starts sending and receiving. Fails if maximum_solutions is 0, if the topic is invalid, or if already
    /// started.
    Result<void> start();
    /// Stops publishing and discards all subscriptions.
    void stop();
    /// Requests a negotiation at the end of this iteration of the loop, or as soon as the limits allow. Fails
    /// if not started.
    Result<void> negotiate();

    /// Returns whether publish<T>() currently sends.
    template <SupportedType T>
    bool type_was_negotiated() const {
        const Outlet* outlet = find(&detail::tag<T>, [] { return key_of<T>(); });
        return outlet != nullptr && outlet->is_active;
    }

    /// Returns whether publish() of that type currently sends.
    bool type_was_negotiated(const TypeKey& key) const {
        const Outlet* outlet = outlets_->find(key);
        return outlet != nullptr && outlet->is_active;
    }

    /// Publishes a copy of the message, or discards it if T is not negotiated. Returns an error if T was
    /// neither added nor registered with the writer of a compatible publisher, or if the transport's queue is
    /// full.
    template <SupportedType T>
    Result<Published> publish(const typename T::MsgT& message) {
        return publish_as<T>([&] { return std::make_shared<const typename T::MsgT>(message); });
    }
    /// Does not copy the message. Returns an error if it is null.
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

    /// Publishes a message that is encoded already: CDR, with its header of four bytes.
    Result<Published> publish(const TypeKey& key, std::shared_ptr<const Bytes> message) {
        if (!message) return fail(null_message(key));
        Outlet* outlet = outlets_->find(key);
        if (outlet == nullptr) return fail(not_offered(key));
        return outlets_->write(*outlet, [&](WallTime stamp) { return Sample(std::move(message), stamp); });
    }

    const std::string& topic_name() const;
    std::vector<Offer> supported_types() const;
    /// Returns the result that was sent last.
    const NegotiatedTopicsInfo& result() const;
    const PublisherCount& count() const;
    /// All offers and demands, who is served by what, and the reasons: as a paragraph for people, and as JSON
    /// (docs/formats/negotiation-report.md). Both take about as long as a few negotiations.
    std::string report_text() const;
    std::string report_json() const;
    /// The same as data (negotiation/report.hpp, not installed).
    data::NegotiationReport report() const;

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
    Outlets* outlets_;  ///< owned by the core
};

}  // namespace caribou::negotiation
