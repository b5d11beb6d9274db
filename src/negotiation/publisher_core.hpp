#pragma once

#include <vector>

#include "negotiation/market.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "negotiation/report.hpp"
#include "negotiation/subscription_core.hpp"

namespace caribou::negotiation {

class PublisherCore final : public ReaderEvents, public WriterEvents {
public:
    PublisherCore(Loop& loop, Transport& transport, std::string base, PublisherOptions options);
    ~PublisherCore();
    PublisherCore(const PublisherCore&) = delete;
    PublisherCore& operator=(const PublisherCore&) = delete;

    Result<void> add(Offer offer, const TopicQos& qos, TypeOptions type, const void* tag);
    Result<void> add_compatible(Offer offer, const Topic& topic, Writer* writer);
    Result<void> remove(const TypeKey& key);
    Result<void> remove_compatible(const TypeKey& key, const Topic& topic);
    Result<void> add_upstream(NegotiatedSubscription& upstream, Mapping mapping);
    Result<void> remove_upstream(NegotiatedSubscription& upstream);

    Result<void> start();
    void stop();
    Result<void> negotiate();
    NegotiationReport report() const;

    const std::string base;
    const PublisherOptions options;
    Market market;
    Outlets outlets;
    NegotiatedTopicsInfo result;  ///< as last sent
    PublisherCount count;

private:
    struct Upstream {
        SubscriptionCore* subscription;
        Mapping mapping;
    };
    /// The readers of the report.
    class ReportReaders final : public WriterEvents {
    public:
        explicit ReportReaders(PublisherCore& core) : core_(core) {}
        void on_reader_joined(const Peer& reader) override;
        void on_reader_gone(const Peer& reader) override;
        std::size_t count = 0;

    private:
        PublisherCore& core_;
    };

    void on_sample(const Peer& subscription, const Sample& list) override;
    void on_writer_gone(const Peer& subscription) override;
    void on_reader_joined(const Peer& subscription) override;

    bool is_started() const { return results_ != nullptr; }
    /// Records a change and negotiates as soon as the rate limits allow.
    void change();
    void wake();
    void on_due();
    bool has_to_wait() const;
    void tell_upstreams();
    DownstreamWants wants_of(const Upstream& upstream) const;
    bool awaits_answer(const Choice& choice) const;
    /// Returns whether messages of the types that the upstreams deliver can be published now.
    bool is_through() const;
    void open_upstreams();
    bool upstreams_are_settled() const;
    void update_usable();
    bool upstreams_deliver(const TypeKey& key) const;
    void negotiate_now();
    Choice choose_now() const;
    Choice custom_choice() const;
    void apply(Choice choice);
    NegotiatedTopicsInfo info_of(const Choice& choice) const;
    std::size_t expected_readers(const Choice& choice) const;
    void update_expected();
    void tell(NegotiatedTopicsInfo info);
    void send_result();
    void on_complete();
    void on_upstream_limit();
    void tell_unsatisfied(const Choice& choice);
    std::vector<std::size_t> told_offers() const;
    data::TopicOffer line_of(std::size_t offer) const;
    data::TopicDemand demand_line(std::size_t demand) const;
    void send_report();

    Loop& loop_;
    Transport& transport_;
    std::map<TypeKey, Topic> compatible_topics_;
    std::vector<Upstream> upstreams_;
    std::unique_ptr<Writer> results_;
    std::unique_ptr<Reader> lists_;
    ReportReaders report_readers_{*this};
    std::unique_ptr<Writer> reports_;
    Choice choice_;  ///< most recent; its indices refer to the offers and demands of that moment
    std::map<PeerId, Unserved> unserved_;
    std::string unsatisfied_;  ///< as last reported
    bool has_result_ = false;
    bool has_changed_ = false;    ///< since the last negotiation
    bool has_newcomer_ = false;   ///< a reader that has not received the result
    bool wants_changed_ = false;  ///< since upstreams were informed
    bool awaits_upstream_ = false;
    bool has_upstream_changed_ = false;  ///< since the last negotiation
    bool is_holding_ = false;            ///< the result outlasts a failed negotiation
    Instant answer_due_{};               ///< when the upstreams should have answered the latest demands
    Instant next_result_{};              ///< earliest time
    Instant next_choice_{};
    Instant next_wants_{};
    Instant next_report_{};
    std::unique_ptr<Timer> timer_;
    std::unique_ptr<Timer> upstream_timer_;
    std::unique_ptr<Timer> hold_timer_;
    std::unique_ptr<Timer> report_timer_;
};

}  // namespace caribou::negotiation
