#include "caribou/station_start.hpp"

#include "adapters/dds/topic_transport.hpp"
#include "base/log.hpp"
#include "caribou/station_keys.hpp"
#include "platform/event_loop.hpp"
#include "platform/file_disk.hpp"
#include "platform/http_server.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {

std::vector<std::string> check_station_start(const station::StationConfig& config, const KeyFolder& keys) {
    std::vector<std::string> faults;
    const auto check = [&](std::string_view key, const auto& tried) {
        if (!tried) faults.push_back(std::string(key) + ": " + tried.error().message);
    };
    const auto check_address = [&](std::string_view key, const auto& tried) {
        if (tried || tried.error().code != Code::already_exists) check(key, tried);
    };
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    check("link.keys", StationKeys::open(config, keys, loop, network, log));
    check_address("listen", network.bind(config.listen, [] {}));
    check_address("web.listen", HttpServer::listen(
                                    loop, config.web_listen, [](const WebRequest&) { return WebAnswer{}; },
                                    [](const WebRequest&, std::unique_ptr<TextChannel>) {}));
    if (!config.record.folder.empty()) check("record.folder", FileDisk::check(config.record.folder));
    check("topics",
          make_topic_transport(config.topics, config.fleet.session.station + "_views", loop, network, log));
    return faults;
}

}  // namespace caribou::app
