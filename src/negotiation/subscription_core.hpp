#pragma once

#include <map>
#include <set>

#include "negotiation/inlets.hpp"
#include "negotiation/negotiated_subscription.hpp"

namespace caribou::negotiation {

/// The types that downstream publishers want from a subscription.
struct DownstreamWants {
    std::map<TypeKey, double> weights;
    std::set<std::string> chain;  ///< base topics downstream, including that of the publisher itself

    friend bool operator==(const DownstreamWants&, const DownstreamWants&) = default;
};

class SubscriptionCore final : public ReaderEvents, public WriterEvents {
public:
    using Key = const void*;

    SubscriptionCore(Loop& loop, Transport& transport, std::string base, SubscriptionOptions options);
    ~SubscriptionCore();
    SubscriptionCore(const SubscriptionCore&) = delete;
    SubscriptionCore& operator=(const SubscriptionCore&) = delete;

    Result<void> add(TypeKey key, double weight, const TopicQos& qos, Inlets::Sink sink,
                     std::optional<Topic> compatible);
    Result<void> remove(const TypeKey& key, const std::optional<Topic>& compatible);
    Result<void> start();
    SupportedTypes supported_types() const;

    /// Sets the demands of a downstream publisher. They are forwarded upstream if they have changed.
    void set_downstream(Key publisher, DownstreamWants wants);
    void remove_downstream(Key publisher);
    /// `on_change` is called on every change of the connection, `on_end` when the subscription is destroyed.
    struct Listener {
        std::function<void()> on_change;
        std::function<void()> on_end;
    };
    void add_listener(Key publisher, Listener listener) { listeners_[publisher] = std::move(listener); }
    std::vector<TypeKey> supported_keys() const;
    /// Returns the type it is connected to, or nullopt.
    std::optional<TypeKey> connected_type() const;

    const std::string base;
    SubscriptionOptions options;
    SubscriptionState state = SubscriptionState::idle;
    NegotiatedTopicInfo connection;
    SubscriptionCount count;
    std::map<std::size_t, NegotiatedSubscription::AfterSubscription> after_subscription;
    std::size_t next_after = 1;

private:
    struct Support {
        TypeKey key;
        double weight;
        TopicQos qos;
        Inlets::Sink sink;
        std::optional<Topic> compatible;  ///< topic of the plain subscription
    };

    void on_sample(const Peer& publisher, const Sample& result) override;
    void on_writer_joined(const Peer& publisher) override;
    void on_writer_gone(const Peer& publisher) override;

    void send();
    void follow();
    Support* supporting(const NegotiatedTopicInfo& entry);
    NegotiatedTopicsInfo possible_in(const NegotiatedTopicsInfo& result);
    NegotiatedTopicInfo chosen_of(const NegotiatedTopicsInfo& possible);
    void apply(const NegotiatedTopicsInfo& result);
    void connect(const NegotiatedTopicInfo& entry);
    void disconnect(SubscriptionState to, std::string_view why);
    void tell_listeners();

    Transport& transport_;
    const Clock& clock_;
    std::vector<std::shared_ptr<Support>> supports_;
    std::map<Key, DownstreamWants> downstream_;
    std::map<Key, Listener> listeners_;
    std::unique_ptr<Writer> lists_;
    std::unique_ptr<Reader> results_;
    std::vector<PeerId> publishers_;                 ///< in the order in which they joined
    std::map<PeerId, NegotiatedTopicsInfo> latest_;  ///< result of each publisher
    std::optional<PeerId> followed_;                 ///< publisher whose result is in effect
    Inlets inlets_;
};

}  // namespace caribou::negotiation
