#pragma once

#include <map>
#include <set>

#include "negotiation/inlets.hpp"
#include "negotiation/negotiated_subscription.hpp"

namespace caribou::negotiation {

/// What the subscriptions of a downstream publisher want of one type.
struct DownstreamWant {
    double weight = 0;        ///< in total
    std::size_t demands = 0;  ///< number of subscriptions that can be served from it

    friend bool operator==(const DownstreamWant&, const DownstreamWant&) = default;
};

/// The types that downstream publishers want from a subscription.
struct DownstreamWants {
    std::map<TypeKey, DownstreamWant> types;
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
    Result<void> set_weight(const TypeKey& key, double weight);
    Result<void> start();
    SupportedTypes supported_types() const;

    /// Sets the demands of a downstream publisher. If they have changed, they are forwarded upstream, and the
    /// connection is chosen again. Returns whether they have changed.
    bool set_downstream(Key publisher, DownstreamWants wants);
    void remove_downstream(Key publisher);
    /// A downstream publisher.
    struct Listener {
        std::function<void()> on_change;   ///< called on every change of the connection
        std::function<void()> on_settled;  ///< called when the previous type has delivered its last message
        std::function<bool()> is_through;  ///< returns whether it can publish messages of the new type
        std::function<void()> on_end;      ///< called when the subscription is destroyed
    };
    void add_listener(Key publisher, Listener listener) { listeners_[publisher] = std::move(listener); }
    std::vector<TypeKey> supported_keys() const;
    /// Returns the type it is connected to, or nullopt.
    std::optional<TypeKey> connected_type() const;
    /// Returns false while messages of the previously connected type may still be delivered.
    bool is_settled() const { return !inlets_.is_switching(); }
    /// Delivers the messages that were held until all downstream publishers can publish them.
    void open();

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

    Error not_supported(const TypeKey& key, bool is_compatible) const;
    void send();
    void follow();
    /// Applies the latest result again at the end of this turn.
    void reconsider();
    void on_answer_due();
    bool is_wanted(const TypeKey& key) const;
    bool is_anything_wanted() const;
    bool downstreams_are_through() const;
    std::size_t served_by(const NegotiatedTopicInfo& entry) const;
    bool keeps_connection(const NegotiatedTopicsInfo& result) const;
    Support* supporting(const NegotiatedTopicInfo& entry);
    NegotiatedTopicsInfo possible_in(const NegotiatedTopicsInfo& result);
    NegotiatedTopicInfo chosen_of(const NegotiatedTopicsInfo& possible);
    void apply(const NegotiatedTopicsInfo& result);
    void connect(const NegotiatedTopicInfo& entry);
    void disconnect(SubscriptionState to, std::string_view why);
    void tell_listeners();

    /// A publisher that has not sent a result since it joined.
    struct Unanswered {
        std::string name;
        std::size_t attempts;
        Instant due;
    };

    Transport& transport_;
    const Clock& clock_;
    std::unique_ptr<Timer> reconsider_timer_;
    std::unique_ptr<Timer> answer_timer_;
    std::map<PeerId, Unanswered> unanswered_;
    Instant answer_due_{};       ///< when the latest demands of downstream publishers should be answered
    bool is_postponed_ = false;  ///< a result arrived during a switch
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
