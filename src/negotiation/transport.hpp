#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "negotiation/sample.hpp"

namespace caribou::negotiation {

enum class Reliability { best_effort, reliable };

enum class Durability {
    volatile_,        ///< late joiners receive only later samples
    transient_local,  ///< the writer keeps its latest samples for late joiners
};

/// What happens to samples for a reader that does not keep up.
enum class History {
    keep_last,  ///< beyond `depth` it loses the oldest ones; other readers are not affected
    keep_all,   ///< none is lost: the writer refuses further samples, which affects all readers
};

/// The quality of service that a writer offers or a reader requests. They match if the writer offers at least
/// what the reader requests: `reliable` is more than `best_effort`, `transient_local` more than `volatile_`.
struct TopicQos {
    Reliability reliability = Reliability::reliable;
    Durability durability = Durability::volatile_;
    /// Number of samples that a writer keeps, at least one: for late joiners if it is transient-local, and on
    /// DDS for each reader that does not keep up. The other transports have queues of their own.
    std::size_t depth = 10;
    History history = History::keep_last;

    friend bool operator==(const TopicQos&, const TopicQos&) = default;
};

/// Writers and readers match only if both strings are equal.
struct Topic {
    std::string name;  ///< resolved: `/scan`, `/scan/_supported_types`
    std::string type;  ///< such as `sensor_msgs/msg/LaserScan`

    friend auto operator<=>(const Topic&, const Topic&) = default;
};

/// Identifies a writer or reader; unique during the lifetime of the transport. On DDS, the GUID.
struct PeerId {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend auto operator<=>(const PeerId&, const PeerId&) = default;
};

std::string to_string(const PeerId& id);

/// Returns an error if any transport would refuse the topic: it needs a name and a type of limited length,
/// without blanks or wildcard characters in the name, and a depth of at least one.
Result<void> check_topic(const Topic& topic, const TopicQos& qos);

/// Returns whether the writer offers at least what the reader requests.
inline bool suits(const TopicQos& writer, const TopicQos& reader) {
    return writer.reliability >= reader.reliability && writer.durability >= reader.durability;
}

struct Peer {
    PeerId id;
    std::string name;  ///< for people: the client of the bus, or the process; not necessarily unique

    friend auto operator<=>(const Peer&, const Peer&) = default;
};

/// Receives the events of a reader. Every call comes from the loop, never from within a call to the transport
/// or an object it created, and may destroy any reader and any writer.
class ReaderEvents {
public:
    /// Called as soon as the writer is known, and before its first sample.
    virtual void on_writer_joined(const Peer& writer) { static_cast<void>(writer); }
    /// Called for the samples of a writer in the order in which they were written, once for each.
    virtual void on_sample(const Peer& writer, const Sample& sample) = 0;
    /// Called when the writer was destroyed, or its process ended or became unreachable. All of its samples
    /// that arrive are delivered before; none is delivered after. A writer that returns joins under a new id.
    virtual void on_writer_gone(const Peer& writer) { static_cast<void>(writer); }

protected:
    ~ReaderEvents() = default;
};

/// Receives the events of a writer. The same rules apply as for ReaderEvents.
class WriterEvents {
public:
    /// Called when a reader was matched. It receives all samples written from now on.
    virtual void on_reader_joined(const Peer& reader) { static_cast<void>(reader); }
    virtual void on_reader_gone(const Peer& reader) { static_cast<void>(reader); }

protected:
    ~WriterEvents() = default;
};

/// Destroying it removes it from the topic; its readers are notified that it is gone.
class Writer {
public:
    virtual ~Writer() = default;
    /// Sends a sample to every reader that has joined; having none is not an error. Fails with limit_exceeded
    /// if a queue on the way is full.
    virtual Result<void> write(const Sample& sample) = 0;
};

/// Destroying it removes it from the topic; no event follows.
class Reader {
public:
    virtual ~Reader() = default;
};

/// Options of one type of a negotiated topic.
struct TypeOptions {
    /// Called with the number of peers at the other end of the type's data, its readers or its writers,
    /// whenever it changes. Not called when this end disconnects.
    std::function<void(std::size_t peers)> on_matched{};
};

/// Carries the topics of a negotiation: within the process (in_process_transport.hpp), over the bus
/// (bus_transport.hpp), or over DDS (platform). Must be used on one loop only, and must outlive the objects
/// it creates. Every implementation must pass the suite in transport_contract.hpp.
class Transport {
public:
    virtual ~Transport() = default;
    /// Creates a writer. `events` must outlive it. Fails with invalid_argument if the topic's name or type is
    /// empty or cannot be carried, and with limit_exceeded if there are too many.
    virtual Result<std::unique_ptr<Writer>> advertise(const Topic& topic, const TopicQos& qos,
                                                      WriterEvents& events) = 0;
    /// Creates a reader. `events` must outlive it. A transient-local reader receives the samples that
    /// transient-local writers have kept, oldest first, when it joins. Fails as advertise() does.
    virtual Result<std::unique_ptr<Reader>> subscribe(const Topic& topic, const TopicQos& qos,
                                                      ReaderEvents& events) = 0;
};

}  // namespace caribou::negotiation
