#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

/// How a robot with two wheels moves, in the words that robot and station share.
namespace caribou::motion {

enum class WheelState : std::uint8_t { still, forward, backward };

/// What both wheels do together. The numbers are those of telemetry.
///
/// | left \ right | still | forward | backward |
/// |--------------|-------|---------|----------|
/// | still        | 1     | 4       | 7        |
/// | forward      | 6     | 2       | 9        |
/// | backward     | 8     | 5       | 3        |
enum class MovementState : std::uint8_t {
    unknown = 0,  ///< a wheel gives no valid feedback
    halted = 1,
    forward = 2,   ///< perhaps in a curve
    backward = 3,  ///< perhaps in a curve
    turning_left_forward = 4,
    swiveling_left = 5,
    turning_right_forward = 6,
    turning_right_backward = 7,
    turning_left_backward = 8,  ///< the nose goes left
    swiveling_right = 9,
};
/// None: the wheel gives no valid feedback.
MovementState movement_state(std::optional<WheelState> right, std::optional<WheelState> left);
std::string_view to_string(MovementState state);

/// What kind of movement a command asks for: the seven that may or may not follow each other.
enum class MovementClass : std::uint8_t {
    halt = 1,
    move_fw = 2,
    move_bw = 3,
    turn_fw = 4,
    turn_bw = 5,
    swiv_left = 6,
    swiv_right = 7,
};
std::string_view to_string(MovementClass movement);

/// The class of wheels that turn at these speeds, in any unit. None: unequal speeds in opposite
/// directions, which no command asks for.
std::optional<MovementClass> classify(double right, double left);

/// Whether the one may follow the other directly. A class may always follow itself: another speed.
///
/// | from               | to              |
/// |--------------------|-----------------|
/// | halt               | any             |
/// | move_fw, turn_fw   | each other, halt |
/// | move_bw, turn_bw   | each other, halt |
/// | swiv_left          | halt            |
/// | swiv_right         | halt            |
bool may_follow(MovementClass from, MovementClass to);

/// A level for each wheel, from -3 to 3, in one of the combinations that have a name.
class MovementCommand {
public:
    static constexpr int max_level = 3;

    /// HALT.
    constexpr MovementCommand() = default;
    /// None: no such level, or unequal levels in opposite directions.
    static std::optional<MovementCommand> of(int right, int left);
    /// Reads `HALT`, `MOVE_FW_n`, `MOVE_BW_n`, `TURN_FW_r_l`, `TURN_BW_r_l`, `SWIV_LEFT_n` or
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

/// As parse() reads it. `MOVE_FW_0` and its like are HALT.
std::string to_string(MovementCommand command);

}  // namespace caribou::motion
