#include "link/answer.hpp"

#include <array>

#include "link/names.hpp"

namespace caribou::link {
namespace {

constexpr std::array<std::string_view, 14> refusal_names{"UNKNOWN_COMMAND",
                                                         "BAD_ARGUMENT",
                                                         "NOT_ALLOWED",
                                                         "NO_LEASE",
                                                         "WRONG_MODE",
                                                         "WRONG_COM_MODE",
                                                         "ILLEGAL_TRANSITION",
                                                         "NOTHING_WOULD_WAKE",
                                                         "STOPPED",
                                                         "UNSAFE",
                                                         "BUSY",
                                                         "UNAVAILABLE",
                                                         "EXPIRED",
                                                         "FAILED"};

}  // namespace

std::string_view to_string(Refusal refusal) { return name_in(refusal_names, refusal); }
std::optional<Refusal> refusal_from(std::string_view text) { return named_in<Refusal>(refusal_names, text); }

std::string to_string(const Answer& answer) {
    std::string line(answer.kind == Answer::Kind::done       ? "DONE"
                     : answer.kind == Answer::Kind::accepted ? "ACCEPTED"
                                                             : to_string(answer.refusal.value()));
    if (!answer.text.empty()) line += ": " + answer.text;
    return line;
}

}  // namespace caribou::link
