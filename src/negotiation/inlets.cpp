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
        open();
        while (is_switching()) {
            advance();
            open();
        }
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
    limit_->arm(loop_.clock().now() + 2 * limits_.switch_limit);
    if (!is_gated_ && line_.front()->is_done()) advance();
    return {};
}

void Inlets::disconnect() {
    limit_->cancel();
    while (!line_.empty()) retire_first();
    is_gated_ = false;
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
    if (&from == line_.front().get() && !is_gated_) {
        // The samples of the next reader start here, so this one has delivered all earlier ones.
        if (is_switching() && !line_[1]->held.empty() && sample.stamp() >= line_[1]->held.front().stamp())
            return advance();
        return deliver(from, sample);
    }
    // The next reader delivers everything from its first sample on if that was delivered already.
    const bool is_next = is_switching() && !is_gated_ && &from == line_[1].get();
    if (is_next && from.held.empty() && delivered_ && is_twin(sample, *delivered_)) return advance();
    from.held.push_back(sample);
    if (from.held.size() <= limits_.max_held) return;
    if (is_gated_)
        open();
    else
        advance();
}

void Inlets::on_writer_gone(Inlet& from) {
    retired_.clear();
    if (is_switching() && !is_gated_ && &from == line_.front().get() && from.is_done()) advance();
}

bool Inlets::is_twin(const Sample& sample, WallTime delivered) const {
    // Much older stamps come from a different clock and are not duplicates.
    return sample.stamp() <= delivered && delivered - sample.stamp() <= limits_.switch_limit;
}

void Inlets::deliver(Inlet& from, const Sample& sample) {
    if (skip_until_ && is_twin(sample, *skip_until_)) return;
    skip_until_.reset();
    delivered_ = sample.stamp();
    const auto delivered = from.sink->deliver(sample);
    ++(delivered ? count_.delivered : count_.malformed);
}

void Inlets::advance() {
    retire_first();
    skip_until_ = delivered_;
    if (!gate_) return release();
    is_gated_ = true;
    if (gate_()) open();
}

void Inlets::open() {
    if (!std::exchange(is_gated_, false)) return;
    release();
}

void Inlets::release() {
    if (line_.empty()) return;
    Inlet* const first = line_.front().get();
    const auto is_first = [&] { return !is_gated_ && !line_.empty() && line_.front().get() == first; };
    while (is_first() && !first->held.empty()) {
        const Sample sample = std::move(first->held.front());
        first->held.pop_front();
        deliver(*first, sample);
    }
    if (!is_busy()) {
        limit_->cancel();
        if (on_complete_) on_complete_();
    } else if (is_first() && first->is_done()) {
        advance();
    }
}

}  // namespace caribou::negotiation
