#include "negotiation/session_transport.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/session_message.hpp"

namespace caribou::negotiation {
namespace {

/// A local reader on behalf of a reader at the other end, to which its events are sent.
class FarReader final : public ReaderEvents {
public:
    FarReader(ReaderNumber number, SessionSender& sender, SessionStats& stats)
        : number_(number), sender_(sender), stats_(stats) {}

    Result<void> subscribe(InProcessTransport& transport, const ReaderUp& up, const std::string& end) {
        auto made =
            transport.subscribe_for(fmt::format("reader {} of {}", number_, end), up.topic, up.qos, *this);
        if (!made) return fail(std::move(made.error()));
        reader_ = std::move(*made);
        if (up.qos.reliability == Reliability::best_effort) kind_ = SessionSender::Kind::best_effort_sample;
        return {};
    }

private:
    void on_writer_joined(const Peer& writer) override {
        tell(WriterUp{number_, writer.id.low, writer.name});
    }
    void on_writer_gone(const Peer& writer) override { tell(WriterDown{number_, writer.id.low}); }
    void on_sample(const Peer& writer, const Sample& sample) override {
        const auto stamp =
            std::chrono::floor<std::chrono::microseconds>(sample.stamp()).time_since_epoch().count();
        const Bytes message = encode(Written{number_, writer.id.low, stamp, sample.bytes()});
        ++(sender_.send(kind_, message) ? stats_.sent : stats_.dropped);
    }
    void tell(const SessionMessage& message) { sender_.send(SessionSender::Kind::control, encode(message)); }

    ReaderNumber number_;
    SessionSender& sender_;
    SessionStats& stats_;
    SessionSender::Kind kind_ = SessionSender::Kind::sample;
    std::unique_ptr<Reader> reader_;
};

/// A reader in this process. It receives from local writers through the in-process transport.
struct NearReader {
    Topic topic;
    TopicQos qos;
    ReaderEvents* events;
};

struct SessionCore {
    SessionCore(std::uint64_t its_number, std::string its_name, SessionSender& its_sender)
        : number(its_number), name(std::move(its_name)), sender(its_sender) {}

    Peer peer(WriterNumber writer, std::string_view writer_name = {}) const {
        return {{number, writer}, fmt::format("{} of {}", writer_name, name)};
    }
    void tell(const SessionMessage& message) const {
        sender.send(SessionSender::Kind::control, encode(message));
    }

    const std::uint64_t number;  ///< never reused, so that a peer that returns gets a new id
    const std::string name;
    SessionSender& sender;
    std::map<ReaderNumber, FarReader> far_readers{};
    /// Writers that local readers have been notified of.
    std::map<std::pair<ReaderNumber, WriterNumber>, Peer> writers{};
};

}  // namespace

class SessionTransport::State : public std::enable_shared_from_this<State> {
public:
    explicit State(Loop& loop) : loop_(loop), within_(loop) {}

    InProcessTransport& within() { return within_; }
    const SessionStats& stats() const { return stats_; }

    std::shared_ptr<SessionCore> join(std::string name, SessionSender& sender) {
        auto session = std::make_shared<SessionCore>(++sessions_ever_, std::move(name), sender);
        sessions_.push_back(session);
        for (const auto& [number, reader] : readers_)
            session->tell(ReaderUp{number, reader.topic, reader.qos});
        return session;
    }

    void leave(const std::shared_ptr<SessionCore>& session) {
        std::erase(sessions_, session);
        session->far_readers.clear();
        loop_.post([weak = weak_from_this(), writers = std::move(session->writers)] {
            for (const auto& [key, writer] : writers) {
                const auto self = weak.lock();
                if (!self) return;
                if (ReaderEvents* const events = self->events_of(key.first)) events->on_writer_gone(writer);
            }
        });
    }

    ReaderNumber add_reader(const Topic& topic, const TopicQos& qos, ReaderEvents& events) {
        const ReaderNumber number = ++readers_ever_;
        readers_.emplace(number, NearReader{topic, qos, &events});
        for (const auto& session : sessions_) session->tell(ReaderUp{number, topic, qos});
        return number;
    }

    void remove_reader(ReaderNumber number) {
        readers_.erase(number);
        for (const auto& session : sessions_) {
            std::erase_if(session->writers, [&](const auto& known) { return known.first.first == number; });
            session->tell(ReaderDown{number});
        }
    }

