#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "data/movement_class.hpp"
#include "data/movement_state.hpp"

/// The movements of a robot with two wheels, in the terms shared by robot and station.
namespace caribou::motion {

enum class WheelState : std::uint8_t { still, forward, backward };

using data::MovementClass;
using data::MovementState;
using data::to_string;

/// Returns what both wheels do together; nullopt is a wheel without valid feedback.
///
/// | left \ right | still | forward | backward |
/// |--------------|-------|---------|----------|
/// | still        | 1     | 4       | 7        |
/// | forward      | 6     | 2       | 9        |
/// | backward     | 8     | 5       | 3        |
MovementState movement_state(std::optional<WheelState> right, std::optional<WheelState> left);

/// Returns the class of wheel speeds, in any unit; nullopt for unequal speeds in opposite directions, which
/// no command requests.
std::optional<MovementClass> classify(double right, double left);

/// Returns the class of wheel speeds, in any unit. Unequal speeds in opposite directions, as of a velocity,
/// count as swiveling.
MovementClass class_of(double right, double left);

/// Returns whether `to` may directly follow `from`. A class may always follow itself (change of speed).
///
/// | from               | to              |
/// |--------------------|-----------------|
/// | halt               | any             |
/// | move_fw, turn_fw   | each other, halt |
/// | move_bw, turn_bw   | each other, halt |
/// | swiv_left          | halt            |
/// | swiv_right         | halt            |
bool may_follow(MovementClass from, MovementClass to);

/// A level from -3 to 3 for each wheel, in one of the named combinations.
class MovementCommand {
public:
    static constexpr int max_level = 3;

    /// HALT.
    constexpr MovementCommand() = default;
    /// Returns nullopt for an invalid level, or for unequal levels in opposite directions.
    static std::optional<MovementCommand> of(int right, int left);
    /// Parses `HALT`, `MOVE_FW_n`, `MOVE_BW_n`, `TURN_FW_r_l`, `TURN_BW_r_l`, `SWIV_LEFT_n` or
    /// `SWIV_RIGHT_n`. The error names the position, counted from 1.
    static Result<MovementCommand> parse(std::string_view text);

    int right() const { return right_; }
    int left() const { return left_; }
    bool is_halt() const { return right_ == 0 && left_ == 0; }
    MovementClass movement_class() const;

    friend bool operator==(const MovementCommand&, const MovementCommand&) = default;

private:
    constexpr MovementCommand(int right, int left) : right_(right), left_(left) {}

    int right_ = 0;
    int left_ = 0;
};

/// Returns a text that parse() accepts. `MOVE_FW_0` and the like are HALT.
std::string to_string(MovementCommand command);

}  // namespace caribou::motion
