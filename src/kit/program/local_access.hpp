#pragma once

#include <memory>
#include <string>

#include "base/log.hpp"
#include "platform/http_server.hpp"
#include "platform/local_token_keeper.hpp"
#include "station/api.hpp"

namespace caribou::app {

/// Serves the page and the interface for programs at an address. `api` must outlive the server.
Result<std::unique_ptr<HttpServer>> serve_web(EventLoop& loop, station::StationApi& api, const Address& at);

/// Serves the same as the port of `actual` on a Unix socket for the programs of this account and root:
/// however many connections others open to the port, these programs can connect. Returns null, and logs why,
/// if that fails.
std::unique_ptr<HttpServer> serve_local_programs(EventLoop& loop, station::StationApi& api,
                                                 const Address& actual, Log& log);

/// Makes the token of a page that is served at `actual` and lets programs that show it do everything. If port
/// 0 was `configured`, the token is removed with the returned object. As long as it cannot be stored, which
/// is logged, programs of this machine may observe and stop only. All arguments must outlive the object.
std::unique_ptr<LocalTokenKeeper> open_local_token(Loop& loop, station::StationApi& api,
                                                   const Address& configured, const Address& actual,
                                                   Log& log);

/// The address that a person opens in a browser to drive: `http://127.0.0.1:9680/?token=…`.
std::string page_address(const Address& server, const std::string& token);

}  // namespace caribou::app
