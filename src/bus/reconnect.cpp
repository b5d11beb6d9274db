#include "bus/reconnect.hpp"

#include <algorithm>

namespace caribou::bus {
namespace {

/// FNV-1a: independent of the machine.
std::uint64_t hash_of(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

}  // namespace

Reconnect::Reconnect(std::uint64_t seed, std::string_view name) : random_(seed ^ hash_of(name)) {}

Duration Reconnect::next() {
    const Duration span = span_;
    span_ = std::clamp(2 * span, first_pause, max_pause);
    return Duration(random_.between((span / 2).count(), span.count()));
}

void Reconnect::stood(Duration time) {
    if (time >= steady) reset();
}

}  // namespace caribou::bus
