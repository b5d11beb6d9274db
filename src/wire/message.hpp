#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace caribou::wire {

/// The purpose of a message. Other letters may be received as well; a broker ignores them.
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

/// The type of a value. `none` is the type of a variable that has not been written yet.
enum class DataType : char { number = 'D', string = 'S', binary = 'B', none = '~' };

/// The id that marks server requests and the replies to them.
inline constexpr std::int32_t server_request_id = -2;

/// The key of a TIMING message.
inline constexpr std::string_view timing_key = "_async_timing";

/// The token with which client and broker announce in the handshake that they do not need lock-step replies.
inline constexpr std::string_view asynchronous = "asynchronous";

/// One message. With `Text` = std::string it owns its fields; with std::string_view they refer to memory that
/// the caller keeps valid. The defaults are those of the protocol.
template <class Text>
struct BasicMessage {
    std::int32_t id = -1;
    MessageType type = MessageType::null;
    DataType data_type = DataType::number;
    Text source{};     ///< name of the client that wrote it
    Text aux{};        ///< free text from the writer
    Text community{};  ///< the community in which it was first written
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
