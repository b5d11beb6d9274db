#include "platform/key_ring.hpp"

#include <chrono>

#include <fmt/format.h>

namespace caribou {

Result<link::PairedKey> KeyRing::find(link::KeyId id) {
    const std::lock_guard held(lock_);
    refresh();
    if (const auto found = keys_.find(id); found != keys_.end()) return found->second;
    return fail(Code::not_found,
                fmt::format("no key with the id {} is in {}", to_string(id), folder_.path().string()));
}

Result<link::PairedKey> KeyRing::named(std::string_view name) {
    const std::lock_guard held(lock_);
    refresh();
    if (const auto found = names_.find(name); found != names_.end()) return keys_.at(found->second);
    return folder_.read(std::string(name));  // which says what is wrong
}

std::size_t KeyRing::size() {
    const std::lock_guard held(lock_);
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
    names_.clear();
    const auto entries = folder_.all();
    if (!entries) return log_.error(entries.error().message);
    for (const KeyFolder::Entry& entry : *entries) {
        if (!entry.key) {
            log_.warning(entry.key.error().message);
            continue;
        }
        const link::KeyId id = link::id_of(entry.key->key);
        keys_.emplace(id, *entry.key);
        if (entry.file == folder_.file_of(entry.key->name)) names_.emplace(entry.key->name, id);
    }
}

}  // namespace caribou
