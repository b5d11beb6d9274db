#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "motion/movement.hpp"

namespace caribou::motion {
namespace {

/// One form of a command: its prefix, and the meaning of its levels.
struct Form {
    std::string_view head;
    int right;        ///< sign of the right wheel
    int left;         ///< sign of the left wheel
    bool two_levels;  ///< one signed level per wheel; otherwise one level for both
};
constexpr std::array<Form, 6> forms = {Form{"MOVE_FW_", 1, 1, false},    Form{"MOVE_BW_", -1, -1, false},
                                       Form{"TURN_FW_", 1, 1, true},     Form{"TURN_BW_", -1, -1, true},
                                       Form{"SWIV_LEFT_", 1, -1, false}, Form{"SWIV_RIGHT_", -1, 1, false}};
constexpr std::size_t longest = 32;  ///< longest text quoted in a message

/// Reads a text from the start and keeps the position.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    /// Reads a digit from 0 to 3, after a minus sign if `negative`.
    std::optional<int> level(bool negative) {
        const std::size_t start = at_;
        const bool minus = negative && take("-");
        const char digit = at_ < text_.size() ? text_[at_] : ' ';
        if (digit < '0' || digit > '0' + MovementCommand::max_level || (minus && digit == '0') ||
            (negative && !minus && digit != '0')) {
            at_ = start;
            return std::nullopt;
        }
        ++at_;
        return minus ? '0' - digit : digit - '0';
    }
    bool at_end() const { return at_ == text_.size(); }

    std::unexpected<Error> fault(std::string_view wanted) const {
        const std::string shown =
            text_.size() <= longest ? std::string(text_) : std::string(text_.substr(0, longest)) + "...";
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is no movement: position {}: {}", shown, at_ + 1, wanted));
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

Result<MovementCommand> finished(const Reader& reader, int right, int left) {
    if (!reader.at_end()) return reader.fault("the command should end here");
    return *MovementCommand::of(right, left);
}

Result<MovementCommand> read_turn(Reader& reader, bool backward) {
    const std::string_view wanted =
        backward ? "expected a level from -3 to 0" : "expected a level from 0 to 3";
    const auto right = reader.level(backward);
    if (!right) return reader.fault(wanted);
    if (!reader.take("_")) return reader.fault("expected `_` and the level of the left wheel");
    const Reader before_left = reader;
    const auto left = reader.level(backward);
    if (!left) return reader.fault(wanted);
    if (*left == *right) return before_left.fault("both wheels have one level, which is no turn");
    return finished(reader, *right, *left);
}

std::string unknown_head(std::string_view text) {
    std::vector<std::string> known = {"HALT"};
    const std::string_view head = text.substr(0, text.find_last_not_of("_-0123456789") + 1);
    for (const Form& form : forms) {
        known.emplace_back(form.head.substr(0, form.head.size() - 1));
        if (head == known.back())
            return fmt::format("expected `_` and a level, as in `{}{}`", form.head,
                               !form.two_levels ? "1"
                               : form.right < 0 ? "-1_0"
                                                : "1_0");
    }
    return fmt::format("no such command{}", instead_of(head, known));
}

}  // namespace

Result<MovementCommand> MovementCommand::parse(std::string_view text) {
    Reader reader(text);
    if (reader.take("HALT")) return finished(reader, 0, 0);
    for (const Form& form : forms) {
        if (!reader.take(form.head)) continue;
        if (form.two_levels) return read_turn(reader, form.right < 0);
        const auto level = reader.level(false);
        if (!level) return reader.fault("expected a level from 0 to 3");
        return finished(reader, form.right * *level, form.left * *level);
    }
    return reader.fault(unknown_head(text.substr(0, longest)));
}

}  // namespace caribou::motion
