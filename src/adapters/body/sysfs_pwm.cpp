#include "adapters/body/sysfs_pwm.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "platform/system_error.hpp"

namespace caribou {
namespace {

/// Files in sysfs take one value per write, at offset 0.
Result<void> put(int file, const std::string& path, const std::string& value) {
    if (::pwrite(file, value.data(), value.size(), 0) == static_cast<ssize_t>(value.size())) return {};
    return fail(system_error(path, errno));
}

Result<Descriptor> open_file(const std::string& path) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file) return fail(system_error(path, errno));
    return file;
}

Result<void> put(const std::string& path, const std::string& value) {
    const auto file = open_file(path);
    if (!file) return fail(file.error());
    return put(file->get(), path, value);
}

}  // namespace

Result<SysfsPwm> SysfsPwm::open(const std::string& chip, unsigned channel, Duration period) {
    const std::string path = fmt::format("{}/pwm{}", chip, channel);
    if (!std::filesystem::exists(path))
        if (auto exported = put(chip + "/export", fmt::format("{}", channel)); !exported)
            return fail(std::move(exported.error()));
    // The order matters: a duty cycle longer than the period is refused.
    for (const auto& [file, value] : {std::pair{"/duty_cycle", std::string("0\n")},
                                      std::pair{"/period", fmt::format("{}\n", period.count())},
                                      std::pair{"/enable", std::string("1\n")}})
        if (auto done = put(path + file, value); !done) return fail(std::move(done.error()));
    auto duty = open_file(path + "/duty_cycle");
    if (!duty) return fail(std::move(duty.error()));
    return SysfsPwm(path + "/duty_cycle", std::move(*duty), period);
}

Result<void> SysfsPwm::set(double duty) {
    const double share = std::clamp(duty, 0.0, 1.0);
    return put(duty_.get(), path_,
               fmt::format("{}\n", std::llround(share * static_cast<double>(period_.count()))));
}

}  // namespace caribou
