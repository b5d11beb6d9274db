#include "robot/wiring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "link/telemetry.hpp"
#include "world/plan_reader.hpp"

namespace caribou::robot {
namespace {

constexpr std::size_t max_faults = 20;
constexpr double last_line = 1023;
constexpr std::array bauds{9600.0, 19200.0, 38400.0, 57600.0, 115200.0, 230400.0, 460800.0, 921600.0};

/// Of a sensor: telemetry would truncate a longer one.
constexpr std::size_t longest_name = data::SensorAge::sensor_bytes;

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (int i = 0; i < static_cast<int>(motion::SensorKind::eyes); ++i)
        if (const auto kind = static_cast<motion::SensorKind>(i); kind != motion::SensorKind::lidar)
            names.emplace_back(to_string(kind));
    return names;
}

bool is_unique(motion::SensorKind kind) {
    using enum motion::SensorKind;
    return kind == encoder_right || kind == encoder_left || kind == imu || kind == battery ||
           kind == charger || kind == emergency_stop;
}

class WiringReader {
public:
    explicit WiringReader(const NamedText& file) : reader_(file, max_faults) {}

    std::expected<Wiring, std::vector<TextFault>> read() {
        if (const JsonNode* root = reader_.root()) {
            reader_.is_table(*root, "a wiring", {"body", "gpio", "pwm", "motor", "serial", "sensor"});
            if (const JsonNode* body = root->find("body")) read_body(*body);
            if (const JsonNode* gpio = root->find("gpio")) read_gpio(*gpio);
            if (const JsonNode* pwm = root->find("pwm");
                pwm && reader_.is_table(*pwm, "`pwm`", {"frequency"}))
                if (const auto frequency = reader_.number(*pwm, "frequency", 50, 100'000))
                    wiring_.pwm_period = from_seconds(1 / *frequency);
            read_motors(*root);
            if (const JsonNode* serial = root->find("serial")) read_serial(*serial);
            for (const JsonNode* table : reader_.tables(*root, "sensor")) read_sensor(*table);
            check_sensors(*root);
        }
        if (reader_.has_faults()) return std::unexpected(reader_.take_faults());
        return std::move(wiring_);
    }

private:
    void read_body(const JsonNode& table) {
        if (!reader_.is_table(table, "`body`", {"radius", "wheel_base", "metres_per_tick", "max_speed"}))
            return;
        motion::BodyPlan& plan = wiring_.plan;
        set(plan.radius, reader_.number(table, "radius", 0.02, 2));
        set(plan.wheel_base, reader_.number(table, "wheel_base", 0.02, 3));
        set(plan.metres_per_tick, reader_.number(table, "metres_per_tick", 1e-6, 0.1));
        set(plan.max_speed, reader_.number(table, "max_speed", 0.02, 5));
    }

    void read_gpio(const JsonNode& table) {
        if (!reader_.is_table(
                table, "`gpio`",
                {"chip", "enable", "guard", "fault", "emergency_stop", "release_button", "power_off_button"}))
            return;
        set(wiring_.gpio_chip, path(table, "chip"));
        set(wiring_.enable_line, line(table, "enable"));
        wiring_.guard_line = line(table, "guard");
        wiring_.fault_line = line(table, "fault");
        wiring_.emergency_line = line(table, "emergency_stop");
        wiring_.release_button = line(table, "release_button");
        wiring_.power_off_button = line(table, "power_off_button");
    }

    void read_motors(const JsonNode& root) {
        const JsonNode* const motors = root.find("motor");
        if (motors && reader_.is_table(*motors, "`motor`", {"right", "left"})) {
            if (const JsonNode* right = motors->find("right")) read_motor(*right, wiring_.right);
            if (const JsonNode* left = motors->find("left")) read_motor(*left, wiring_.left);
        }
        const JsonNode& at = motors ? *motors : root;
        if (wiring_.right.pwm_chip == wiring_.left.pwm_chip &&
            wiring_.right.pwm_channel == wiring_.left.pwm_channel)
            reader_.fault(at, fmt::format("both motors hang on channel {} of {}", wiring_.right.pwm_channel,
                                          wiring_.right.pwm_chip));
        std::map<unsigned, std::string_view> users;
        const auto use = [&](unsigned number, std::string_view user) {
            const auto [before, fresh] = users.emplace(number, user);
            if (!fresh)
                reader_.fault(at, fmt::format("GPIO line {} is wanted twice: for {} and for {}", number,
                                              before->second, user));
        };
        use(wiring_.enable_line, "gpio.enable");
        if (wiring_.guard_line) use(*wiring_.guard_line, "gpio.guard");
        if (wiring_.fault_line) use(*wiring_.fault_line, "gpio.fault");
        if (wiring_.emergency_line) use(*wiring_.emergency_line, "gpio.emergency_stop");
        if (wiring_.release_button) use(*wiring_.release_button, "gpio.release_button");
        if (wiring_.power_off_button) use(*wiring_.power_off_button, "gpio.power_off_button");
        use(wiring_.right.direction_line, "motor.right.direction");
        use(wiring_.left.direction_line, "motor.left.direction");
    }

    void read_motor(const JsonNode& table, MotorWiring& motor) {
        if (!reader_.is_table(table, "a motor", {"chip", "channel", "direction", "reversed", "full_speed"}))
            return;
        set(motor.pwm_chip, path(table, "chip"));
        set(motor.pwm_channel, line(table, "channel"));
        set(motor.direction_line, line(table, "direction"));
        set(motor.reversed, reader_.truth(table, "reversed"));
        set(motor.full_speed, reader_.number(table, "full_speed", 0.02, 5));
    }

    void read_serial(const JsonNode& table) {
        if (!reader_.is_table(table, "`serial`", {"port", "baud", "stale_after"})) return;
        set(wiring_.serial, path(table, "port"));
        if (const auto baud = reader_.number(table, "baud", bauds.front(), bauds.back())) {
            if (std::ranges::count(bauds, *baud) == 0)
                reader_.fault(*table.find("baud"),
                              fmt::format("no serial port runs at {} baud; 115200 is usual", *baud));
            wiring_.baud = static_cast<int>(*baud);
        }
        if (const auto seconds = reader_.number(table, "stale_after", 0.02, 10))
            wiring_.stale_after = from_seconds(*seconds);
    }

    void read_sensor(const JsonNode& table) {
        if (!reader_.is_table(table, "a sensor",
                              {"name", "kind", "at", "heading", "reach", "required", "can_power_down"}))
            return;
        motion::SensorPlan sensor;
        const auto name = reader_.required(table, "name", reader_.text(table, "name"));
        const auto kind = reader_.required(table, "kind", reader_.text(table, "kind"));
        if (!name || !kind) return;
        sensor.name = *name;
        const bool plain =
            !name->empty() && name->size() <= longest_name && std::ranges::all_of(*name, [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
            });
        if (!plain)
            reader_.fault(
                *table.find("name"),
                fmt::format("a sensor's name has up to {} small letters, digits and _", longest_name));
        static const std::vector<std::string> kinds = kind_names();
        const auto known = std::ranges::find(kinds, *kind);
        if (known == kinds.end())
            return reader_.fault(*table.find("kind"), fmt::format("no sensor on a serial line is a `{}`{}",
                                                                  *kind, instead_of(*kind, kinds)));
        sensor.kind = kind_of(*kind);
        if (table.find("at")) set(sensor.pose, reader_.pose(table));
        set(sensor.reach, reader_.number(table, "reach", 0.02, 50));
        set(sensor.required, reader_.truth(table, "required"));
        set(sensor.can_power_down, reader_.truth(table, "can_power_down"));
        if (sensor.kind == motion::SensorKind::range && sensor.reach == 0)
            reader_.fault(table, "a range sensor needs its `reach`, in metres");
        for (const motion::SensorPlan& other : wiring_.plan.sensors) {
            if (other.name == sensor.name)
                reader_.fault(*table.find("name"), fmt::format("there are two sensors `{}`", sensor.name));
            if (other.kind == sensor.kind && is_unique(sensor.kind))
                reader_.fault(*table.find("kind"),
                              fmt::format("`{}` is the {} already", other.name, to_string(sensor.kind)));
        }
        wiring_.plan.sensors.push_back(std::move(sensor));
    }

    void check_sensors(const JsonNode& root) {
        const auto has = [this](motion::SensorKind kind) {
            return std::ranges::count(wiring_.plan.sensors, kind, &motion::SensorPlan::kind) > 0;
        };
        if (wiring_.emergency_line && has(motion::SensorKind::emergency_stop))
            reader_.fault(root, "there are two emergency stops: `gpio.emergency_stop` and a sensor");
        if (!reader_.has_faults() &&
            !(has(motion::SensorKind::encoder_right) && has(motion::SensorKind::encoder_left)))
            reader_.fault(root, "a robot needs the sensors encoder_right and encoder_left");
    }

    static motion::SensorKind kind_of(std::string_view name) {
        int i = 0;
        while (to_string(static_cast<motion::SensorKind>(i)) != name) ++i;
        return static_cast<motion::SensorKind>(i);
    }

    std::optional<std::string> path(const JsonNode& table, std::string_view key) {
        auto text = reader_.text(table, key);
        if (!text || (text->starts_with('/') && text->find('\0') == std::string::npos)) return text;
        reader_.fault(*table.find(key), fmt::format("`{}` is a path from /", key));
        return std::nullopt;
    }
    std::optional<unsigned> line(const JsonNode& table, std::string_view key) {
        const auto number = reader_.number(table, key, 0, last_line);
        if (!number) return std::nullopt;
        if (*number != std::floor(*number)) {
            reader_.fault(*table.find(key), fmt::format("`{}` is a whole number", key));
            return std::nullopt;
        }
        return static_cast<unsigned>(*number);
    }
    template <class Value>
    static void set(Value& into, const std::optional<Value>& value) {
        if (value) into = *value;
    }

    world::PlanReader reader_;
    Wiring wiring_;
};

}  // namespace

std::vector<unsigned> gpio_outputs(const Wiring& wiring) {
    return {wiring.enable_line, wiring.right.direction_line, wiring.left.direction_line};
}

std::vector<unsigned> gpio_inputs(const Wiring& wiring) {
    std::vector<unsigned> inputs;
    if (wiring.fault_line) inputs.push_back(*wiring.fault_line);
    if (wiring.emergency_line) inputs.push_back(*wiring.emergency_line);
    return inputs;
}

std::expected<Wiring, std::vector<TextFault>> read_wiring(const NamedText& file) {
    return WiringReader(file).read();
}

}  // namespace caribou::robot
