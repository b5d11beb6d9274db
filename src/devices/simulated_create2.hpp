#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "base/bytes.hpp"
#include "devices/create2_codec.hpp"
#include "loop/time.hpp"

namespace caribou::devices {

/// A Create 2 as its manual describes it, for tests: consumes the arguments of all commands, has its modes
/// and safety exits, falls asleep, and streams. Its wheels turn as ordered, unless the owner counts them.
class SimulatedCreate2 {
public:
    // What the world does to it.
    int bumps = 0;  ///< packet 7: right, left, right wheel drops, left
    std::array<int, 4> cliffs{};
    int charging_sources = 0;
    int charging_state = 0;
    int current = -400;  ///< mA
    int charge = 2000;   ///< mAh
    int beam = 0;        ///< infrared character
    int mode_offset = 0;
    bool is_frozen = false;    ///< takes and sends nothing
    bool counts_alone = true;  ///< false: the owner sets the counts
    double left_count = 0.0;
    double right_count = 0.0;

    create2::Mode mode() const { return mode_; }
    bool sleeps() const { return sleeps_; }
    /// m/s that the motors are ordered to turn.
    double right_speed() const { return right_ / 1000.0; }
    double left_speed() const { return left_ / 1000.0; }
    bool moves() const { return right_ != 0 || left_ != 0; }
    /// Falls asleep, as after five minutes in passive mode.
    void sleep() {
        sleeps_ = true;
        set_mode(create2::Mode::off);
    }
    /// The battery was pulled, or command 7 has come.
    void reset() {
        set_mode(create2::Mode::off);
        streams_ = false;
        left_count = right_count = 0;
        waiting_ = 0;
        arguments_.clear();
        append(output_, bytes_of("bl-start\r\nSTR730\r\nr3_robot/tags/release-3.7.7:6323 CLEAN\r\n"
                                 "battery-current-zero 257\r\n"));
    }
    /// The line BRC, low.
    void pulse() { sleeps_ = false; }

    void on_bytes(ByteView bytes) {
        if (sleeps_ || is_frozen) return;
        for (const std::byte each : bytes) take(std::to_integer<int>(each));
    }
    /// Time passes. Returns what it sends.
    Bytes advance(Duration step) {
        if (is_frozen) return {};
        leave_unsafe_mode();
        constexpr double counts_per_meter = 1.0 / 0.000444565;
        if (counts_alone) {
            left_count += left_speed() * to_seconds(step) * counts_per_meter;
            right_count += right_speed() * to_seconds(step) * counts_per_meter;
        }
        since_frame_ += step;
        if (since_frame_ >= std::chrono::milliseconds(15)) {
            since_frame_ = std::min<Duration>(since_frame_ - std::chrono::milliseconds(15),
                                              std::chrono::milliseconds(15));
            if (streams_ && mode_ != create2::Mode::off) send_frame();
        }
        return std::exchange(output_, {});
    }

private:
    void set_mode(create2::Mode mode) {
        mode_ = mode;
        if (mode < create2::Mode::safe) right_ = left_ = 0;
    }
    void leave_unsafe_mode() {
        if (mode_ != create2::Mode::safe) return;
        const bool cliff = std::ranges::any_of(cliffs, [](int each) { return each != 0; });
        const bool ahead = right_ + left_ > 0;
        if ((cliff && ahead) || (bumps & 0x0c) != 0 || charging_sources != 0)
            set_mode(create2::Mode::passive);
    }

    static int argument_count(int opcode) {
        switch (opcode) {
            case 129:
            case 138:
            case 141:
            case 142:
            case 150:
            case 165: return 1;
            case 162: return 2;
            case 139:
            case 144:
            case 168: return 3;
            case 137:
            case 145:
            case 146:
            case 163:
            case 164: return 4;
            case 167: return 15;
            case 148:
            case 149: return 1;  // and as many as that says
            case 140: return 2;  // same, two each
            default: return 0;
        }
    }
    void take(int value) {
        if (waiting_ > 0) {
            arguments_.push_back(value);
            --waiting_;
            if (arguments_.size() == 1 && (opcode_ == 148 || opcode_ == 149)) waiting_ = value;
            if (arguments_.size() == 2 && opcode_ == 140) waiting_ = 2 * value;
        } else {
            opcode_ = value;
            arguments_.clear();
            waiting_ = argument_count(value);
        }
        if (waiting_ == 0) carry_out();
    }
    static int signed_word(int high, int low) { return static_cast<std::int16_t>(high * 256 + low); }
    void carry_out() {
        using create2::Mode;
        if (opcode_ == 7) return reset();
        if (opcode_ == 128) return set_mode(Mode::passive);
        if (mode_ == Mode::off) return;
        if (opcode_ == 131 || opcode_ == 130) set_mode(Mode::safe);
        if (opcode_ == 132) set_mode(Mode::full);
        if (opcode_ == 173) set_mode(Mode::off);
        if (opcode_ == 133) set_mode(Mode::passive);
        if (opcode_ == 145 && mode_ >= Mode::safe) {
            right_ = std::clamp(signed_word(arguments_[0], arguments_[1]), -500, 500);
            left_ = std::clamp(signed_word(arguments_[2], arguments_[3]), -500, 500);
        }
        if (opcode_ == 148) {
            packets_.assign(arguments_.begin() + 1, arguments_.end());
            streams_ = !packets_.empty();
        }
        if (opcode_ == 150) streams_ = arguments_[0] != 0;
    }

    int value_of(int packet) const {
        namespace p = create2::packet;
        switch (packet) {
            case p::bumps: return bumps;
            case p::cliff_left: return cliffs[0];
            case p::cliff_front_left: return cliffs[1];
            case p::cliff_front_right: return cliffs[2];
            case p::cliff_right: return cliffs[3];
            case p::beam: return beam;
            case p::charging_sources: return charging_sources;
            case p::charging_state: return charging_state;
            case p::voltage: return 15'000;
            case p::current: return current;
            case p::charge: return charge;
            case p::capacity: return 2696;
            case p::mode: return static_cast<int>(mode_) + mode_offset;
            case p::encoder_left: return static_cast<int>(std::llround(std::floor(left_count)) & 0xffff);
            case p::encoder_right: return static_cast<int>(std::llround(std::floor(right_count)) & 0xffff);
            default: return 0;
        }
    }
    void send_frame() {
        Bytes frame = {std::byte{0x13}, std::byte{0}};
        for (const int packet : packets_) {
            const int value = value_of(packet);
            frame.push_back(static_cast<std::byte>(packet));
            if (create2::packet_size(static_cast<std::uint8_t>(packet)) == 2)
                frame.push_back(static_cast<std::byte>((static_cast<unsigned>(value) >> 8U) & 0xffU));
            frame.push_back(static_cast<std::byte>(static_cast<unsigned>(value) & 0xffU));
        }
        frame[1] = static_cast<std::byte>(frame.size() - 2);
        unsigned sum = 0;
        for (const std::byte each : frame) sum += std::to_integer<unsigned>(each);
        frame.push_back(static_cast<std::byte>((256 - sum % 256) % 256));
        append(output_, frame);
    }

    create2::Mode mode_ = create2::Mode::off;
    bool sleeps_ = false;
    int right_ = 0;  ///< mm/s
    int left_ = 0;
    int opcode_ = 0;
    int waiting_ = 0;  ///< arguments that have not come yet
    std::vector<int> arguments_;
    std::vector<int> packets_;
    bool streams_ = false;
    Duration since_frame_{};
    Bytes output_;
};

}  // namespace caribou::devices
