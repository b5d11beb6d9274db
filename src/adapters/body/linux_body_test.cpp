// Uses files in a temporary folder for PWM, a pseudo-terminal for the serial port, and lines in memory for
// GPIO, because test machines have no pins.
#include "adapters/body/linux_body.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <termios.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <thread>

#include "platform/system_clock.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using motion::NoReading;
using motion::SensorKind;
using motion::SensorReading;

constexpr auto line_limit = 60s;

/// Lines shared by the test and the body.
struct Pins {
    std::mutex mutex;
    std::map<unsigned, bool> high;
    bool broken = false;
    std::optional<unsigned> stuck_high{};
    std::function<void()> before_high{};  ///< called before a line is set high
};

class PinLines final : public GpioLines {
public:
    explicit PinLines(std::shared_ptr<Pins> pins) : pins_(std::move(pins)) {}
    Result<void> set(unsigned line, bool high) override {
        if (high && pins_->before_high) pins_->before_high();
        const std::lock_guard lock(pins_->mutex);
        pins_->high[line] = high;
        return {};
    }
    Result<bool> get(unsigned line) override {
        const std::lock_guard lock(pins_->mutex);
        if (pins_->broken) return fail(Code::io, "the chip is gone");
        return pins_->high[line] || pins_->stuck_high == line;
    }

private:
    std::shared_ptr<Pins> pins_;
};

