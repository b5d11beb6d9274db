#include "caribou/local_access.hpp"

#include <fmt/format.h>

namespace caribou::app {

std::optional<LocalToken> open_local_token(station::StationApi& api, const Address& configured,
                                           const Address& actual, Log& log) {
    const auto lifetime =
        configured.port == 0 ? LocalToken::Lifetime::of_process : LocalToken::Lifetime::kept;
    auto token = LocalToken::open(state_folder_of_user(), actual.port, lifetime);
    if (!token) {
        log.warning(
            fmt::format("programs of this machine may only observe and stop: {}", token.error().message));
        return std::nullopt;
    }
    api.grant(token->text(), link::Role::admin);
    return std::optional<LocalToken>(std::move(*token));
}

std::string page_address(const Address& server, const std::string& token) {
    return fmt::format("http://{}/?token={}", to_string(server), token);
}

}  // namespace caribou::app
