#include "negotiation/inlets.hpp"

#include <utility>

namespace caribou::negotiation {

class Inlets::Inlet final : public ReaderEvents {
public:
    Inlet(Inlets& owner, std::shared_ptr<Sink> to) : sink(std::move(to)), owner_(&owner) {}

    void on_writer_joined(const Peer& writer) override {
        writers.insert(writer.id);
        has_joined_ = true;
        tell();
    }
    void on_sample(const Peer&, const Sample& sample) override {
        if (owner_ != nullptr) owner_->on_sample(*this, sample);
    }
    void on_writer_gone(const Peer& writer) override {
        writers.erase(writer.id);
        if (owner_ != nullptr) owner_->on_writer_gone(*this);
        tell();
    }
    /// Stops receiving.
    void end() {
        owner_ = nullptr;
        reader.reset();
    }

    /// Returns whether all of its writers are gone, so that no further samples arrive. False if no writer has
    /// joined yet.
    bool is_done() const { return has_joined_ && writers.empty(); }

    const std::shared_ptr<Sink> sink;
    std::unique_ptr<Reader> reader;
    std::set<PeerId> writers;
    std::deque<Sample> held;

private:
    void tell() const {
        if (sink->options.on_matched) sink->options.on_matched(writers.size());
    }

    Inlets* owner_;
    bool has_joined_ = false;
};

Inlets::Inlets(Loop& loop, Transport& transport, const Limits& limits, SubscriptionCount& count)
    : loop_(loop), transport_(transport), limits_(limits), count_(count) {
    limit_ = loop_.make_timer([this] {
        while (is_switching()) advance();
    });
}

Inlets::~Inlets() { disconnect(); }

Result<void> Inlets::connect(const Topic& topic, const TopicQos& qos, std::shared_ptr<Sink> sink) {
    auto inlet = std::make_unique<Inlet>(*this, std::move(sink));
    auto reader = transport_.subscribe(topic, qos, *inlet);
    if (!reader) return fail(std::move(reader.error()));
    inlet->reader = std::move(*reader);
    line_.push_back(std::move(inlet));
    if (!is_switching()) return {};
    limit_->arm(loop_.clock().now() + limits_.switch_limit);
    if (line_.front()->is_done()) advance();
    return {};
}

void Inlets::disconnect() {
    limit_->cancel();
    while (!line_.empty()) retire_first();
    delivered_.reset();
    skip_until_.reset();
}

void Inlets::retire_first() {
    line_.front()->end();
    retired_.push_back(std::move(line_.front()));
    line_.pop_front();
}

void Inlets::on_sample(Inlet& from, const Sample& sample) {
    retired_.clear();
    if (&from == line_.front().get()) {
        // The samples of the next reader start here, so this one has delivered all earlier ones.
        if (is_switching() && !line_[1]->held.empty() && sample.stamp() >= line_[1]->held.front().stamp())
            return advance();
        if (skip_until_ && is_twin(sample)) return;
        return deliver(from, sample);
    }
    if (&from == line_[1].get() && from.held.empty() && delivered_) {
        skip_until_ = delivered_;
        if (is_twin(sample)) return advance();  // it delivers everything from here on
        skip_until_.reset();
    }
    from.held.push_back(sample);
    if (from.held.size() > limits_.max_held) advance();
}

void Inlets::on_writer_gone(Inlet& from) {
    retired_.clear();
    if (is_switching() && &from == line_.front().get() && from.is_done()) advance();
}

bool Inlets::is_twin(const Sample& sample) const {
    // Much older stamps come from a different clock and are not duplicates.
    return sample.stamp() <= *skip_until_ && *skip_until_ - sample.stamp() <= limits_.switch_limit;
}

void Inlets::deliver(Inlet& from, const Sample& sample) {
    skip_until_.reset();
    delivered_ = sample.stamp();
    const auto delivered = from.sink->deliver(sample);
    ++(delivered ? count_.delivered : count_.malformed);
}

void Inlets::advance() {
    retire_first();
    Inlet* const heard = line_.front().get();
    const auto is_first = [&] { return !line_.empty() && line_.front().get() == heard; };
    while (is_first() && !heard->held.empty()) {
        const Sample sample = std::move(heard->held.front());
        heard->held.pop_front();
        deliver(*heard, sample);
    }
    if (!is_switching()) return limit_->cancel();
    if (is_first() && heard->is_done()) advance();
}

}  // namespace caribou::negotiation
