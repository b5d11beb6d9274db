#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "link/frame_reader.hpp"
#include "link/message.hpp"
#include "loop/clock.hpp"
#include "loop/network.hpp"

namespace caribou::link {

/// Sends one command to a running robot and receives the answers: a session without telemetry.
class LinkConsole final : public StreamEvents {
public:
    /// Called with `accepted`, then `done` or a refusal; with an error if the robot was not reached or closed
    /// the connection.
    using Heard = std::function<void(const Result<Answer>& answer)>;

    /// When a command was given, by the boot time of a clock, which must outlive the console.
    struct Given {
        double at;
        const Clock& clock;
    };
    /// `on_answer` is called from the loop. The network must outlive this object. A command that was `given`
    /// is sent once the robot's clock is known, because programs in containers may have other boot times; a
    /// full stop is sent at once.
    LinkConsole(Network& network, const Address& robot, std::string name, Role role, Command command,
                Heard on_answer, std::optional<Given> given = std::nullopt);

private:
    void on_open() override;
    void on_readable() override;
    void on_writable() override {}
    void on_connect_failed(const Error& why) override { heard_(fail(why)); }
    void send(const LinkMessage& message);
    void take(const LinkMessage& message);
    void send_command();

    std::string name_;
    Role role_;
    Command command_;
    Heard heard_;
    std::optional<Given> given_;  ///< until the command was sent
    FrameReader reader_;
    std::unique_ptr<Stream> stream_;
};

}  // namespace caribou::link
