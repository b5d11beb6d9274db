#include "base/result.hpp"

namespace caribou {

std::string_view to_string(Code code) {
    switch (code) {
        case Code::invalid_argument: return "invalid_argument";
        case Code::malformed: return "malformed";
        case Code::not_found: return "not_found";
        case Code::already_exists: return "already_exists";
        case Code::refused: return "refused";
        case Code::wrong_state: return "wrong_state";
        case Code::limit_exceeded: return "limit_exceeded";
        case Code::timed_out: return "timed_out";
        case Code::closed: return "closed";
        case Code::unreachable: return "unreachable";
        case Code::unavailable: return "unavailable";
        case Code::io: return "io";
    }
    return "unknown";
}

}  // namespace caribou
