#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bus/client.hpp"
#include "negotiation/bus_note.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// A writer of this process.
struct BusWriterEnd {
    PeerId id;
    Topic topic;
    TopicQos qos;
    WriterEvents* events;  ///< null: it is gone
    std::size_t number;    ///< the lowest that is free on the topic, so that variables are used again
    std::string variable;  ///< of its samples
    std::string ear;       ///< the variable on which readers speak to it
    std::uint64_t sequence = 0;
    std::deque<std::pair<std::uint64_t, Sample>> kept{};
    std::map<PeerId, Peer> readers{};
};

/// A reader of this process.
struct BusReaderEnd {
    PeerId id;
    Topic topic;
    TopicQos qos;
    ReaderEvents* events;
    /// The writers that it hears; their latest sequence number.
    struct Heard {
        Peer peer;
        std::uint64_t sequence;
    };
    std::map<PeerId, Heard> writers{};
};

/// Both ends of topics, and the client that joins them to those of others.
class BusEnds {
public:
    BusEnds(Loop& loop, Network& network, bus::ClientOptions options);
    ~BusEnds();

    Result<void> start() { return client_.start(); }
    void stop() { client_.stop(); }
    bool connected() const { return client_.connected(); }

    Result<std::shared_ptr<BusWriterEnd>> add_writer(const Topic& topic, const TopicQos& qos,
                                                     WriterEvents& events);
    Result<std::shared_ptr<BusReaderEnd>> add_reader(const Topic& topic, const TopicQos& qos,
                                                     ReaderEvents& events);
    void remove(const std::shared_ptr<BusWriterEnd>& writer);
    void remove(const std::shared_ptr<BusReaderEnd>& reader);
    Result<void> write(BusWriterEnd& writer, const Sample& sample);

private:
    /// A writer of which something was heard: of this process or another.
    struct Known {
        WriterNote note;  ///< the latest
        std::string client;
        std::string ear;
    };

    PeerId next_id() { return {incarnation_, ++ids_}; }
    std::size_t free_number(const Topic& topic) const;

    void on_connected();
    void on_disconnected();
    void on_mail(const wire::MessageView& message);
    void on_writer(const std::string& topic, const wire::MessageView& message);
    void on_reader(const wire::MessageView& message);
    void on_clients(std::string_view names);
    void lose_client(std::string_view client);
    template <class Lost>
    void lose(Lost is_lost);

    bool tell(const BusWriterEnd& writer, WriterNote::Kind kind, std::uint64_t sequence, const Sample* sample,
              const PeerId* reader);
    void ask(const BusReaderEnd& reader, const Known& writer, ReaderNote::Kind kind);
    void hear(BusReaderEnd& reader, const Known& writer, const wire::MessageView& message);
    void welcome(BusWriterEnd& writer, const Peer& reader, const ReaderNote& note);

    Loop& loop_;
    bus::Client client_;
    std::uint64_t incarnation_ = 0;  ///< changes with every connection: who is back is somebody new
    std::uint64_t connections_ = 0;
    std::uint64_t ids_ = 0;
    std::map<std::string, std::vector<std::shared_ptr<BusWriterEnd>>> writers_;  ///< by topic's name
    std::map<std::string, std::vector<std::shared_ptr<BusReaderEnd>>> readers_;
    std::map<std::string, std::map<std::string, Known>> known_;  ///< by topic's name and variable
};

}  // namespace caribou::negotiation
