#include "adapters/bluez/bluez_bus.hpp"

#include <fcntl.h>
#include <poll.h>

#include <cerrno>
#include <unordered_map>

#include <fmt/format.h>

#include "adapters/bluez/sdbus_calls.hpp"
#include "platform/event_loop_core.hpp"
#include "platform/system_error.hpp"
#include "platform/watched_socket.hpp"

namespace caribou {
namespace {

using Options = std::map<std::string, sdbus::Variant>;
using Properties = std::map<std::string, sdbus::Variant>;
using Interfaces = std::map<std::string, Properties>;

constexpr const char* service = "org.bluez";
constexpr const char* object_manager = "org.freedesktop.DBus.ObjectManager";
constexpr const char* properties_interface = "org.freedesktop.DBus.Properties";

BluezValue value_of(const sdbus::Variant& variant) {
    if (variant.isEmpty()) return {};
    if (variant.containsValueOfType<bool>()) return variant.get<bool>();
    if (variant.containsValueOfType<std::int16_t>()) return std::int64_t{variant.get<std::int16_t>()};
    if (variant.containsValueOfType<std::string>()) return variant.get<std::string>();
    if (variant.containsValueOfType<sdbus::ObjectPath>())
        return std::string(variant.get<sdbus::ObjectPath>());
    if (variant.containsValueOfType<std::vector<std::string>>())
        return variant.get<std::vector<std::string>>();
    if (variant.containsValueOfType<std::vector<std::uint8_t>>()) {
        const auto octets = variant.get<std::vector<std::uint8_t>>();
        const ByteView bytes = std::as_bytes(std::span(octets));
        return Bytes(bytes.begin(), bytes.end());
    }
    return {};
}

BluezProperties values_of(const Properties& properties) {
    BluezProperties values;
    for (const auto& [name, variant] : properties) values[name] = value_of(variant);
    return values;
}

BluezInterfaces values_of(const Interfaces& interfaces) {
    BluezInterfaces values;
    for (const auto& [name, properties] : interfaces) values[name] = values_of(properties);
    return values;
}

Error error_of(const sdbus::Error& error) {
    static const std::unordered_map<std::string_view, Code> codes{
        {"org.freedesktop.DBus.Error.AccessDenied", Code::refused},
        {"org.bluez.Error.NotAuthorized", Code::refused},
        {"org.freedesktop.DBus.Error.UnknownObject", Code::not_found},
        {"org.freedesktop.DBus.Error.UnknownMethod", Code::not_found},
        {"org.bluez.Error.DoesNotExist", Code::not_found},
        {"org.freedesktop.DBus.Error.ServiceUnknown", Code::unavailable},
        {"org.freedesktop.DBus.Error.NameHasNoOwner", Code::unavailable},
        {"org.bluez.Error.NotReady", Code::unavailable},
        {"org.bluez.Error.AlreadyConnected", Code::already_exists},
        {"org.bluez.Error.NotConnected", Code::closed},
        {"org.bluez.Error.InProgress", Code::wrong_state},
        {"org.freedesktop.DBus.Error.NoReply", Code::timed_out},
        {"org.freedesktop.DBus.Error.Timeout", Code::timed_out},
    };
    const auto known = codes.find(error.getName());
    return {known == codes.end() ? Code::io : known->second,
            error.getMessage().empty() ? error.getName() : error.getMessage()};
}

/// Returns the error to report when the objects of BlueZ cannot be read.
Error unreachable_for(const Error& error) {
    switch (error.code) {
        case Code::refused:
            return {Code::refused, "this user may not use BlueZ: add it to the group `bluetooth`"};
        case Code::unavailable:
            return {Code::unavailable, "BlueZ does not run: start it, with `systemctl start bluetooth`"};
        default: return {Code::unavailable, "BlueZ does not answer: " + error.message};
    }
}

}  // namespace

class BluezBus::Connection {
public:
    Connection(EventLoop& loop, BluezBusEvents& events, BluezBusOptions options)
        : loop_(loop),
          events_(events),
          options_(std::move(options)),
          turn_timer_(loop.make_timer([this] { take_turn(); })),
          retry_timer_(loop.make_timer([this] { bus_ ? ask_for_objects() : open(); })) {
        retry_timer_->arm(loop.clock().now());
    }
    ~Connection() { close(); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// `add` writes the arguments into the call; `take` reads the reply.
    template <class Add, class Take>
    void call(const std::string& path, std::string_view interface, const std::string& method, Add add,
              Take take) {
        if (!bus_) return;
        try {
            sdbus::IProxy& object = proxy(path);
            sdbus::MethodCall message = sdbus_calls::make_call(object, std::string(interface), method);
            add(message);
            sdbus_calls::send(object, message, [take](sdbus::MethodReply& reply, const sdbus::Error* error) {
                try {
                    take(reply, error);
                } catch (const sdbus::Error& unreadable) {
                    take(reply, &unreadable);
                }
            });
        } catch (const sdbus::Error& error) {
            broken_ = error.getMessage();
        }
        turn_timer_->arm(loop_.clock().now());
    }

private:
    class Watch final : public WatchedSocket {
    public:
        explicit Watch(Connection& connection)
            : WatchedSocket(connection.loop_.core().io()), connection_(connection) {}

    private:
        void on_ready_to_read() override { connection_.take_turn(); }
        void on_ready_to_write() override { connection_.take_turn(); }
        Connection& connection_;
    };

    /// Exceptions must not propagate through the C library below; an unreadable message is ignored.
    template <class Call>
    static void guard(Call call) {
        try {
            call();
        } catch (const sdbus::Error&) {
            return;
        }
    }

    void open() {
        try {
            bus_ = options_.address.empty() ? sdbus::createSystemBusConnection()
                                            : sdbus::createSessionBusConnectionWithAddress(options_.address);
            sdbus_calls::add_match(*bus_, fmt::format("type='signal',sender='{}'", service),
                                   [this](sdbus::Message& signal) { guard([&] { take_signal(signal); }); });
            sdbus_calls::add_match(*bus_,
                                   fmt::format("type='signal',sender='org.freedesktop.DBus',"
                                               "member='NameOwnerChanged',arg0='{}'",
                                               service),
                                   [this](sdbus::Message& signal) { guard([&] { take_owner(signal); }); });
            watch_ = boost::intrusive_ptr<Watch>(new Watch(*this));
            const int descriptor = ::fcntl(bus_->getEventLoopPollData().fd, F_DUPFD_CLOEXEC, 0);
            if (const int failed = descriptor < 0 ? errno : watch_->open(descriptor); failed != 0)
                return fail_bus(system_error("cannot watch", failed).message);
        } catch (const sdbus::Error& error) {
            return fail_bus(error.getMessage());
        }
        ask_for_objects();
    }

    void close() {
        if (watch_) watch_->close();
        watch_ = nullptr;
        proxies_.clear();
        bus_.reset();
        broken_.clear();
        turn_timer_->cancel();
    }

    void fail_bus(const std::string& why) {
        close();
        retry_timer_->arm(loop_.clock().now() + options_.retry);
        events_.on_gone({Code::unavailable,
                         fmt::format("the system bus cannot be reached (is D-Bus running?): {}", why)});
    }

    /// Lets the library read, write and dispatch, then waits for its file descriptor.
    void take_turn() {
        constexpr int most_messages = 64;  // then other handlers of the loop run
        if (!bus_) return;
        try {
            for (int i = 0; i < most_messages && broken_.empty() && sdbus_calls::process_one(*bus_); ++i) {}
            if (!broken_.empty()) return fail_bus(std::string(broken_));
            const auto wants = bus_->getEventLoopPollData();
            if ((wants.events & POLLIN) != 0) watch_->wait_to_read();
            if ((wants.events & POLLOUT) != 0) watch_->wait_to_write();
            if (const auto time = sdbus_calls::time_left(wants))
                turn_timer_->arm(loop_.clock().now() + *time);
        } catch (const sdbus::Error& error) {
            fail_bus(error.getMessage());
        }
    }

    sdbus::IProxy& proxy(const std::string& path) {
        auto& found = proxies_[path];
        if (!found) found = sdbus_calls::make_proxy(*bus_, service, path);
        return *found;
    }

    void ask_for_objects() {
        retry_timer_->cancel();
        call(
            "/", object_manager, "GetManagedObjects", [](sdbus::MethodCall&) {},
            [this, asked = ++asked_](sdbus::MethodReply& reply, const sdbus::Error* error) {
                if (asked != asked_) return;  // BlueZ was restarted since
                if (error) return fail_to_reach(error_of(*error));
                std::map<sdbus::ObjectPath, Interfaces> all;
                reply >> all;
                BluezObjects objects;
                for (const auto& [path, interfaces] : all) objects.add(path, values_of(interfaces));
                events_.on_reached(std::move(objects));
            });
    }

    /// If BlueZ is not running, its start is signaled; all other errors are retried.
    void fail_to_reach(const Error& why) {
        if (why.code != Code::unavailable) retry_timer_->arm(loop_.clock().now() + options_.retry);
        events_.on_gone(unreachable_for(why));
    }

    void take_owner(sdbus::Message& signal) {
        std::string name;
        std::string before;
        std::string after;
        signal >> name >> before >> after;
        if (name != service) return;
        ++asked_;
        retry_timer_->cancel();
        if (!before.empty()) events_.on_gone(unreachable_for({Code::unavailable, {}}));
        if (!after.empty()) ask_for_objects();
    }

    void take_signal(sdbus::Message& signal) {
        const std::string interface = signal.getInterfaceName();
        const std::string member = signal.getMemberName();
        if (interface == properties_interface && member == "PropertiesChanged") {
            std::string of;
            Properties changed;
            std::vector<std::string> dropped;
            signal >> of >> changed >> dropped;
            events_.on_changed(signal.getPath(), of, values_of(changed), dropped);
        } else if (interface == object_manager && member == "InterfacesAdded") {
            sdbus::ObjectPath path;
            Interfaces interfaces;
            signal >> path >> interfaces;
            events_.on_added(path, values_of(interfaces));
        } else if (interface == object_manager && member == "InterfacesRemoved") {
            sdbus::ObjectPath path;
            std::vector<std::string> interfaces;
            signal >> path >> interfaces;
            events_.on_removed(path, interfaces);
        }
    }

    EventLoop& loop_;
    BluezBusEvents& events_;
    BluezBusOptions options_;
    std::unique_ptr<sdbus::IConnection> bus_;
    boost::intrusive_ptr<Watch> watch_;
    /// Kept as long as the bus: a proxy must not be destroyed while it delivers a reply.
    std::unordered_map<std::string, std::unique_ptr<sdbus::IProxy>> proxies_;
    std::uint64_t asked_ = 0;
    std::string broken_;  ///< why a call could not be sent
    std::unique_ptr<Timer> turn_timer_;
    std::unique_ptr<Timer> retry_timer_;
};

namespace {

auto without_value(BluezBus::Answer answer) {
    return [answer = std::move(answer)](sdbus::MethodReply&, const sdbus::Error* error) {
        answer(error ? Result<Bytes>(fail(error_of(*error))) : Bytes());
    };
}

}  // namespace

BluezBus::BluezBus(EventLoop& loop, BluezBusEvents& events, BluezBusOptions options)
    : connection_(std::make_unique<Connection>(loop, events, std::move(options))) {}
BluezBus::~BluezBus() = default;

void BluezBus::call(const std::string& path, std::string_view interface, const std::string& method,
                    Answer answer) {
    connection_->call(path, interface, method, [](sdbus::MethodCall&) {}, without_value(std::move(answer)));
}

void BluezBus::set_discovery_filter(const std::string& adapter, Answer answer) {
    // With duplicates, because the signal strength of a stationary cube is of interest as well.
    const Options filter{{"Transport", sdbus::Variant(std::string("le"))},
                         {"DuplicateData", sdbus::Variant(true)}};
    connection_->call(
        adapter, bluez::adapter, "SetDiscoveryFilter", [&](sdbus::MethodCall& call) { call << filter; },
        without_value(std::move(answer)));
}

void BluezBus::read_value(const std::string& characteristic, Answer answer) {
    connection_->call(
        characteristic, bluez::characteristic, "ReadValue",
        [](sdbus::MethodCall& call) { call << Options(); },
        [answer = std::move(answer)](sdbus::MethodReply& reply, const sdbus::Error* error) {
            if (error) return answer(fail(error_of(*error)));
            std::vector<std::uint8_t> octets;
            reply >> octets;
            const ByteView bytes = std::as_bytes(std::span(octets));
            answer(Bytes(bytes.begin(), bytes.end()));
        });
}

void BluezBus::write_value(const std::string& characteristic, ByteView value, Answer answer) {
    std::vector<std::uint8_t> octets(value.size());
    std::ranges::transform(value, octets.begin(),
                           [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    connection_->call(
        characteristic, bluez::characteristic, "WriteValue",
        [&](sdbus::MethodCall& call) { call << octets << Options(); }, without_value(std::move(answer)));
}

}  // namespace caribou
