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
    volatile_,        ///< who comes later hears only what is written later
    transient_local,  ///< the writer keeps its latest samples for those who come later
};

/// What a writer offers, or a reader asks for. They are matched if the writer offers no less than the
/// reader asks for: `reliable` is more than `best_effort`, `transient_local` more than `volatile_`.
struct TopicQos {
    Reliability reliability = Reliability::reliable;
    Durability durability = Durability::volatile_;
    std::size_t depth = 10;  ///< samples that a transient-local writer keeps, at least one

    friend bool operator==(const TopicQos&, const TopicQos&) = default;
};

/// Writers and readers are matched only if both strings are equal.
struct Topic {
    std::string name;  ///< as resolved: `/scan`, `/scan/_supported_types`
    std::string type;  ///< `sensor_msgs/msg/LaserScan`

    friend auto operator<=>(const Topic&, const Topic&) = default;
};

/// One writer or reader, unique while the transport lives. On DDS the GUID.
struct PeerId {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend auto operator<=>(const PeerId&, const PeerId&) = default;
};

std::string to_string(const PeerId& id);

/// What every transport asks of a topic: a name and a type, both of a bounded length and without blanks
/// or signs that patterns use, and a depth of at least one.
Result<void> check_topic(const Topic& topic, const TopicQos& qos);

/// Whether the writer offers no less than the reader asks for.
inline bool suits(const TopicQos& writer, const TopicQos& reader) {
    return writer.reliability >= reader.reliability && writer.durability >= reader.durability;
}

struct Peer {
    PeerId id;
    std::string name;  ///< for people: the client of the bus, the process; need not be unique

    friend auto operator<=>(const Peer&, const Peer&) = default;
};

/// Hears what comes to a reader. Every call comes from the loop, never from inside a call on the
/// transport or on what it made, and may destroy any reader and any writer.
class ReaderEvents {
public:
    /// Comes before the writer's first sample, and as soon as it is known that there is one.
    virtual void on_writer_joined(const Peer& writer) { static_cast<void>(writer); }
    /// The samples of one writer come in the order in which they were written; none comes twice.
    virtual void on_sample(const Peer& writer, const Sample& sample) = 0;
    /// It was destroyed, or its process ended or cannot be reached any more. What it wrote and what
    /// still arrives comes before; nothing of it comes after. If it is back, it joins as somebody new.
    virtual void on_writer_gone(const Peer& writer) { static_cast<void>(writer); }

protected:
    ~ReaderEvents() = default;
};

/// Hears who reads. The same rules as for ReaderEvents.
class WriterEvents {
public:
    /// From now on it hears what is written.
    virtual void on_reader_joined(const Peer& reader) { static_cast<void>(reader); }
    virtual void on_reader_gone(const Peer& reader) { static_cast<void>(reader); }

protected:
    ~WriterEvents() = default;
};

/// Destroying it takes it off the topic: its readers hear that it is gone.
class Writer {
public:
    virtual ~Writer() = default;
    /// Goes to every reader that has joined; without one it is not an error. Fails with
    /// limit_exceeded if a queue on the way is full.
    virtual Result<void> write(const Sample& sample) = 0;
};

/// Destroying it takes it off the topic; no event follows.
class Reader {
public:
    virtual ~Reader() = default;
};

/// What one type of a negotiated topic tells besides its messages.
struct TypeOptions {
    /// How many are at the other end of its data now: who read it, or who write it. Not told when this end
    /// lets go of it.
    std::function<void(std::size_t peers)> on_matched{};
};

/// Carries the topics of negotiation: within the process (in_process_transport.hpp), over the bus
/// (bus_transport.hpp), or over DDS (platform). Lives on one loop and outlives what it made. Whoever
/// implements one runs the suite in transport_contract.hpp over it.
class Transport {
public:
    virtual ~Transport() = default;
    /// `events` outlives the writer. Fails with invalid_argument if the topic's name or type is empty or
    /// cannot be carried, and with limit_exceeded if there are too many.
    virtual Result<std::unique_ptr<Writer>> advertise(const Topic& topic, const TopicQos& qos,
                                                      WriterEvents& events) = 0;
    /// `events` outlives the reader. A transient-local reader hears the samples that transient-local
    /// writers have kept, oldest first, when it joins.
    virtual Result<std::unique_ptr<Reader>> subscribe(const Topic& topic, const TopicQos& qos,
                                                      ReaderEvents& events) = 0;
};

}  // namespace caribou::negotiation
