#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "loop/loop.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// Sends messages to the other end of a session, complete and in order.
class SessionSender {
public:
    enum class Kind : std::uint8_t {
        control,  ///< must be accepted; otherwise the session must end
        sample,   ///< may be refused if there is no room: it is lost and counted
        /// Same, of a topic that is read with best effort: refused while anything else waits.
        best_effort_sample,
    };
    /// Returns false if the message was not accepted.
    virtual bool send(Kind kind, ByteView message) = 0;

protected:
    ~SessionSender() = default;
};

/// Counts samples, over all sessions there have been.
struct SessionStats {
    std::uint64_t sent = 0;
    std::uint64_t dropped = 0;
    std::uint64_t received = 0;
};

/// One end of a session. Destroying it ends the session: for local readers, the writers of the other end are
/// gone.
class TopicSession {
public:
    virtual ~TopicSession() = default;
    /// Handles a message from the other end; must be called from the loop. After an error the session must
    /// end, because the other end violates docs/formats/topic-session.md.
    virtual Result<void> receive(ByteView message) = 0;
};

/// Carries topics within the process, and over its sessions with other ends. A local reader receives from the
/// writers of all other ends; nothing is forwarded from one end to another. A robot has one session, a
/// station one per robot.
class SessionTransport final : public Transport {
public:
    /// `loop` must outlive the transport.
    explicit SessionTransport(Loop& loop);
    ~SessionTransport() override;

    /// Starts a session. `name` is the name of the other end, for people. `sender` must outlive the returned
    /// session.
    std::unique_ptr<TopicSession> join(std::string name, SessionSender& sender);

    Result<std::unique_ptr<Writer>> advertise(const Topic& topic, const TopicQos& qos,
                                              WriterEvents& events) override;
    Result<std::unique_ptr<Reader>> subscribe(const Topic& topic, const TopicQos& qos,
                                              ReaderEvents& events) override;

    const SessionStats& stats() const;

    /// Maximum number of readers that one other end may have here.
    static constexpr std::size_t max_readers = 1000;

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace caribou::negotiation
