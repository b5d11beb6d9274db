// For libgpiod 1, of Debian 12.
#include "adapters/body/gpio_lines.hpp"

#include <gpiod.h>

#include <cerrno>
#include <map>

#include <fmt/format.h>

#include "platform/system_error.hpp"

namespace caribou {
namespace {

using Chip = std::unique_ptr<gpiod_chip, decltype([](gpiod_chip* chip) { gpiod_chip_close(chip); })>;

class GpiodLines final : public GpioLines {
public:
    explicit GpiodLines(Chip chip) : chip_(std::move(chip)) {}

    Result<void> take(unsigned number, bool output) {
        gpiod_line* const line = gpiod_chip_get_line(chip_.get(), number);
        if (line == nullptr) return failure("there is no line", number);
        const int outcome = output ? gpiod_line_request_output(line, "caribou", 0)
                                   : gpiod_line_request_input(line, "caribou");
        if (outcome != 0) return failure("cannot take line", number);
        lines_[number] = line;
        return {};
    }
    Result<void> set(unsigned number, bool high) override {
        const auto line = lines_.find(number);
        if (line == lines_.end()) return fail(Code::not_found, fmt::format("line {} was not taken", number));
        if (gpiod_line_set_value(line->second, high ? 1 : 0) != 0) return failure("cannot set line", number);
        return {};
    }
    Result<bool> get(unsigned number) override {
        const auto line = lines_.find(number);
        if (line == lines_.end()) return fail(Code::not_found, fmt::format("line {} was not taken", number));
        const int value = gpiod_line_get_value(line->second);
        if (value < 0) return failure("cannot read line", number);
        return value != 0;
    }

private:
    static std::unexpected<Error> failure(std::string_view what, unsigned number) {
        return fail(system_error(fmt::format("{} {}", what, number), errno));
    }

    Chip chip_;
    std::map<unsigned, gpiod_line*> lines_;  ///< owned by the chip
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
