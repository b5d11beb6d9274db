#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace caribou::behavior {

/// How a behavior or an action ended.
///
/// | kind      | reason            | meaning                                          |
/// |-----------|-------------------|--------------------------------------------------|
/// | succeeded | empty             | it achieved its purpose                          |
/// | failed    | always given      | it could not, or it threw                        |
/// | cancelled | may be empty      | it was ended from outside or by a cancel         |
/// |           |                   | condition                                        |
class Outcome {
public:
    enum class Kind : std::uint8_t { succeeded, failed, cancelled };

    static Outcome succeeded() { return {Kind::succeeded, {}}; }
    static Outcome failed(std::string reason) { return {Kind::failed, std::move(reason)}; }
    static Outcome cancelled(std::string reason = {}) { return {Kind::cancelled, std::move(reason)}; }

    Kind kind() const { return kind_; }
    const std::string& reason() const { return reason_; }
    bool has_succeeded() const { return kind_ == Kind::succeeded; }

    friend bool operator==(const Outcome&, const Outcome&) = default;

private:
    Outcome(Kind kind, std::string reason) : kind_(kind), reason_(std::move(reason)) {}

    Kind kind_;
    std::string reason_;
};

std::string_view to_string(Outcome::Kind kind);
/// Returns the kind and the reason, such as `failed: the wheel is blocked`.
std::string to_string(const Outcome& outcome);

}  // namespace caribou::behavior
