#include "kit/robot/robot_key.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/body/robot_lock.hpp"
#include "adapters/openssl/tls_network.hpp"
#include "kit/program/key_place.hpp"

namespace caribou::app {
namespace {

using Keys = std::vector<link::PairedKey>;

/// Connects once, to check the key.
class Trial final : public StreamEvents {
public:
    void on_open() override { end_.emplace(); }
    void on_readable() override {}
    void on_writable() override {}
    void on_connect_failed(const Error& why) override { end_ = fail(why); }

    const std::optional<Result<void>>& end() const { return end_; }

private:
    std::optional<Result<void>> end_;
};

Result<Keys> keys_in(const KeyFolder& folder) {
    const auto entries = folder.all();
    if (!entries) return fail(entries.error());
    Keys keys;
    for (const KeyFolder::Entry& entry : *entries)
        if (entry.key && entry.file == folder.file_of(entry.key->name)) keys.push_back(*entry.key);
    return keys;
}

/// Those of robots of this account that run come first: a robot logs each key that it refuses.
void sort_likely_first(Keys& keys) {
    std::ranges::stable_partition(keys, [](const link::PairedKey& key) {
        return RobotLock::process_to_signal(state_file(key.name, "", ".lock")).has_value();
    });
}

std::string names_of(const Keys& keys) {
    std::vector<std::string> names;
    for (const link::PairedKey& key : keys) names.push_back(key.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Result<link::PairedKey> key_for(const Address& robot, const KeyFolder& folder, const std::string& name,
                                EventLoop& loop, Network& plain, Log& log) {
    if (!name.empty()) return folder.read(name);
    auto keys = keys_in(folder);
    if (!keys) return fail(std::move(keys.error()));
    if (keys->size() == 1) return keys->front();
    const std::string path = folder.path().string();
    if (keys->empty() || !robot.is_loopback())
        return fail(Code::not_found, fmt::format("which key of {}? Choose one with --key; there {}", path,
                                                 keys->empty() ? "is none" : "are " + names_of(*keys)));
    sort_likely_first(*keys);
    TlsNetwork secured(loop, plain, log, {});
    for (link::PairedKey& key : *keys) {
        Trial trial;
        const auto stream = secured.connect(robot, key.key, trial);
        loop.run_until([&] { return trial.end().has_value(); }, TlsLimits{}.handshake);
        if (!trial.end()) return fail(Code::timed_out, "it does not answer");
        if (*trial.end()) return std::move(key);
        const Error& why = trial.end()->error();
        if (why.code != Code::refused && why.code != Code::malformed) return fail(why);
    }
    std::ranges::sort(*keys, {}, &link::PairedKey::name);
    return fail(Code::not_found, fmt::format("it accepts none of the keys in {}: {}", path, names_of(*keys)));
}

}  // namespace caribou::app
