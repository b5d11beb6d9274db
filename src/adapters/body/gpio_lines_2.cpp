// For libgpiod 2, of Debian 13.
#include "adapters/body/gpio_lines.hpp"

#include <gpiod.h>

#include <cerrno>
#include <map>

#include <fmt/format.h>

#include "platform/system_error.hpp"

namespace caribou {
namespace {

using Chip = std::unique_ptr<gpiod_chip, decltype([](gpiod_chip* chip) { gpiod_chip_close(chip); })>;
using Info =
    std::unique_ptr<gpiod_line_info, decltype([](gpiod_line_info* info) { gpiod_line_info_free(info); })>;
using Settings = std::unique_ptr<gpiod_line_settings,
                                 decltype([](gpiod_line_settings* it) { gpiod_line_settings_free(it); })>;
using LineConfig =
    std::unique_ptr<gpiod_line_config, decltype([](gpiod_line_config* it) { gpiod_line_config_free(it); })>;
using RequestConfig =
    std::unique_ptr<gpiod_request_config,
                    decltype([](gpiod_request_config* it) { gpiod_request_config_free(it); })>;
using Request = std::unique_ptr<gpiod_line_request,
                                decltype([](gpiod_line_request* it) { gpiod_line_request_release(it); })>;

class GpiodLines final : public GpioLines {
public:
    explicit GpiodLines(Chip chip) : chip_(std::move(chip)) {}

    Result<void> take(unsigned number, bool output) {
        if (!Info(gpiod_chip_get_line_info(chip_.get(), number))) return failure("there is no line", number);
        Request request = request_line(number, output);
        if (!request) return failure("cannot take line", number);
        lines_[number] = std::move(request);
        return {};
    }
    Result<void> set(unsigned number, bool high) override {
        const auto line = lines_.find(number);
        if (line == lines_.end()) return fail(Code::not_found, fmt::format("line {} was not taken", number));
        const auto value = high ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
        if (gpiod_line_request_set_value(line->second.get(), number, value) != 0)
            return failure("cannot set line", number);
        return {};
    }
    Result<bool> get(unsigned number) override {
        const auto line = lines_.find(number);
        if (line == lines_.end()) return fail(Code::not_found, fmt::format("line {} was not taken", number));
        const auto value = gpiod_line_request_get_value(line->second.get(), number);
        if (value == GPIOD_LINE_VALUE_ERROR) return failure("cannot read line", number);
        return value == GPIOD_LINE_VALUE_ACTIVE;
    }

private:
    static std::unexpected<Error> failure(std::string_view what, unsigned number) {
        return fail(system_error(fmt::format("{} {}", what, number), errno));
    }

    /// Returns null, with errno set, if the line cannot be requested.
    Request request_line(unsigned number, bool output) const {
        const Settings settings(gpiod_line_settings_new());
        const LineConfig line(gpiod_line_config_new());
        const RequestConfig request(gpiod_request_config_new());
        if (!settings || !line || !request) return nullptr;
        gpiod_line_settings_set_direction(settings.get(),
                                          output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT);
        if (output) gpiod_line_settings_set_output_value(settings.get(), GPIOD_LINE_VALUE_INACTIVE);
        if (gpiod_line_config_add_line_settings(line.get(), &number, 1, settings.get()) != 0) return nullptr;
        gpiod_request_config_set_consumer(request.get(), "caribou");
        return Request(gpiod_chip_request_lines(chip_.get(), request.get(), line.get()));
    }

    Chip chip_;
    std::map<unsigned, Request> lines_;
};

}  // namespace

Result<std::unique_ptr<GpioLines>> open_gpio(const std::string& chip, std::span<const unsigned> outputs,
                                             std::span<const unsigned> inputs) {
    Chip opened(gpiod_chip_open(chip.c_str()));
    if (!opened) return fail(system_error(chip, errno));
    auto lines = std::make_unique<GpiodLines>(std::move(opened));
    for (const unsigned line : outputs)
        if (auto taken = lines->take(line, true); !taken) return fail(std::move(taken.error()));
    for (const unsigned line : inputs)
        if (auto taken = lines->take(line, false); !taken) return fail(std::move(taken.error()));
    return lines;
}

}  // namespace caribou
