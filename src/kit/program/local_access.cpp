#include "kit/program/local_access.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::app {

Result<std::unique_ptr<HttpServer>> serve_web(EventLoop& loop, station::StationApi& api, const Address& at) {
    return HttpServer::listen(
        loop, at, [&api](const WebRequest& request) { return api.answer(request); },
        [&api](const WebRequest& request, std::unique_ptr<TextChannel> channel) {
            api.open(request, std::move(channel));
        });
}

std::unique_ptr<HttpServer> serve_local_programs(EventLoop& loop, station::StationApi& api,
                                                 const Address& actual, Log& log) {
    auto server = serve_web(loop, api, local_socket(state_folder_of_user(), actual.port));
    if (server) return std::move(*server);
    log.warning(fmt::format("programs of this account connect by the port only: {}", server.error().message));
    return nullptr;
}

std::unique_ptr<LocalTokenKeeper> open_local_token(Loop& loop, station::StationApi& api,
                                                   const Address& configured, const Address& actual,
                                                   Log& log) {
    const auto lifetime =
        configured.port == 0 ? LocalToken::Lifetime::of_process : LocalToken::Lifetime::kept;
    return std::make_unique<LocalTokenKeeper>(
        loop, LocalTokenKeeper::Place{state_folder_of_user(), actual.port, lifetime},
        [&api](const std::string& token) { api.grant(token, link::Role::admin); }, log);
}

std::string page_address(const Address& server, const std::string& token) {
    return fmt::format("http://{}/?token={}", to_string(server), token);
}

}  // namespace caribou::app
