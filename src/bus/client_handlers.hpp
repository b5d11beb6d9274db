#pragma once

#include <functional>
#include <vector>

#include "base/result.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Hears a message as it arrives. Its fields stand until the handler returns.
using MailHandler = std::move_only_function<void(const wire::MessageView&)>;

/// Gets the messages of the answer to a server request, or why there is none.
using ReplyHandler = std::move_only_function<void(Result<std::vector<wire::Message>>)>;

}  // namespace caribou::bus
