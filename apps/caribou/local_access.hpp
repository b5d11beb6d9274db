#pragma once

#include <optional>
#include <string>

#include "base/log.hpp"
#include "platform/local_token.hpp"
#include "station/api.hpp"

namespace caribou::app {

/// Makes the token of a page that is served at `actual` and lets programs that show it do everything. If port
/// 0 was `configured`, the token is removed with the returned object. Without a folder to store it in,
/// returns nullopt and logs why: programs of this machine may then observe and stop only.
std::optional<LocalToken> open_local_token(station::StationApi& api, const Address& configured,
                                           const Address& actual, Log& log);

/// The address that a person opens in a browser to drive: `http://127.0.0.1:9680/?token=…`.
std::string page_address(const Address& server, const std::string& token);

}  // namespace caribou::app
