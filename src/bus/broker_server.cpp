#include "bus/broker_server.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace caribou::bus {
namespace {

/// A stopping server must have been idle for this long: longer than a TCP handshake takes on a local network.
constexpr Duration stop_quiet_time = std::chrono::milliseconds(20);
constexpr Duration stop_check_period = std::chrono::milliseconds(5);

}  // namespace

/// One accepted stream.
class BrokerServer::Session final : public StreamEvents {
public:
    Session(BrokerServer& server, std::unique_ptr<Stream> accepted, ConnectionId connection)
        : id(connection), stream(std::move(accepted)), server_(server) {
        stream->attach(*this);
    }
    void on_readable() override { server_.on_readable(*this); }
    void on_writable() override { server_.on_writable(*this); }

    const ConnectionId id;
    std::unique_ptr<Stream> stream;

private:
    BrokerServer& server_;
};

BrokerServer::BrokerServer(Loop& loop, Network& network, Options options, Log& log)
    : loop_(loop),
      network_(network),
      log_(log),
      warp_factor_(options.warp.factor),
      warped_(loop.clock(), options.warp),
      broker_(
          [&] {
              options.broker.warp_factor = options.warp.factor;
              return std::move(options.broker);
          }(),
          log, moment()),
      timer_(loop.make_timer([this] {
          wake_ = Instant::max();
          if (holding())
              held_tick_ = true;
          else
              tick();
      })),
      scratch_(read_size) {
    arm_timer(moment());
}

BrokerServer::~BrokerServer() { listeners_.clear(); }

void BrokerServer::stop(Task on_stopped) {
    for (const auto& listener : listeners_) listener->begin_close();
    on_stopped_ = std::move(on_stopped);
    const Instant now = loop_.clock().now();
    stop_deadline_ = now + broker_.limits().stop_grace;
    quiet_since_ = now;
    stop_check_ = loop_.make_timer([this] { check_stopped(); });
    stop_check_->arm(now);
}

bool BrokerServer::is_quiet() const {
    return !end_scheduled_ && !holding() && broker_.handshake_count() == 0 &&
           std::ranges::none_of(listeners_, [](const auto& listener) { return listener->has_pending(); });
}

void BrokerServer::check_stopped() {
    const Instant now = loop_.clock().now();
    if (!is_quiet()) quiet_since_ = now;
    if (now >= stop_deadline_ || now - quiet_since_ >= stop_quiet_time) return on_stopped_();
    stop_check_->arm(now + stop_check_period);
}

Moment BrokerServer::moment() const {
    const WarpedClock::Reading reading = warped_.read();
    return {reading.below, reading.now, reading.unix_seconds};
}

const Moment& BrokerServer::present() {
    if (!present_) present_ = moment();
    return *present_;
}

Result<Address> BrokerServer::listen(const Address& at, Network& network) {
    auto listener = network.listen(at, [this](std::unique_ptr<Stream> stream) { accept(std::move(stream)); });
    if (!listener) return fail(std::move(listener.error()));
    listeners_.push_back(std::move(*listener));
    return listeners_.back()->address();
}

void BrokerServer::keep_values(JournalWriter& writer, const JournalOptions& options,
                               const wire::JournalContents& kept) {
    journal_ = std::make_unique<Journal>(loop_, writer, options, log_, [this](std::string_view text) {
        broker_.notice(text, present());
        schedule_end_of_turn();
    });
    journal_->attach(broker_.exchange(), kept);
    journal_->on_settled([this] { on_settled(); });
}

Result<void> BrokerServer::poke(std::string_view source, const wire::MessageView& value) {
    schedule_end_of_turn();
    return broker_.poke(source, value, present());
}

void BrokerServer::watch(Member& reader, std::span<const std::string> patterns) {
    schedule_end_of_turn();
    broker_.exchange().join(reader);
    for (const std::string& pattern : patterns)
        // Without an interval, a subscription of a reader that is new cannot fail.
        (void)broker_.exchange().subscribe_wildcard(reader, {.app_pattern = "*", .var_pattern = pattern},
                                                    present());
}

