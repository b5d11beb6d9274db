#include "negotiation/negotiated_publisher.hpp"

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "negotiation/publisher_core.hpp"

namespace caribou::negotiation {

NegotiatedPublisher::NegotiatedPublisher(Loop& loop, Transport& transport, std::string topic_name,
                                         PublisherOptions options)
    : core_(std::make_unique<PublisherCore>(loop, transport, std::move(topic_name), std::move(options))),
      outlets_(&core_->outlets) {}
NegotiatedPublisher::~NegotiatedPublisher() = default;

Result<void> NegotiatedPublisher::add(TypeKey key, double weight, const TopicQos& qos, TypeOptions options,
                                      const void* tag) {
    return core_->add({.key = std::move(key), .weight = weight}, qos, std::move(options), tag);
}

Result<void> NegotiatedPublisher::remove(const TypeKey& key) { return core_->remove(key); }

Result<void> NegotiatedPublisher::add_compatible_publisher(const Topic& topic, std::string name,
                                                           double weight, Writer* writer) {
    return core_->add_compatible(
        {.key = {topic.type, std::move(name)}, .weight = weight, .is_compatible = true}, topic, writer);
}

Result<void> NegotiatedPublisher::remove_compatible_publisher(const Topic& topic, const std::string& name) {
    return core_->remove_compatible({topic.type, name}, topic);
}

Result<void> NegotiatedPublisher::add_upstream_negotiated_subscription(NegotiatedSubscription& upstream,
                                                                       Mapping mapping) {
    return core_->add_upstream(upstream, std::move(mapping));
}

Result<void> NegotiatedPublisher::remove_upstream_negotiated_subscription(NegotiatedSubscription& upstream) {
    return core_->remove_upstream(upstream);
}

Result<void> NegotiatedPublisher::start() { return core_->start(); }
void NegotiatedPublisher::stop() { core_->stop(); }
Result<void> NegotiatedPublisher::negotiate() { return core_->negotiate(); }

const std::string& NegotiatedPublisher::topic_name() const { return core_->base; }
std::vector<Offer> NegotiatedPublisher::supported_types() const { return core_->market.problem().offers; }
const NegotiatedTopicsInfo& NegotiatedPublisher::result() const { return core_->result; }
const PublisherCount& NegotiatedPublisher::count() const { return core_->count; }
std::string NegotiatedPublisher::report_text() const { return to_text(report()); }
std::string NegotiatedPublisher::report_json() const { return data::to_json(report()); }
data::NegotiationReport NegotiatedPublisher::report() const { return core_->report(); }

Error NegotiatedPublisher::null_message(const TypeKey& key) const {
    return {Code::invalid_argument,
            fmt::format("{}: there is no message to publish as {}", core_->base, to_string(key))};
}

Error NegotiatedPublisher::not_offered(const TypeKey& key) const {
    if (core_->market.find(key) != nullptr)
        return {Code::not_found,
                fmt::format("{} on {} belongs to a compatible publisher that was registered without its "
                            "writer; publish through that publisher, or pass its writer to "
                            "add_compatible_publisher",
                            to_string(key), core_->base)};
    std::vector<std::string> known;
    for (const Offer& offer : core_->market.problem().offers) known.push_back(to_string(offer.key));
    return {Code::not_found, fmt::format("{} is not offered on {}{}; add_supported_type comes first",
                                         to_string(key), core_->base, instead_of(to_string(key), known))};
}

}  // namespace caribou::negotiation
