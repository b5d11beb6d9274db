#include "negotiation/in_process_transport.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace caribou::negotiation {
namespace {

struct ReaderEnd {
    Peer self;
    TopicQos qos;
    ReaderEvents* events;  ///< null once the reader has been removed
};

struct WriterEnd {
    Peer self;
    TopicQos qos;
    WriterEvents* events;
    std::vector<std::shared_ptr<ReaderEnd>> readers{};
    std::deque<Sample> kept{};  ///< for late joiners
};

/// An event that has not been delivered yet.
struct News {
    enum class What { writer_joined, sample, writer_gone, reader_joined, reader_gone };

    What what;
    std::shared_ptr<WriterEnd> writer;
    std::shared_ptr<ReaderEnd> reader;
    std::optional<Sample> sample{};
};

void tell(const News& news) {
    using enum News::What;
    ReaderEvents* const reader = news.reader->events;
    WriterEvents* const writer = news.writer->events;
    switch (news.what) {
        case writer_joined: return reader ? reader->on_writer_joined(news.writer->self) : void();
        case sample: return reader ? reader->on_sample(news.writer->self, *news.sample) : void();
        case writer_gone: return reader ? reader->on_writer_gone(news.writer->self) : void();
        case reader_joined: return writer ? writer->on_reader_joined(news.reader->self) : void();
        case reader_gone: return writer ? writer->on_reader_gone(news.reader->self) : void();
    }
}

}  // namespace

class InProcessTransport::State : public std::enable_shared_from_this<State> {
public:
    explicit State(Loop& loop) : loop_(loop) {}

    std::shared_ptr<WriterEnd> add_writer(const Topic& topic, const TopicQos& qos, WriterEvents& events) {
        auto writer = std::make_shared<WriterEnd>(WriterEnd{next_peer("writer"), qos, &events});
        Ends& ends = topics_[topic];
        ends.writers.push_back(writer);
        for (const auto& reader : ends.readers) match(writer, reader);
        return writer;
    }

    /// Generates a name if `name` is empty.
    std::shared_ptr<ReaderEnd> add_reader(std::string name, const Topic& topic, const TopicQos& qos,
                                          ReaderEvents& events) {
        Peer self = next_peer("reader");
        if (!name.empty()) self.name = std::move(name);
        auto reader = std::make_shared<ReaderEnd>(ReaderEnd{std::move(self), qos, &events});
        Ends& ends = topics_[topic];
        ends.readers.push_back(reader);
        for (const auto& writer : ends.writers) match(writer, reader);
        return reader;
    }

    void remove(const Topic& topic, const std::shared_ptr<WriterEnd>& writer) {
        writer->events = nullptr;
        for (const auto& reader : writer->readers) add({News::What::writer_gone, writer, reader});
        std::erase(topics_[topic].writers, writer);
        forget_if_empty(topic);
    }

    void remove(const Topic& topic, const std::shared_ptr<ReaderEnd>& reader) {
        reader->events = nullptr;
        for (const auto& writer : topics_[topic].writers)
            if (std::erase(writer->readers, reader) > 0) add({News::What::reader_gone, writer, reader});
        std::erase(topics_[topic].readers, reader);
        forget_if_empty(topic);
    }

    Result<void> write(const std::shared_ptr<WriterEnd>& writer, const Sample& sample) {
        if (news_.size() + writer->readers.size() > max_undelivered)
            return fail(Code::limit_exceeded,
                        limit_reached("max_undelivered", news_.size() + writer->readers.size(),
                                      max_undelivered, "samples"));
        if (writer->qos.durability == Durability::transient_local) {
            if (writer->kept.size() >= writer->qos.depth) writer->kept.pop_front();
            writer->kept.push_back(sample);
        }
        for (const auto& reader : writer->readers) add({News::What::sample, writer, reader, sample});
        return {};
    }

private:
    struct Ends {
        std::vector<std::shared_ptr<WriterEnd>> writers;
        std::vector<std::shared_ptr<ReaderEnd>> readers;
    };

    Peer next_peer(std::string_view kind) {
        ++peers_;
        return {{0, peers_}, fmt::format("{} {} in this process", kind, peers_)};
    }

    void match(const std::shared_ptr<WriterEnd>& writer, const std::shared_ptr<ReaderEnd>& reader) {
        if (!suits(writer->qos, reader->qos)) return;
        writer->readers.push_back(reader);
        add({News::What::writer_joined, writer, reader});
        add({News::What::reader_joined, writer, reader});
        if (reader->qos.durability == Durability::transient_local)
            for (const Sample& sample : writer->kept) add({News::What::sample, writer, reader, sample});
    }

    void forget_if_empty(const Topic& topic) {
        const auto found = topics_.find(topic);
        if (found->second.writers.empty() && found->second.readers.empty()) topics_.erase(found);
    }

    void add(News news) {
        if (news_.empty())
            loop_.post([weak = weak_from_this()] {
                if (const auto self = weak.lock()) self->deliver();
            });
        news_.push_back(std::move(news));
    }

    /// Delivers all pending events. Events added meanwhile are delivered in the next iteration of the loop.
    void deliver() {
        const auto self = shared_from_this();  // callbacks may destroy the transport
        telling_.swap(news_);
        for (const News& news : telling_) tell(news);
        telling_.clear();
    }

    Loop& loop_;
    std::map<Topic, Ends> topics_;
    std::vector<News> news_;
    std::vector<News> telling_;  ///< a member to reuse its memory
    std::uint64_t peers_ = 0;
};

namespace {

/// Removes its end from the topic when it is destroyed.
template <class State, class End, class Base>
class Held : public Base {
public:
    Held(std::shared_ptr<State> state, Topic topic, std::shared_ptr<End> end)
        : state_(std::move(state)), topic_(std::move(topic)), end_(std::move(end)) {}
    ~Held() override { state_->remove(topic_, end_); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

protected:
    std::shared_ptr<State> state_;
    Topic topic_;
    std::shared_ptr<End> end_;
};

template <class State>
class HeldWriter final : public Held<State, WriterEnd, Writer> {
public:
    using Held<State, WriterEnd, Writer>::Held;
    Result<void> write(const Sample& sample) override { return this->state_->write(this->end_, sample); }
};

template <class State>
class HeldReader final : public Held<State, ReaderEnd, Reader> {
public:
    using Held<State, ReaderEnd, Reader>::Held;
};

}  // namespace

InProcessTransport::InProcessTransport(Loop& loop) : state_(std::make_shared<State>(loop)) {}
InProcessTransport::~InProcessTransport() = default;

Result<std::unique_ptr<Writer>> InProcessTransport::advertise(const Topic& topic, const TopicQos& qos,
                                                              WriterEvents& events) {
    if (auto checked = check_topic(topic, qos); !checked) return fail(std::move(checked.error()));
    return std::make_unique<HeldWriter<State>>(state_, topic, state_->add_writer(topic, qos, events));
}

Result<std::unique_ptr<Reader>> InProcessTransport::subscribe(const Topic& topic, const TopicQos& qos,
                                                              ReaderEvents& events) {
    return subscribe_for({}, topic, qos, events);
}

Result<std::unique_ptr<Reader>> InProcessTransport::subscribe_for(std::string name, const Topic& topic,
                                                                  const TopicQos& qos, ReaderEvents& events) {
    if (auto checked = check_topic(topic, qos); !checked) return fail(std::move(checked.error()));
    return std::make_unique<HeldReader<State>>(state_, topic,
                                               state_->add_reader(std::move(name), topic, qos, events));
}

}  // namespace caribou::negotiation