void BrokerServer::tick() {
    present_.reset();
    broker_.tick(present());
    end_turn();
}

void BrokerServer::on_settled() {
    journal_->commit();
    if (holding()) return;
    const auto find = [this](ConnectionId id) {
        const auto found = sessions_.find(id);
        return found == sessions_.end() ? nullptr : found->second.get();
    };
    for (const ConnectionId id : std::exchange(held_readable_, {}))
        if (Session* session = find(id)) session->stream->set_reading(true);
    for (const ConnectionId id : std::exchange(held_writable_, {}))
        if (Session* session = find(id)) flush(*session, present());
    if (std::exchange(held_tick_, false))
        tick();
    else
        end_turn();
}

void BrokerServer::accept(std::unique_ptr<Stream> stream) {
    const auto id = broker_.connect(stream->peer(), moment());
    if (!id) {
        log_.warning(fmt::format("connection {} is refused: {}", stream->peer(), id.error().message));
        return;
    }
    sessions_.emplace(*id, std::make_unique<Session>(*this, std::move(stream), *id));
}

void BrokerServer::on_readable(Session& session) {
    if (holding()) {
        session.stream->set_reading(false);
        held_readable_.push_back(session.id);
        return;
    }
    const auto size = session.stream->read(scratch_);
    if (!size) {
        broker_.disconnect(session.id, size.error().message, present());
        sessions_.erase(session.id);
    } else if (*size > 0) {
        broker_.receive(session.id, ByteView(scratch_).first(*size), present());
        if (broker_.is_waiting(session.id)) {
            session.stream->set_reading(false);
            waiting_.push_back(session.id);
        }
    }
    schedule_end_of_turn();
}

void BrokerServer::on_writable(Session& session) {
    if (holding()) {
        held_writable_.push_back(session.id);
        return;
    }
    flush(session, present());
    schedule_end_of_turn();
}

void BrokerServer::schedule_end_of_turn() {
    if (std::exchange(end_scheduled_, true)) return;
    loop_.post([this] {
        end_scheduled_ = false;
        end_turn();
    });
}

void BrokerServer::end_turn() {
    const Moment at = present();
    present_.reset();
    if (journal_) journal_->commit();
    if (holding()) return;
    broker_.take_ready(ready_, at);
    for (const ConnectionId id : ready_)
        if (const auto found = sessions_.find(id); found != sessions_.end()) flush(*found->second, at);
    for (const Broker::Closed& closed : broker_.take_closed()) sessions_.erase(closed.id);
    std::erase_if(waiting_, [this](ConnectionId id) {
        if (broker_.is_waiting(id)) return false;
        if (const auto found = sessions_.find(id); found != sessions_.end())
            found->second->stream->set_reading(true);
        return true;
    });
    if (broker_.has_work()) schedule_end_of_turn();
    arm_timer(at);
}

void BrokerServer::flush(Session& session, const Moment& at) {
    while (const std::size_t count = broker_.gather(session.id, pieces_, at)) {
        const auto offer = std::span<const ByteView>(pieces_).first(count);
        const auto taken = session.stream->write(offer);
        // A lost connection is also reported to the reader, which handles it.
        if (!taken) return;
        if (!broker_.sent(session.id, *taken, at)) return;
        const auto offered = std::accumulate(offer.begin(), offer.end(), 0uz,
                                             [](std::size_t sum, ByteView p) { return sum + p.size(); });
        if (*taken < offered) return;  // continued in on_writable
    }
}

void BrokerServer::arm_timer(const Moment& at) {
    // Re-arming the timer at every turn would be expensive, and firing early is harmless.
    constexpr Duration slack = std::chrono::microseconds(10);
    const Instant wake = broker_.next_wake(at);
    if (wake + slack >= wake_) return;
    wake_ = wake;
    timer_->arm(wake);
}

}  // namespace caribou::bus
