#include "station_program.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <memory>

#include <fmt/format.h>

#include "adapters/keys/key_folder.hpp"
#include "adapters/openssl/tls_network.hpp"
#include "base/random.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "station/played_robot.hpp"
#include "tcp.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

std::string name_of(std::size_t robot) { return fmt::format("robot_{}", robot); }

/// Returns a port that was free a moment ago.
std::uint16_t free_port() {
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    return (*network.listen(Address::ip("127.0.0.1", 0), [](std::unique_ptr<Stream>) {}))->address().port;
}

/// A robot and its secured connection.
struct CrowdRobot {
    CrowdRobot(Loop& loop, Network& network, Log& log, const Address& station, std::size_t number, bool keyed)
        : tls(loop, network, log,
              {.keys = [number](link::KeyId) -> Result<link::SecretKey> { return key_of(number); }}),
          robot(loop, network,
                {.name = name_of(number),
                 .station = station,
                 .key = keyed ? std::optional(key_of(number)) : std::nullopt,
                 .streams = &tls,
                 .calls = false}) {
        robot.telemetry.ranges.resize(36);
    }
    TlsNetwork tls;
    station::PlayedRobot robot;
};

}  // namespace

link::SecretKey key_of(std::size_t robot) {
    Random random(robot);
    std::array<std::byte, link::SecretKey::size> bytes;
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    return link::SecretKey(bytes);
}

StationProgram::StationProgram(std::size_t keys) : web_(Address::ip("127.0.0.1", free_port())) {
    const KeyFolder folder(keys_ / "keys");
    for (std::size_t i = 0; i < keys; ++i)
        if (!folder.save({name_of(i), link::Role::admin, "2026-01-01T00:00:00Z", key_of(i)}))
            give_up("a key cannot be saved");
    std::vector<std::string> words{"station", "--quiet", "--listen", "127.0.0.1:0", "--web", to_string(web_)};
    if (keys == 0)
        words.emplace_back("--plain");
    else
        words.insert(words.end(), {"--keys", folder.path().string()});
    // Hidden, because it logs the attacks made here on purpose.
    program_.emplace(beside_this_program("caribou"), words, Program::Complaints::hidden);
    const std::string& line = program_->first_line();
    const auto address = Address::parse(line.substr(line.rfind(' ') + 1));
    if (!address) give_up("the station does not start");
    address_ = *address;
}

double StationProgram::count(std::string_view metric) const {
    const TcpConnection connection(web_.port);
    connection.send(bytes_of("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    const std::string name = fmt::format("caribou_station_{} ", metric);
    std::string heard;
    std::size_t at = std::string::npos;
    while (at == std::string::npos || heard.find('\n', at) == std::string::npos) {
        std::array<std::byte, 4096> bytes;
        heard += text_of(ByteView(bytes).first(connection.receive(bytes)));
        at = heard.find(name);
    }
    return std::stod(heard.substr(at + name.size()));
}

RobotCrowd::Pipe::Pipe() { need(::pipe(ends) == 0, "make a pipe"); }
RobotCrowd::Pipe::~Pipe() {
    for (const int end : ends) ::close(end);
}
void RobotCrowd::Pipe::tell() const { need(::write(ends[1], "!", 1) == 1, "tell the other process"); }
void RobotCrowd::Pipe::hear(std::string_view what) const {
    char word = 0;
    if (::read(ends[0], &word, 1) != 1) give_up(what);
}

RobotCrowd::RobotCrowd(const Address& station, const Options& options)
    : child_([&] { play(station, options); }) {
    heard_.hear("robots cannot be made");
}

void RobotCrowd::call() const { told_.tell(); }

bool RobotCrowd::connected() const {
    pollfd one{heard_.ends[0], POLLIN, 0};
    return ::poll(&one, 1, 0) == 1;
}

void RobotCrowd::await() const { heard_.hear("not all robots were connected"); }

void RobotCrowd::play(const Address& station, const Options& options) const {
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    std::vector<std::unique_ptr<CrowdRobot>> robots;
    std::size_t connected = 0;
    for (std::size_t i = 0; i < options.count; ++i) {
        robots.push_back(
            std::make_unique<CrowdRobot>(loop, network, log, station, options.first + i, options.keyed));
        robots.back()->robot.on_auth = [&] { connected += 1; };
    }
    heard_.tell();
    told_.hear("nobody wants the robots");
    for (const auto& each : robots) each->robot.calls = true;
    if (!loop.run_until([&] { return connected >= options.count; }, 60s))
        give_up("robots were not connected");
    heard_.tell();
    loop.run();
}

}  // namespace caribou::bench
