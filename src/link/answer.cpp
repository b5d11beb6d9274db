#include "link/answer.hpp"

#include "link/names.hpp"

namespace caribou::link {

std::optional<Refusal> refusal_from(std::string_view text) { return named_up_to(Refusal::failed, text); }

std::string to_string(const Answer& answer) {
    std::string line(answer.refusal ? to_string(*answer.refusal) : to_string(answer.kind));
    if (!answer.text.empty()) line += ": " + answer.text;
    return line;
}

}  // namespace caribou::link
