#include "platform/inherited_descriptor.hpp"

#include <fcntl.h>

#include <charconv>

#include "platform/environment.hpp"

namespace caribou {

Descriptor inherited_descriptor(const std::string& variable) {
    const std::string text = environment(variable).value_or("");
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    if (!is_number || number < 0 || ::fcntl(number, F_SETFD, FD_CLOEXEC) != 0) return {};
    return Descriptor(number);
}

}  // namespace caribou
