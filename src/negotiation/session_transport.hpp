#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "loop/loop.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// Takes messages to the other end of a session, each whole and in order.
class SessionSender {
public:
    enum class Kind : std::uint8_t {
        control,  ///< has to be taken, or the session has to end
        sample,   ///< may be turned away if there is no room: it is lost, and counted
    };
    virtual bool send(Kind kind, ByteView message) = 0;

protected:
    ~SessionSender() = default;
};

/// Samples, over all sessions that there were.
struct SessionStats {
    std::uint64_t sent = 0;
    std::uint64_t dropped = 0;
    std::uint64_t received = 0;
};

/// One end of a session. Destroying it ends it: writers of the other end are gone for readers here.
class TopicSession {
public:
    virtual ~TopicSession() = default;
    /// A message that the other end has sent; comes from the loop. After an error the session has to
    /// end: the other end does not keep to docs/formats/topic-session.md.
    virtual Result<void> receive(ByteView message) = 0;
};

/// Carries topics within the process, and over the sessions that it has with other ends. A reader here
/// hears the writers at every other end; nothing is passed on from one end to another. A robot has one
/// session, a station one with each robot.
class SessionTransport final : public Transport {
public:
    /// The loop outlives the transport.
    explicit SessionTransport(Loop& loop);
    ~SessionTransport() override;

    /// `name` is that of the other end, for people. The sender outlives the session.
    std::unique_ptr<TopicSession> join(std::string name, SessionSender& sender);

    Result<std::unique_ptr<Writer>> advertise(const Topic& topic, const TopicQos& qos,
                                              WriterEvents& events) override;
    Result<std::unique_ptr<Reader>> subscribe(const Topic& topic, const TopicQos& qos,
                                              ReaderEvents& events) override;

    const SessionStats& stats() const;

    /// Readers that one other end may have here.
    static constexpr std::size_t max_readers = 1000;

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace caribou::negotiation
