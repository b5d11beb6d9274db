#include "client.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.hpp"

namespace caribou::python {
namespace {

/// Interval at which blocking calls check for Ctrl-C.
constexpr Duration look_for_signals = std::chrono::milliseconds(50);

/// Returns the error of a call that requires a running client.
template <class T>
Result<T> not_running() {
    return fail(Code::wrong_state, "the client does not run");
}

std::vector<std::string> names_of(const std::vector<News>& news) {
    std::vector<std::string> names;
    names.reserve(news.size());
    for (const News& piece : news) names.emplace_back(piece == News::mail ? "mail" : "connected");
    return names;
}

py::set to_set(const std::set<std::string>& names) {
    py::set all;
    for (const std::string& name : names) all.add(to_str(name));
    return all;
}

template <class T>
std::vector<T> wait_for(WaitingQueue<T>& queue) {
    const py::gil_scoped_release let_go;
    return queue.wait();
}

}  // namespace

template <class Work, class Otherwise>
auto Client::with_client(Otherwise otherwise, Work work) {
    const auto run = run_;
    if (!run) return otherwise;
    ++run->under_way;
    Otherwise outcome = [&] {
        const py::gil_scoped_release let_go;
        return work(*run->client);
    }();
    // Runs with the GIL, so that a returning thread is not interrupted by the interpreter's exit.
    if (--run->under_way == 0 && run->closing) run->idle.push(true);
    return outcome;
}

std::shared_ptr<NewsQueue> Client::run(const py::str& host, int port, const py::str& name) {
    if (run_) throw std::runtime_error(fmt::format("{} runs already: close() it first", name_));
    if (port < 1 || port > 65535)
        throw py::value_error(fmt::format("a port is a number from 1 to 65535, but this is {}", port));
    ThreadedClientOptions options{
        .client = {.name = from_str(name),
                   .broker = Address::ip(from_str(host), static_cast<std::uint16_t>(port))}};
    name_ = options.client.name;
    auto started = ThreadedClient::start(std::move(options), log_);
    if (!started) raise(started.error());

    auto news = std::make_shared<NewsQueue>(2);
    run_ = std::make_shared<Run>(std::move(*started));
    news_ = news;
    with_client(false, [this, news, name = name_, routes = routes_](ThreadedClient& client) {
        return client.with_client([&](bus::Client& inner) {
            client.on_connected([news] { news->push_once(News::connected); });
            client.on_queued([news] { news->push_once(News::mail); });
            client.on_refused([this, name, &inner](std::string_view why) {
                // Logs the 1st, 2nd, 4th, 8th … refusal: the client tries again every second.
                if (const auto count = inner.stats().refusals; std::has_single_bit(count))
                    log_.warning(
                        fmt::format("the broker refused {}: {} ({} refusals so far)", name, why, count));
            });
            for (const auto& [key, queues] : routes) apply_route(client, key, queues);
            if (inner.connected()) news->push_once(News::connected);
            return true;
        });
    });
    return news;
}

bool Client::close() {
    const auto run = std::exchange(run_, {});
    if (!run) return false;
    run->closing = true;
    news_->close();
    registered_.clear();
    const bool is_idle = run->under_way == 0;
    const py::gil_scoped_release let_go;
    if (!is_idle) run->idle.wait();
    run->client.reset();
    return true;
}

/// Raises an exception for invalid arguments; logs other errors and returns false.
template <class T>
bool Client::is_done(const Result<T>& result) {
    if (result) return true;
    if (result.error().code == Code::invalid_argument) raise(result.error());
    if (is_running()) log_.warning(fmt::format("{}: {}", name_, result.error().message));
    return false;
}

bool Client::notify(const py::str& key, const py::object& value, const py::str& aux, double time) {
    const std::string name = from_str(key);
    const std::string with_aux = from_str(aux);
    const Value what = value_from(value);
    const bus::NotifyOptions with{.aux = with_aux, .time = time < 0 ? std::nullopt : std::optional(time)};
    const Result<Pushed> pushed =
        with_client(not_running<Pushed>(), [&](ThreadedClient& client) -> Result<Pushed> {
            if (const auto* number = std::get_if<double>(&what)) return client.notify(name, *number, with);
            if (const auto* text = std::get_if<std::string>(&what)) return client.notify(name, *text, with);
            return client.notify(name, bytes_of(std::get<Binary>(what).data), with);
        });
    if (!is_done(pushed)) return false;
    published_.insert(name);
    return true;
}

bool Client::register_variable(const py::str& key, double interval) {
    const std::string name = from_str(key);
    const Duration at_most_every = interval_from(interval);
    if (!is_done(with_client(not_running<void>(), [&](ThreadedClient& client) {
            return client.register_variable(name, at_most_every);
        })))
        return false;
    registered_.insert(name);
    return true;
}

bool Client::register_wildcard(const py::str& var_pattern, const py::str& app_pattern, double interval) {
    const std::string variables = from_str(var_pattern);
    const std::string apps = from_str(app_pattern);
    const Duration at_most_every = interval_from(interval);
    return is_done(with_client(not_running<void>(), [&](ThreadedClient& client) {
        return client.register_wildcard(variables, apps, at_most_every);
    }));
}

bool Client::unregister_variable(const py::str& key) {
    const std::string name = from_str(key);
    registered_.erase(name);
    return is_done(with_client(not_running<void>(),
                               [&](ThreadedClient& client) { return client.unregister_variable(name); }));
}

bool Client::unregister_wildcard(const py::str& var_pattern, const py::str& app_pattern) {
    const std::string variables = from_str(var_pattern);
    const std::string apps = from_str(app_pattern);
    return is_done(with_client(not_running<void>(), [&](ThreadedClient& client) {
        return client.unregister_wildcard(variables, apps);
    }));
}

void Client::route(const py::str& key, Queues queues) {
    const std::string name = from_str(key);
    routes_[name] = queues;
    with_client(false, [&](ThreadedClient& client) {
        apply_route(client, name, queues);
        return true;
    });
}

void Client::apply_route(ThreadedClient& client, const std::string& key, const Queues& queues) {
    if (queues.empty()) return client.on_mail(key, {});
    client.on_mail(key, [queues](const wire::MessageView& message) {
        for (const auto& queue : queues) queue->push(wire::own(message));
    });
}

py::list Client::fetch() {
    return to_list(
        with_client(std::vector<wire::Message>{}, [](ThreadedClient& client) { return client.fetch(); }));
}

bool Client::wait_until_connected(double milliseconds) {
    for (Duration left = from_seconds(milliseconds / 1000); is_running(); left -= look_for_signals) {
        const Duration slice = std::clamp(left, Duration::zero(), look_for_signals);
        if (with_client(false, [&](ThreadedClient& client) { return client.wait_until_connected(slice); }))
            return true;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (left <= look_for_signals) break;
    }
    return false;
}

std::string Client::community() {
    return with_client(std::string(), [](ThreadedClient& client) {
        return client.with_client([](bus::Client& inner) { return inner.community(); });
    });
}

bus::ClientStats Client::stats() {
    return with_client(bus::ClientStats{}, [](ThreadedClient& client) { return client.stats(); });
}

void bind_client(py::module_& module) {
    using py::arg;
    py::class_<NewsQueue, std::shared_ptr<NewsQueue>>(module, "NewsQueue")
        .def("wait", [](NewsQueue& queue) { return names_of(wait_for(queue)); })
        .def("close", &NewsQueue::close);
    py::class_<ActiveQueue, std::shared_ptr<ActiveQueue>>(module, "ActiveQueue")
        .def(py::init([] { return std::make_shared<ActiveQueue>(bus::QueueLimit{}.messages); }))
        .def("wait", [](ActiveQueue& queue) { return to_list(wait_for(queue)); })
        .def("close", &ActiveQueue::close)
        .def("lost", &ActiveQueue::lost);

    py::class_<bus::ClientStats>(module, "ClientStats")
        .def_readonly("bytes_sent", &bus::ClientStats::bytes_sent)
        .def_readonly("bytes_received", &bus::ClientStats::bytes_received)
        .def_readonly("messages_sent", &bus::ClientStats::messages_sent)
        .def_readonly("messages_received", &bus::ClientStats::messages_received)
        .def_readonly("mail_lost", &bus::ClientStats::mail_lost);

    py::class_<Client>(module, "Client")
        .def(py::init())
        .def("run", &Client::run, arg("server"), arg("port"), arg("name"))
        .def("close", &Client::close)
        .def("abandon", [](const py::object& self) { self.inc_ref(); })  // so that it is never destroyed
        .def("is_running", &Client::is_running)
        .def("name", [](const Client& client) { return to_str(client.name()); })
        .def("notify", &Client::notify, arg("name"), arg("value"), arg("aux_src"), arg("time"))
        .def("register_variable", &Client::register_variable, arg("name"), arg("interval"))
        .def("register_wildcard", &Client::register_wildcard, arg("var_pattern"), arg("app_pattern"),
             arg("interval"))
        .def("unregister_variable", &Client::unregister_variable, arg("name"))
        .def("unregister_wildcard", &Client::unregister_wildcard, arg("var_pattern"), arg("app_pattern"))
        .def("route", &Client::route, arg("msg_name"), arg("queues"))
        .def("fetch", &Client::fetch)
        .def("is_connected", &Client::is_connected)
        .def("wait_until_connected", &Client::wait_until_connected, arg("n_ms"))
        .def("community", [](Client& client) { return to_str(client.community()); })
        .def("stats", &Client::stats)
        .def("unread", &Client::unread)
        .def("unsent", &Client::unsent)
        .def("published", [](const Client& client) { return to_set(client.published()); })
        .def("registered", [](const Client& client) { return to_set(client.registered()); });
}

}  // namespace caribou::python
