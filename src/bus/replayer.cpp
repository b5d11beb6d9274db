#include "bus/replayer.hpp"

namespace caribou::bus {
namespace {

bool is_of_a_broker(const wire::AlogEntry& entry) {
    return entry.source.starts_with("MOOSDB_") && entry.variable.starts_with("DB_");
}

}  // namespace

Replayer::Replayer(Loop& loop, Client& client, std::string_view log, Options options, Wanted wanted,
                   Resolve resolve)
    : loop_(loop),
      client_(client),
      log_(log),
      options_(options),
      wanted_(std::move(wanted)),
      resolve_(std::move(resolve)),
      reader_(log),
      timer_(loop.make_timer([this] { go_on(); })) {}

Replayer::~Replayer() { client_.on_room({}); }

void Replayer::start(Task on_end) {
    on_end_ = std::move(on_end);
    client_.on_room([this] { timer_->arm(loop_.clock().now()); });
    begin_round();
    timer_->arm(began_);
}

void Replayer::begin_round() {
    reader_ = wire::AlogReader(log_);
    next_.reset();
    sent_before_round_ = progress_.sent;
    progress_.time = options_.from;
    began_ = loop_.clock().now();
}

Instant Replayer::due(double time) const {
    if (options_.speed <= 0) return began_;
    return began_ + from_seconds((time - options_.from) / options_.speed);
}

void Replayer::go_on() {
    // Limit per turn, so that the loop's other work is not delayed.
    constexpr int most_a_turn = 1000;
    const Instant now = loop_.clock().now();
    for (int i = 0; i < most_a_turn; ++i) {
        const Step done = step(now);
        if (done == Step::wait) return;
        if (done == Step::on) continue;
        progress_.rounds += 1;
        // A log without any value to send would loop for ever.
        if (!options_.loop || progress_.sent == sent_before_round_) return on_end_();
        begin_round();
    }
    timer_->arm(now);
}

Replayer::Step Replayer::step(Instant now) {
    if (!next_) next_ = reader_.next();
    if (!next_ || (options_.to && next_->time > *options_.to)) return Step::end;
    if (next_->time < options_.from || is_of_a_broker(*next_) || !wanted_(*next_)) {
        if (next_->time >= options_.from) progress_.left_out += 1;
        next_.reset();
        return Step::on;
    }
    if (const Instant at = due(next_->time); at > now) {
        timer_->arm(at);
        return Step::wait;
    }
    if (!send(*next_)) return Step::wait;  // until there is room
    progress_.time = next_->time;
    next_.reset();
    return Step::on;
}

bool Replayer::send(const wire::AlogEntry& entry) {
    const NotifyOptions with{.aux = entry.aux, .source = entry.source};
    if (entry.type == wire::DataType::number) {
        if (!client_.notify(entry.variable, entry.number, with)) return false;
        progress_.sent += 1;
        return true;
    }
    std::string_view bytes = entry.text;
    if (entry.reference) {
        const auto found = resolve_(*entry.reference);
        if (!found) {
            progress_.unreadable += 1;
            return true;
        }
        bytes = *found;
    }
    const auto pushed = entry.type == wire::DataType::binary
                            ? client_.notify(entry.variable, bytes_of(bytes), with)
                            : client_.notify(entry.variable, bytes, with);
    if (!pushed) return false;
    progress_.sent += 1;
    return true;
}

}  // namespace caribou::bus
