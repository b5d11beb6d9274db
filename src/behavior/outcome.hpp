#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace caribou::behavior {

/// How a behavior or an action ended.
///
/// | kind      | reason            | means                                       |
/// |-----------|-------------------|---------------------------------------------|
/// | succeeded | empty             | it did what it was there for                |
/// | failed    | always given      | it could not; also: it threw                |
/// | cancelled | may be empty      | somebody, or a cancel condition, ended it   |
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
/// `failed: the wheel is blocked`.
std::string to_string(const Outcome& outcome);

}  // namespace caribou::behavior
