#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace caribou {

/// All categories of failure. The set is closed: callers may switch over it.
enum class Code {
    invalid_argument,  ///< the caller passed an invalid argument
    malformed,         ///< input does not follow its format
    not_found,         ///< the named object does not exist
    already_exists,    ///< the object to create already exists
    refused,           ///< forbidden by a rule
    wrong_state,       ///< not possible in the current state; the message names the missing step
    limit_exceeded,    ///< a named limit was reached
    timed_out,         ///< a deadline passed
    closed,            ///< the peer closed the connection in an orderly way
    unreachable,       ///< the peer cannot be reached, or the connection was lost
    unavailable,       ///< the system lacks a requested resource or feature
    io,                ///< the operating system reported a failure
};

/// Returns the name of the code, for logs and tests.
std::string_view to_string(Code code);

/// The reason for a failure: a code for programs, and a message for users that explains how to fix it.
struct Error {
    Code code;
    std::string message;

    friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = std::expected<T, Error>;

/// Makes an error to return: `return fail(Code::not_found, "no variable NAV_X");`
inline std::unexpected<Error> fail(Code code, std::string message) {
    return std::unexpected<Error>(Error{code, std::move(message)});
}

/// Passes an error on to the caller: `if (!r) return fail(std::move(r.error()));`
inline std::unexpected<Error> fail(Error error) { return std::unexpected<Error>(std::move(error)); }

}  // namespace caribou
