// Implements caribou.App: run_app, with an app whose calls are forwarded to Python.

#include <array>
#include <csignal>
#include <deque>
#include <limits>
#include <utility>

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "kit/bus/app_main.hpp"
#include "message.hpp"

namespace caribou::python {
namespace {

/// One parameter declared in Python. Bool before int, because True is both.
using Default = std::variant<bool, int, double, std::string, std::vector<std::string>>;
struct Parameter {
    std::string name;
    Default value;
    bus::Range range;
    std::string doc;
};

/// A running app during run(). Its calls are forwarded to the methods of a Python object, which return None
/// or an error message.
class RunningApp final : public bus::App {
public:
    RunningApp(bus::AppFrame& frame, py::handle target, const std::vector<Parameter>& declared)
        : App(frame), target_(target), values_(declared.begin(), declared.end()) {
        for (Parameter& each : values_) std::visit([&](auto& value) { declare(each, value); }, each.value);
        const py::gil_scoped_acquire gil;
        if (!target_.attr("_report").is_none()) appcast([this] { return report(); });
    }

    Result<void> on_start_up() override {
        const py::gil_scoped_acquire gil;
        py::dict values;
        for (const Parameter& each : values_) values[to_str(each.name)] = py::cast(each.value);
        return call("_on_start_up", py::cast(this, py::return_value_policy::reference), values);
    }
    Result<void> on_connect_to_server() override {
        const py::gil_scoped_acquire gil;
        return call("_on_connect_to_server");
    }
    Result<void> on_new_mail(std::span<const wire::Message> mail) override {
        const py::gil_scoped_acquire gil;
        return call("_on_new_mail", to_list({mail.begin(), mail.end()}));
    }
    Result<void> iterate() override {
        const py::gil_scoped_acquire gil;
        return call("_iterate");
    }
    void on_command_message(const wire::Message& message) override {
        const py::gil_scoped_acquire gil;
        std::ignore = call("_on_command_message", py::cast(message));
    }

    void publish(const py::str& key, const py::object& value, const py::str& aux, double time) {
        const std::string with_aux = from_str(aux);
        const bus::NotifyOptions with{.aux = with_aux, .time = time < 0 ? std::nullopt : std::optional(time)};
        const std::string name = from_str(key);
        const Value what = value_from(value);
        if (const auto* number = std::get_if<double>(&what)) return notify(name, *number, with);
        if (const auto* text = std::get_if<std::string>(&what)) return notify(name, *text, with);
        notify(name, bytes_of(std::get<Binary>(what).data), with);
    }
    void subscribe(const py::str& key, double interval) {
        register_variable(from_str(key), interval_from(interval));
    }
    void subscribe_wildcard(const py::str& var_pattern, const py::str& app_pattern, double interval) {
        register_wildcard(from_str(var_pattern), from_str(app_pattern), interval_from(interval));
    }
    void unsubscribe(const py::str& key) { unregister_variable(from_str(key)); }
    using App::add_config_warning;
    using App::add_event;
    using App::add_run_warning;
    using App::comms;
    using App::name;
    using App::quit;
    using App::retract_run_warning;
    using App::stamp;

private:
    template <class T>
    void declare(Parameter& parameter, T& value) {
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>)
            parameters().add(parameter.name, value, parameter.range, parameter.doc);
        else
            parameters().add(parameter.name, value, parameter.doc);
    }

    template <class... Arguments>
    Result<void> call(const char* method, Arguments&&... arguments) {
        const py::object wrong = target_.attr(method)(std::forward<Arguments>(arguments)...);
        if (wrong.is_none()) return {};
        return fail(Code::refused, from_str(wrong));
    }

    std::string report() {
        const py::gil_scoped_acquire gil;
        return from_str(target_.attr("_build_report")());
    }

    py::handle target_;  ///< kept alive by Python while it runs
    std::deque<Parameter> values_;
};

/// Restores the signal handlers that run_app replaces.
class SignalsKept {
public:
    SignalsKept() {
        for (auto& [number, action] : kept_) sigaction(number, nullptr, &action);
    }
    ~SignalsKept() {
        for (auto& [number, action] : kept_) sigaction(number, &action, nullptr);
    }
    SignalsKept(const SignalsKept&) = delete;
    SignalsKept& operator=(const SignalsKept&) = delete;

private:
    std::array<std::pair<int, struct sigaction>, 2> kept_{{{SIGINT, {}}, {SIGTERM, {}}}};
};

int run(std::vector<std::string> argv, const std::string& name, const py::object& target,
        const std::vector<Parameter>& declared) {
    std::vector<char*> words;
    words.reserve(argv.size());
    for (std::string& word : argv) words.push_back(word.data());
    const SignalsKept signals;
    const py::gil_scoped_release let_go;
    return run_app(static_cast<int>(words.size()), words.data(), name, [&](bus::AppFrame& frame) {
        return std::make_unique<RunningApp>(frame, target, declared);
    });
}

}  // namespace

void bind_app(py::module_& module) {
    using py::arg;
    py::class_<Parameter>(module, "Parameter")
        .def(py::init([](std::string name, Default value, std::string doc, std::optional<double> low,
                         std::optional<double> high) {
                 const bus::Range all{};
                 return Parameter{std::move(name),
                                  std::move(value),
                                  {low.value_or(all.low), high.value_or(all.high)},
                                  std::move(doc)};
             }),
             arg("name"), arg("default"), arg("doc"), arg("low"), arg("high"));

    py::class_<RunningApp>(module, "RunningApp")
        .def("name", [](const RunningApp& app) { return to_str(app.name()); })
        .def("notify", &RunningApp::publish, arg("name"), arg("value"), arg("aux_src"), arg("time"))
        .def("register_variable", &RunningApp::subscribe, arg("name"), arg("interval"))
        .def("register_wildcard", &RunningApp::subscribe_wildcard, arg("var_pattern"), arg("app_pattern"),
             arg("interval"))
        .def("unregister_variable", &RunningApp::unsubscribe, arg("name"))
        .def("is_connected", [](RunningApp& app) { return app.comms().connected(); })
        .def("community", [](RunningApp& app) { return to_str(app.comms().community()); })
        .def("add_config_warning",
             [](RunningApp& app, const py::str& text) { app.add_config_warning(from_str(text)); })
        .def("add_run_warning",
             [](RunningApp& app, const py::str& text) { app.add_run_warning(from_str(text)); })
        .def("retract_run_warning",
             [](RunningApp& app, const py::str& text) { app.retract_run_warning(from_str(text)); })
        .def("add_event", [](RunningApp& app, const py::str& text) { app.add_event(from_str(text)); })
        .def("time", &RunningApp::stamp)
        .def("quit", &RunningApp::quit);

    module.def("run_app", &run, arg("argv"), arg("name"), arg("target"), arg("declared"));
}

}  // namespace caribou::python
