#pragma once

#include <functional>
#include <vector>

#include "base/result.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Receives a message as it arrives. The fields are valid until the handler returns.
using MailHandler = std::move_only_function<void(const wire::MessageView&)>;

/// Receives the messages of the answer to a server request, or the error.
using ReplyHandler = std::move_only_function<void(Result<std::vector<wire::Message>>)>;

}  // namespace caribou::bus
