#include "sim/world_server.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/path_name.hpp"

namespace caribou::sim {

/// From the first byte to its end, which orders zero to its robot.
class WorldServer::Connection final : StreamEvents {
public:
    Connection(WorldServer& server, std::unique_ptr<Stream> stream)
        : server_(server), stream_(std::move(stream)) {
        stream_->attach(*this);
    }
    ~Connection() {
        if (driver_) driver_->stop(why_);
    }

    const std::string& name() const { return name_; }
    void end(std::string why) { why_ = std::move(why); }
    void tick(Instant now) {
        if (driver_) driver_->tick(now);
        if (!writable_) close("not read");
    }

private:
    void on_readable() override {
        std::array<std::byte, 16_KiB> buffer;
        const auto size = stream_->read(buffer);
        if (!size) return close("closed");
        auto taken = take(std::span(buffer).first(*size));
        if (!taken) {
            server_.log_.warning(fmt::format("robot `{}`: {}", claimed_, taken.error().message));
            send(driver::frame_of(
                driver::LogLine{driver::LogLine::ERROR, taken.error().message.substr(0, 500)}));
            return close("refused");
        }
        if (driver_ && driver_->finished()) return close("goodbye");
        if (!writable_) close("not read");
    }
    void on_writable() override {}

    Result<void> take(ByteView bytes) {
        const Instant now = server_.loop_.clock().now();
        if (driver_) return driver_->on_bytes(bytes, now);
        reader_.add(bytes);
        auto message = reader_.next();
        if (!message) return fail(std::move(message.error()));
        if (!*message) return {};
        const auto* const attach = std::get_if<driver::Attach>(&**message);
        if (attach == nullptr) return fail(Code::malformed, "the first frame is not an attach");
        claimed_ = attach->name.substr(0, 64);
        if (auto good = begin(attach->name, now); !good) return good;
        return driver_->on_bytes(reader_.take_rest(), now);
    }

    Result<void> begin(const std::string& name, Instant now) {
        if (auto good = check_path_name(name); !good) return good;
        const auto robot = server_.robot_of(name);
        if (!robot) return fail(robot.error());
        server_.drop_driver_of(name, *this);
        name_ = name;
        driver_.emplace(
            *(*robot)->body, driver::BodyDriverSettings{.name = "world", .stops_without_feed_ms = 0},
            [this](ByteView bytes) { send(bytes); },
            [this](motion::WheelSpeeds ordered, std::string_view why) {
                server_.record(name_, ordered, why);
            });
        driver_->greet(now);
        server_.log_.info(fmt::format("robot `{}` is driven", name_));
        return {};
    }

    void send(ByteView bytes) {
        if (!writable_) return;
        const auto written = stream_->write(std::span(&bytes, 1));
        writable_ = written && *written == bytes.size();
    }

    /// Destroys this object.
    void close(std::string why) {
        end(std::move(why));
        server_.drop(*this);
    }

    WorldServer& server_;
    std::unique_ptr<Stream> stream_;
    driver::DriverFrameReader reader_;
    std::string claimed_;  ///< the name that it has given, also if it was refused
    std::string name_;
    std::optional<driver::BodyDriver> driver_;
    std::string why_ = "the world ends";
    bool writable_ = true;  ///< false: the stream is lost, or its peer does not read
};

WorldServer::WorldServer(Loop& loop, Network& network, world::World world, Log& log, Trace trace)
    : loop_(loop),
      network_(network),
      log_(log),
      trace_(std::move(trace)),
      world_(std::move(world), loop.clock()),
      timer_(loop.make_timer([this] { advance(); })),
      next_tick_(loop.clock().now()) {
    timer_->arm(next_tick_);
}

WorldServer::~WorldServer() = default;

Result<void> WorldServer::listen(const Address& at) {
    auto listener =
        network_.listen(at, [this](std::unique_ptr<Stream> stream) { accept(std::move(stream)); });
    if (!listener) return fail(std::move(listener.error()));
    listener_ = std::move(*listener);
    return {};
}

void WorldServer::accept(std::unique_ptr<Stream> stream) {
    if (connections_.size() >= max_connections)
        return log_.warning(
            limit_reached("max_connections", connections_.size() + 1, max_connections, "connections"));
    connections_.push_back(std::make_unique<Connection>(*this, std::move(stream)));
}

void WorldServer::advance() {
    const Instant now = loop_.clock().now();
    world_.now();
    // A tick may end its connection.
    for (auto next = connections_.begin(); next != connections_.end();) (*next++)->tick(now);
    next_tick_ = std::max(next_tick_ + tick, now);
    timer_->arm(next_tick_);
}

Result<WorldServer::Robot*> WorldServer::robot_of(const std::string& name) {
    if (const auto known = robots_.find(name); known != robots_.end()) return &known->second;
    const auto id = world_.now().add_robot();
    if (!id) return fail(id.error());
    return &robots_.emplace(name, Robot{*id, std::make_unique<robot::SimBody>(world_, *id)}).first->second;
}

void WorldServer::record(const std::string& name, motion::WheelSpeeds ordered, std::string_view why) {
    Robot& robot = robots_.at(name);
    if (std::exchange(robot.ordered, ordered) == ordered || !trace_) return;
    trace_(fmt::format("{} {} {} {} {}",
                       loop_.clock().now().time_since_epoch() / std::chrono::microseconds(1), name,
                       ordered.left, ordered.right, why));
}

void WorldServer::drop(Connection& connection) {
    if (!connection.name().empty())
        log_.info(fmt::format("robot `{}` is no longer driven", connection.name()));
    std::erase_if(connections_, [&](const auto& each) { return each.get() == &connection; });
}

void WorldServer::drop_driver_of(const std::string& name, const Connection& except) {
    for (const auto& each : connections_) {
        if (each.get() == &except || each->name() != name) continue;
        each->end("replaced");
        return drop(*each);
    }
}

}  // namespace caribou::sim
