#include "behavior/outcome.hpp"

namespace caribou::behavior {

std::string_view to_string(Outcome::Kind kind) {
    switch (kind) {
        case Outcome::Kind::succeeded: return "succeeded";
        case Outcome::Kind::failed: return "failed";
        case Outcome::Kind::cancelled: return "cancelled";
    }
    return "unknown";
}

std::string to_string(const Outcome& outcome) {
    std::string text(to_string(outcome.kind()));
    return outcome.reason().empty() ? text : text + ": " + outcome.reason();
}

}  // namespace caribou::behavior
