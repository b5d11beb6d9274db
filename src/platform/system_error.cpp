#include "platform/system_error.hpp"

#include <cctype>
#include <cerrno>
#include <system_error>

namespace caribou {

std::string system_words(int number) {
    std::string words = std::generic_category().message(number);
    // "Connection refused" becomes lower case, "RPC struct is bad" does not.
    if (words.size() > 1 && std::islower(static_cast<unsigned char>(words[1])) != 0)
        words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
    return words;
}

Code system_code(int number) {
    switch (number) {
        case EADDRINUSE:
        case EEXIST: return Code::already_exists;
        case EACCES:
        case EPERM: return Code::refused;
        case ENOENT: return Code::not_found;
        case EMFILE:
        case ENFILE:
        case ENOBUFS:
        case ENOMEM:
        case EMSGSIZE: return Code::limit_exceeded;
        case ETIMEDOUT: return Code::timed_out;
        case ECONNREFUSED:
        case ECONNRESET:
        case ECONNABORTED:
        case EPIPE:
        case EHOSTUNREACH:
        case EHOSTDOWN:
        case ENETUNREACH:
        case ENETDOWN: return Code::unreachable;
        case EADDRNOTAVAIL:
        case EAFNOSUPPORT:
        case EAGAIN: return Code::unavailable;
        default: return Code::io;
    }
}

Error system_error(const std::string& what, int number) {
    return {system_code(number), what + ": " + system_words(number)};
}

}  // namespace caribou
