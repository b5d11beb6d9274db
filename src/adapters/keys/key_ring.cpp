#include "adapters/keys/key_ring.hpp"

#include <chrono>
#include <ranges>

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
    return folder_.read(std::string(name));  // which names the error
}

std::vector<std::string> KeyRing::names() {
    const std::lock_guard held(lock_);
    refresh();
    const auto all = names_ | std::views::keys;
    return {all.begin(), all.end()};
}

std::size_t KeyRing::size() {
    const std::lock_guard held(lock_);
    refresh();
    return keys_.size();
}

void KeyRing::refresh() {
    // File times have a limited resolution: a folder that changed within the last step may change again
    // without a visible difference, so it is read again; with many keys less often, because reading them
    // takes long.
    constexpr auto step = std::chrono::seconds(1);
    const auto pause = std::chrono::milliseconds(keys_.size() / 100 * 10);

    std::error_code error;
    const Time changed = std::filesystem::last_write_time(folder_.path(), error);
    const Time now = Time::clock::now();
    if (!error && changed_ == changed && (read_ - changed > step || now - read_ < pause)) return;
    changed_ = error ? std::nullopt : std::optional(changed);
    read_ = now;
    const auto entries = folder_.all();
    if (!entries) {
        // The known keys remain valid until the folder can be read again.
        changed_.reset();
        return log_.error(entries.error().message);
    }
    keys_.clear();
    names_.clear();
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
