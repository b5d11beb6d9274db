#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace caribou::wire {

/// What a message is for. Any other letter may arrive, too, and is ignored by a broker.
enum class MessageType : char {
    notify = 'N',
    register_ = 'R',
    unregister = 'U',
    wildcard_register = '*',
    wildcard_unregister = '/',
    server_request = 'Q',
    timing = 'T',
    null = '.',
    data = 'i',  ///< the client's name in the handshake
    welcome = 'W',
    poison = 'K',
    command = 'C',
    not_set = '~',
};

/// What a value is. `none` stands for a variable that nobody has written yet.
enum class DataType : char { number = 'D', string = 'S', binary = 'B', none = '~' };

/// The id that marks server requests and the replies to them.
inline constexpr std::int32_t server_request_id = -2;

/// The key of a TIMING message.
inline constexpr std::string_view timing_key = "_async_timing";

/// The word by which client and broker tell each other that they need no lock-step.
inline constexpr std::string_view asynchronous = "asynchronous";

/// One message. `Text` is std::string where the message owns its fields and std::string_view where
/// they stand in a buffer of somebody else's. The defaults are those of the wire.
template <class Text>
struct BasicMessage {
    std::int32_t id = -1;
    MessageType type = MessageType::null;
    DataType data_type = DataType::number;
    Text source{};     ///< name of the client that wrote it
    Text aux{};        ///< free text from the writer
    Text community{};  ///< where it was written first
    Text key{};        ///< the variable
    double time = -1;  ///< UNIX seconds by the writer's clock
    double value = -1;
    double value2 = -1;
    Text payload{};  ///< the value of a string or binary variable

    bool is_number() const { return data_type == DataType::number; }
    bool is_string() const { return data_type == DataType::string; }
    bool is_binary() const { return data_type == DataType::binary; }

    friend bool operator==(const BasicMessage&, const BasicMessage&) = default;
};

using Message = BasicMessage<std::string>;
using MessageView = BasicMessage<std::string_view>;

MessageView view(const Message& message);
Message own(const MessageView& message);

}  // namespace caribou::wire