/// The board's end of a serial port.
class Board {
public:
    Board() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
        EXPECT_EQ(::grantpt(master_.get()), 0);
        EXPECT_EQ(::unlockpt(master_.get()), 0);
        path = ::ptsname(master_.get());
        // Raw mode from the start; otherwise data sent before the body has opened the port would be echoed.
        port_ = Descriptor(::open(path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC));
        termios settings{};
        EXPECT_EQ(::tcgetattr(port_.get(), &settings), 0);
        ::cfmakeraw(&settings);
        EXPECT_EQ(::tcsetattr(port_.get(), TCSANOW, &settings), 0);
    }
    void say(std::string_view text) const {
        const std::string line = devices::sensor_line(text);
        EXPECT_EQ(::write(master_.get(), line.data(), line.size()), static_cast<ssize_t>(line.size()));
    }
    void say_raw(std::string_view bytes) const {
        EXPECT_EQ(::write(master_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    /// Returns the next line received.
    std::string hears() const {
        std::string line;
        while (!line.ends_with('\n')) {
            pollfd watched{master_.get(), POLLIN, 0};
            char byte = 0;
            if (::poll(&watched, 1, std::chrono::milliseconds(line_limit).count()) != 1 ||
                ::read(master_.get(), &byte, 1) != 1)
                return line + "(no more)";
            line += byte;
        }
        return line;
    }

    std::string path;

private:
    Descriptor master_;
    Descriptor port_;
};

/// A clock set by the test.
class HandClock final : public Clock {
public:
    Instant now() const override { return Instant(Duration(now_)); }
    WallTime wall() const override { return {}; }
    void advance(Duration step) { now_ += step.count(); }

private:
    std::atomic<Duration::rep> now_ = Duration(1h).count();
};

class LinuxBodyTest : public testing::Test {
protected:
    LinuxBodyTest() {
        std::string pattern = (std::filesystem::temp_directory_path() / "caribou-pwm-XXXXXX").string();
        folder = ::mkdtemp(pattern.data());
        for (const char* const channel : {"pwm0", "pwm1"}) {
            std::filesystem::create_directory(folder / channel);
            for (const char* const file : {"period", "duty_cycle", "enable"})
                std::ofstream(folder / channel / file) << "0\n";
        }
        settings.plan.sensors = {{.name = "front", .kind = SensorKind::range, .can_power_down = true},
                                 {.name = "right", .kind = SensorKind::encoder_right, .required = true}};
        settings.right.pwm_chip = settings.left.pwm_chip = folder.string();
        settings.left.reversed = true;
        settings.fault_line = 3;
        settings.emergency_line = 4;
        settings.serial = board.path;
        pins->high = {{3, true}, {4, true}};
    }
    ~LinuxBodyTest() override { std::filesystem::remove_all(folder); }

    void open() {
        auto opened = LinuxBody::open(settings, std::make_unique<PinLines>(pins), clock, log);
        ASSERT_TRUE(opened) << opened.error().message;
        body = std::move(*opened);
    }
    std::string file(const std::string& name) const {
        std::ifstream stream(folder / name);
        std::string text;
        std::getline(stream, text);
        return text;
    }
    bool pin(unsigned line) {
        const std::lock_guard lock(pins->mutex);
        return pins->high[line];
    }
    bool reads(std::size_t sensor, const SensorReading& wanted) {
        const SystemClock real;
        for (const Instant end = real.now() + line_limit; real.now() < end; std::this_thread::yield())
            if (body->read(sensor) == wanted) return true;
        return false;
    }

    HandClock clock;
    NullLog log;
    Board board;
    std::shared_ptr<Pins> pins = std::make_shared<Pins>();
    std::filesystem::path folder;
    robot::Wiring settings;
    std::unique_ptr<LinuxBody> body;
};

TEST_F(LinuxBodyTest, TurnsSpeedsIntoDutyAndDirection) {
    open();
    EXPECT_EQ(file("pwm0/period"), "50000");
    EXPECT_EQ(file("pwm0/enable"), "1");
    body->drive({0.3, 0.3});
    EXPECT_EQ(file("pwm0/duty_cycle"), "0") << "the motors are off at first";
    ASSERT_TRUE(body->enable_motors(true));
    body->drive({0.3, -0.15});
    EXPECT_EQ(file("pwm0/duty_cycle"), "25000");
    EXPECT_EQ(file("pwm1/duty_cycle"), "12500");
    EXPECT_FALSE(pin(0)) << "ahead";
    EXPECT_FALSE(pin(1)) << "back, and mounted the other way round";
    EXPECT_TRUE(pin(2));
    body->drive({9.0, 0.0});
    EXPECT_EQ(file("pwm0/duty_cycle"), "50000") << "no more than all";
}

TEST_F(LinuxBodyTest, CutsAndDisablesTheDriver) {
    open();
    ASSERT_TRUE(body->enable_motors(true));
    body->drive({0.3, 0.3});
    EXPECT_TRUE(body->cut_motors());
    EXPECT_FALSE(pin(2));
    EXPECT_FALSE(body->motors_enabled());
    ASSERT_TRUE(body->enable_motors(true));
    EXPECT_EQ(file("pwm0/duty_cycle"), "0") << "nothing is left of the speed from before";
    EXPECT_TRUE(pin(2));
    body.reset();
    EXPECT_FALSE(pin(2)) << "nobody drives any more";
}

TEST_F(LinuxBodyTest, DoesNotConfirmACutThatReadsBackAsHigh) {
    open();
    ASSERT_TRUE(body->enable_motors(true));
    pins->stuck_high = 2;
    EXPECT_EQ(body->cut_motors().error().message,
              "the enable line 2 of the motors is not confirmed to be low: it reads back as high");
    EXPECT_FALSE(body->enable_motors(false)) << "disabling is verified, too";
    pins->stuck_high.reset();
    EXPECT_TRUE(body->cut_motors());
    {
        const std::lock_guard lock(pins->mutex);
        pins->broken = true;
    }
    EXPECT_EQ(body->cut_motors().error().message,
              "the enable line 2 of the motors is not confirmed to be low: the chip is gone");
}

TEST_F(LinuxBodyTest, StaysCutWhenItIsCutWhileItIsBeingEnabled) {
    open();
    pins->before_high = [&] { EXPECT_TRUE(body->cut_motors()); };
    EXPECT_EQ(body->enable_motors(true).error().message, "the motors were cut while they were being enabled");
    EXPECT_FALSE(pin(2));
    EXPECT_FALSE(body->motors_enabled());
}

TEST_F(LinuxBodyTest, HearsWhatTheBoardSays) {
    open();
    EXPECT_EQ(body->read(0), SensorReading(NoReading{}));
    board.say("front 352");
    EXPECT_TRUE(reads(0, 0.352));
    board.say_raw("front 999*00\nnonsense\n\xff\xfe\n");
    board.say("right -77");
    EXPECT_TRUE(reads(1, std::int64_t{-77}));
    EXPECT_EQ(body->read(0), SensorReading(0.352));
}

TEST_F(LinuxBodyTest, ForgetsWhatIsStale) {
    open();
    board.say("front 352");
    EXPECT_TRUE(reads(0, 0.352));
    clock.advance(settings.stale_after);
    EXPECT_EQ(body->read(0), SensorReading(0.352));
    clock.advance(1ns);
    EXPECT_EQ(body->read(0), SensorReading(NoReading{}));
}

TEST_F(LinuxBodyTest, TellsTheBoardWhatToPowerAndToShow) {
    open();
    board.say("front 1");
    ASSERT_TRUE(reads(0, 0.001)) << "the body has not opened the port";
    ASSERT_TRUE(body->set_power(0, false));
    EXPECT_EQ(board.hears(), devices::sensor_line("power front 0"));
    body->set_lights(motion::BodyLights::alarm);
    EXPECT_EQ(board.hears(), devices::sensor_line("lights alarm"));
    EXPECT_EQ(body->set_power(1, false).error().message, "right cannot be powered down");
}

TEST_F(LinuxBodyTest, TakesALowOrLostEmergencyLineForAStop) {
    open();
    constexpr std::size_t emergency = 2;
    ASSERT_EQ(body->plan().sensors.at(emergency).name, "emergency_stop");
    EXPECT_EQ(body->read(emergency), SensorReading(false));
    {
        const std::lock_guard lock(pins->mutex);
        pins->high[4] = false;
    }
    EXPECT_EQ(body->read(emergency), SensorReading(true));
    {
        const std::lock_guard lock(pins->mutex);
        pins->broken = true;
    }
    EXPECT_EQ(body->read(emergency), SensorReading(NoReading{}));
}

TEST_F(LinuxBodyTest, HandsOnTheDriversComplaint) {
    open();
    EXPECT_EQ(body->motor_fault(), "");
    {
        const std::lock_guard lock(pins->mutex);
        pins->high[3] = false;
    }
    EXPECT_EQ(body->motor_fault(), "the driver of the motors reports a fault");
}

TEST_F(LinuxBodyTest, ChecksEveryPart) {
    open();
    board.say("front 352");
    ASSERT_TRUE(reads(0, 0.352));
    std::vector<std::string> failing;
    for (const motion::PartCheck& check : body->self_check())
        if (!check.outcome) failing.push_back(check.outcome.error().message);
    EXPECT_THAT(failing, testing::ElementsAre("right gives no reading; is its board on " + board.path + "?"));
}

TEST_F(LinuxBodyTest, SaysWhatIsMissing) {
    settings.left.pwm_chip = (folder / "pwmchip7").string();
    const auto no_pwm = LinuxBody::open(settings, std::make_unique<PinLines>(pins), clock, log);
    EXPECT_EQ(no_pwm.error().message, (folder / "pwmchip7/export").string() + ": no such file or directory");
    settings.left.pwm_chip = folder.string();
    settings.baud = 1234;
    const auto no_speed = LinuxBody::open(settings, std::make_unique<PinLines>(pins), clock, log);
    EXPECT_EQ(no_speed.error().message, "no serial port runs at 1234 baud; 115200 is usual");
    const auto no_gpio = open_gpio((folder / "gpiochip0").string(), gpio_outputs(settings), {});
    EXPECT_EQ(no_gpio.error().code, Code::not_found);
}

}  // namespace
}  // namespace caribou