    Result<void> take(SessionCore& session, const ReaderUp& up) {
        if (session.far_readers.size() >= max_readers)
            return fail(Code::limit_exceeded,
                        limit_reached("max_readers", session.far_readers.size() + 1, max_readers, "readers"));
        const auto [reader, is_new] =
            session.far_readers.try_emplace(up.reader, up.reader, session.sender, stats_);
        if (!is_new) return fail(Code::malformed, fmt::format("reader {} is there already", up.reader));
        return reader->second.subscribe(within_, up, session.name);
    }
    Result<void> take(SessionCore& session, const ReaderDown& down) {
        if (session.far_readers.erase(down.reader) == 0)
            return fail(Code::malformed, fmt::format("there is no reader {}", down.reader));
        return {};
    }
    // Messages about a reader that no longer exists were in transit when it was removed; they are ignored.
    Result<void> take(SessionCore& session, const WriterUp& up) {
        ReaderEvents* const events = events_of(up.reader);
        if (events == nullptr) return {};
        const auto [known, is_new] =
            session.writers.try_emplace({up.reader, up.writer}, session.peer(up.writer, up.name));
        if (!is_new) return fail(Code::malformed, fmt::format("writer {} is there already", up.writer));
        events->on_writer_joined(Peer(known->second));
        return {};
    }
    Result<void> take(SessionCore& session, const WriterDown& down) {
        ReaderEvents* const events = events_of(down.reader);
        if (events == nullptr) return {};
        const auto known = session.writers.extract({down.reader, down.writer});
        if (known.empty()) return fail(Code::malformed, fmt::format("there is no writer {}", down.writer));
        events->on_writer_gone(known.mapped());
        return {};
    }
    Result<void> take(SessionCore& session, const Written& written) {
        ReaderEvents* const events = events_of(written.reader);
        if (events == nullptr) return {};
        const auto known = session.writers.find({written.reader, written.writer});
        if (known == session.writers.end())
            return fail(Code::malformed, fmt::format("there is no writer {}", written.writer));
        ++stats_.received;
        const WallTime stamp{std::chrono::microseconds(written.stamp)};
        events->on_sample(
            Peer(known->second),
            {std::make_shared<const Bytes>(written.sample.begin(), written.sample.end()), stamp});
        return {};
    }

private:
    /// Returns null if the reader no longer exists.
    ReaderEvents* events_of(ReaderNumber number) const {
        const auto found = readers_.find(number);
        return found == readers_.end() ? nullptr : found->second.events;
    }

    Loop& loop_;
    InProcessTransport within_;
    SessionStats stats_;
    std::map<ReaderNumber, NearReader> readers_;
    std::vector<std::shared_ptr<SessionCore>> sessions_;
    ReaderNumber readers_ever_ = 0;
    std::uint64_t sessions_ever_ = 0;
};

namespace {

template <class State>
class HeldReader final : public Reader {
public:
    HeldReader(std::shared_ptr<State> state, ReaderNumber number, std::unique_ptr<Reader> within)
        : state_(std::move(state)), number_(number), within_(std::move(within)) {}
    ~HeldReader() override { state_->remove_reader(number_); }
    HeldReader(const HeldReader&) = delete;
    HeldReader& operator=(const HeldReader&) = delete;

private:
    std::shared_ptr<State> state_;
    ReaderNumber number_;
    std::unique_ptr<Reader> within_;
};

template <class State>
class Session final : public TopicSession {
public:
    Session(std::shared_ptr<State> state, std::shared_ptr<SessionCore> core)
        : state_(std::move(state)), core_(std::move(core)) {}
    ~Session() override { state_->leave(core_); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Result<void> receive(ByteView bytes) override {
        const auto message = decode_session_message(bytes);
        if (!message) return fail(message.error());
        // The copies keep both alive, because a callback may end the session.
        return std::visit(
            [state = state_, core = core_](const auto& said) { return state->take(*core, said); }, *message);
    }

private:
    std::shared_ptr<State> state_;
    std::shared_ptr<SessionCore> core_;
};

}  // namespace

SessionTransport::SessionTransport(Loop& loop) : state_(std::make_shared<State>(loop)) {}
SessionTransport::~SessionTransport() = default;

std::unique_ptr<TopicSession> SessionTransport::join(std::string name, SessionSender& sender) {
    return std::make_unique<Session<State>>(state_, state_->join(std::move(name), sender));
}

const SessionStats& SessionTransport::stats() const { return state_->stats(); }

Result<std::unique_ptr<Writer>> SessionTransport::advertise(const Topic& topic, const TopicQos& qos,
                                                            WriterEvents& events) {
    return state_->within().advertise(topic, qos, events);
}

Result<std::unique_ptr<Reader>> SessionTransport::subscribe(const Topic& topic, const TopicQos& qos,
                                                            ReaderEvents& events) {
    auto within = state_->within().subscribe(topic, qos, events);
    if (!within) return within;
    const ReaderNumber number = state_->add_reader(topic, qos, events);
    return std::make_unique<HeldReader<State>>(state_, number, std::move(*within));
}

}  // namespace caribou::negotiation
