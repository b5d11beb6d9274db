#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace caribou {

/// Every way in which something can fail here. A closed set: callers may switch over it.
enum class Code {
    invalid_argument,  ///< the caller's words do not make sense
    malformed,         ///< bytes from outside do not follow their format
    not_found,         ///< what was named does not exist
    already_exists,    ///< what was to be made is there already
    refused,           ///< a rule says no
    wrong_state,       ///< not now: the reason says what has to come first
    limit_exceeded,    ///< a named limit was reached
    timed_out,         ///< a deadline passed
    closed,            ///< the other side ended the connection in good order
    unreachable,       ///< the other side cannot be reached, or was lost
    unavailable,       ///< the system lacks something that was asked for
    io,                ///< the operating system reported a failure
};

/// The code's name, for logs and tests.
std::string_view to_string(Code code);

/// Why something failed: a code for programs and a sentence for people that says what to do.
struct Error {
    Code code;
    std::string message;

    friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = std::expected<T, Error>;

/// `return fail(Code::not_found, "no variable NAV_X");`
inline std::unexpected<Error> fail(Code code, std::string message) {
    return std::unexpected<Error>(Error{code, std::move(message)});
}

/// Hands an error on to the caller: `if (!r) return fail(std::move(r.error()));`
inline std::unexpected<Error> fail(Error error) { return std::unexpected<Error>(std::move(error)); }

}  // namespace caribou
