#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "loop/loop.hpp"
#include "platform/local_token.hpp"

namespace caribou {

/// Opens the token of a port, and tries again every few seconds as long as it cannot be stored, such as on a
/// full disk. Logs the failure, each change of its reason, and the success that follows.
class LocalTokenKeeper {
public:
    struct Place {
        std::filesystem::path folder{};
        std::uint16_t port = 0;
        LocalToken::Lifetime lifetime = LocalToken::Lifetime::kept;
    };

    /// Calls `on_token` once with the token, inside the constructor if it can be stored at once. Loop and log
    /// must outlive this object.
    LocalTokenKeeper(Loop& loop, Place place, std::function<void(const std::string& token)> on_token,
                     Log& log);

    /// Returns null if there is no token yet.
    const LocalToken* token() const { return token_ ? &*token_ : nullptr; }

    static constexpr Duration period = std::chrono::seconds(5);

private:
    void try_once();

    Loop& loop_;
    Place place_;
    std::function<void(const std::string&)> on_token_;
    Log& log_;
    std::optional<LocalToken> token_;
    std::string trouble_{};  ///< last failure; empty: none
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou
