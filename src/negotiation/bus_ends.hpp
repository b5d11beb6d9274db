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

/// A writer in this process.
struct BusWriterEnd {
    PeerId id;
    Topic topic;
    TopicQos qos;
    WriterEvents* events;  ///< null once the writer has been removed
    std::size_t number;    ///< lowest free number on the topic, so that variables are reused
    std::string variable;  ///< variable that carries its samples
    std::string ear;       ///< variable on which readers send notes to this writer
    std::uint64_t sequence = 0;
    std::deque<std::pair<std::uint64_t, Sample>> kept{};
    std::map<PeerId, Peer> readers{};
};

/// A reader in this process.
struct BusReaderEnd {
    PeerId id;
    Topic topic;
    TopicQos qos;
    ReaderEvents* events;
    /// A matched writer and the sequence number of the last sample received from it.
    struct Heard {
        Peer peer;
        std::uint64_t sequence;
    };
    std::map<PeerId, Heard> writers{};
};

/// The writers and readers of this process, and the bus client that connects them to those of other
/// processes.
class BusEnds {
public:
    BusEnds(Loop& loop, Network& network, bus::ClientOptions options);
    ~BusEnds();

    Result<void> start() { return client_.start(); }
    void stop() { client_.stop(); }
    bool connected() const { return client_.connected(); }

    /// Adds an end of `topic`, which must be valid (see check_topic()). Fails if the client cannot register
    /// the variable. `events` must stay valid until the end is removed.
    Result<std::shared_ptr<BusWriterEnd>> add_writer(const Topic& topic, const TopicQos& qos,
                                                     WriterEvents& events);
    Result<std::shared_ptr<BusReaderEnd>> add_reader(const Topic& topic, const TopicQos& qos,
                                                     ReaderEvents& events);
    /// Removes an end and announces that to its peers. No event is delivered to it afterwards.
    void remove(const std::shared_ptr<BusWriterEnd>& writer);
    void remove(const std::shared_ptr<BusReaderEnd>& reader);
    /// Sends a sample to all matched readers. Fails with limit_exceeded if the client's outgoing queue is
    /// full.
    Result<void> write(BusWriterEnd& writer, const Sample& sample);

private:
    /// A writer, in this process or another, from which a note was received.
    struct Known {
        WriterNote note;  ///< most recent note
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
    std::uint64_t incarnation_ = 0;  ///< changes with every connection; a peer that returns gets a new id
    std::uint64_t connections_ = 0;
    std::uint64_t ids_ = 0;
    std::map<std::string, std::vector<std::shared_ptr<BusWriterEnd>>> writers_;  ///< by topic name
    std::map<std::string, std::vector<std::shared_ptr<BusReaderEnd>>> readers_;
    std::map<std::string, std::map<std::string, Known>> known_;  ///< by topic name and variable
};

}  // namespace caribou::negotiation
