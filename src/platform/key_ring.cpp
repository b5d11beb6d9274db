#include "platform/key_ring.hpp"

#include <chrono>

#include <fmt/format.h>

namespace caribou {

Result<link::PairedKey> KeyRing::find(link::KeyId id) {
    refresh();
    if (const auto found = keys_.find(id); found != keys_.end()) return found->second;
    return fail(Code::not_found,
                fmt::format("no key with the id {} is in {}", to_string(id), folder_.path().string()));
}

std::size_t KeyRing::size() {
    refresh();
    return keys_.size();
}

void KeyRing::refresh() {
    using FileClock = std::filesystem::file_time_type::clock;
    // The file system's time moves in steps: what has changed in the last of them may change once more.
    constexpr auto step = std::chrono::seconds(1);

    std::error_code error;
    const auto changed = std::filesystem::last_write_time(folder_.path(), error);
    if (!error && seen_ == changed) return;
    seen_ = !error && FileClock::now() - changed > step ? std::optional(changed) : std::nullopt;
    keys_.clear();
    const auto entries = folder_.all();
    if (!entries) return log_.error(entries.error().message);
    for (const KeyFolder::Entry& entry : *entries) {
        if (entry.key)
            keys_.emplace(link::id_of(entry.key->key), *entry.key);
        else
            log_.warning(entry.key.error().message);
    }
}

}  // namespace caribou
