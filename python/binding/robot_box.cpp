// The simulated robot of caribou.testkit.

#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "kit/testkit/robot_in_a_box.hpp"

namespace caribou::python {
namespace {

namespace py = pybind11;

/// A value of a fact in Python, and back: bool before float, because Python's bool is a number.
behavior::Value fact_value(const py::object& value) {
    if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
    if (py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value)) return value.cast<double>();
    if (py::isinstance<py::str>(value)) return value.cast<std::string>();
    throw py::type_error("a fact is a bool, a number or a text");
}

/// A time that passes, in seconds.
Duration passing(double seconds) {
    if (!(seconds >= 0) || !std::isfinite(seconds))
        throw py::value_error(fmt::format("expected a time of 0 s or more, found {}", seconds));
    return from_seconds(seconds);
}

/// A RobotInABox whose program is a function in Python. An exception of the function is raised by the call
/// that lets time pass.
class RobotBox {
public:
    using Exchange = std::function<std::string(std::string)>;

    RobotBox(const std::string& tree, const std::string& room, std::vector<std::string> stand_ins,
             std::vector<std::string> bus_facts, double rate, std::uint64_t seed, std::string hello,
             Exchange exchange)
        : exchange_(std::make_unique<Exchange>(std::move(exchange))),
          error_(std::make_unique<std::exception_ptr>()) {
        RobotInABox::Options options{.room = room,
                                     .stand_ins = std::move(stand_ins),
                                     .bus_facts = std::move(bus_facts),
                                     .rate = rate,
                                     .seed = seed};
        if (!hello.empty())
            options.program = {std::move(hello),
                               [&call = *exchange_, &error = *error_](std::string_view line) {
                                   return guarded(call, error, line);
                               }};
        auto box = RobotInABox::make(tree, std::move(options));
        rethrow();
        if (!box) throw py::value_error(box.error().message);
        box_.emplace(std::move(*box));
    }

    RobotInABox& box() { return *box_; }
    void advance(double seconds) {
        box_->advance(passing(seconds));
        rethrow();
    }
    bool advance_until(const std::function<bool()>& condition, double limit) {
        const bool held = box_->advance_until([&] { return *error_ || condition(); }, passing(limit));
        rethrow();
        return held;
    }
    std::string ask(const std::string& line) {
        std::string answer = box_->ask(line);
        rethrow();
        return answer;
    }

private:
    static std::string guarded(const Exchange& call, std::exception_ptr& error, std::string_view line) {
        if (error) return {};
        try {
            return call(std::string(line));
        } catch (const std::exception&) {
            error = std::current_exception();
            return {};
        }
    }
    void rethrow() {
        if (*error_) std::rethrow_exception(std::exchange(*error_, nullptr));
    }

    std::unique_ptr<Exchange> exchange_;  // their addresses stay
    std::unique_ptr<std::exception_ptr> error_;
    std::optional<RobotInABox> box_;
};

void require(const Result<void>& known) {
    if (!known) throw py::value_error(known.error().message);
}

void require_cube(RobotBox& box, std::size_t cube) {
    const std::size_t count = box.box().cube_count();
    if (cube >= count)
        throw py::value_error(count == 0
                                  ? std::string("the room has no cube")
                                  : fmt::format("expected a cube from 0 to {}, found {}", count - 1, cube));
}

py::object fact_of(RobotBox& box, const std::string& name) {
    require(box.box().knows_fact(name));
    const auto value = box.box().fact(name);
    return value ? py::cast(*value) : py::none();
}

py::list lights_of(RobotBox& box, std::size_t cube) {
    require_cube(box, cube);
    py::list colors;
    for (const cubes::Color& color : box.box().cube_lights(cube))
        colors.append(py::make_tuple(color.red, color.green, color.blue));
    return colors;
}

}  // namespace

void bind_robot_box(py::module_& module) {
    const auto text = [](auto member) {
        return [member](RobotBox& box, const std::string& id) {
            require(box.box().knows_behavior(id));
            return (box.box().*member)(id);
        };
    };
    py::class_<RobotBox>(module, "RobotBox")
        .def(py::init<const std::string&, const std::string&, std::vector<std::string>,
                      std::vector<std::string>, double, std::uint64_t, std::string, RobotBox::Exchange>())
        .def("advance", &RobotBox::advance)
        .def("advance_until", &RobotBox::advance_until)
        .def("ask", &RobotBox::ask)
        .def("time", [](RobotBox& box) { return to_seconds(box.box().time()); })
        .def("stack", [](RobotBox& box) { return box.box().stack(); })
        .def("is_active", text(&RobotInABox::is_active))
        .def("times_activated", text(&RobotInABox::times_activated))
        .def("times_succeeded", text(&RobotInABox::times_succeeded))
        .def("times_failed", text(&RobotInABox::times_failed))
        .def("failure", text(&RobotInABox::failure))
        .def("log", [](RobotBox& box) { return box.box().log(); })
        .def("fact", &fact_of)
        .def("set_fact",
             [](RobotBox& box, const std::string& name, const py::object& value) {
                 require(box.box().knows_fact(name));
                 box.box().set_fact(name, fact_value(value));
             })
        .def("hear_bus",
             [](RobotBox& box, const std::string& variable, const py::object& value) {
                 require(box.box().knows_fact("bus:" + variable));
                 box.box().hear_bus(variable, fact_value(value));
             })
        .def("published", [](RobotBox& box) { return box.box().published(); })
        .def("pose",
             [](RobotBox& box) {
                 const Pose pose = box.box().pose();
                 return py::make_tuple(pose.x, pose.y, pose.heading);
             })
        .def("set_battery", [](RobotBox& box, double percent) { box.box().set_battery(percent); })
        .def("lift", [](RobotBox& box, bool lifted) { box.box().lift(lifted); })
        .def("cube_lights", &lights_of)
        .def("tap_cube", [](RobotBox& box, std::size_t cube) {
            require_cube(box, cube);
            box.box().tap_cube(cube);
        });
}

}  // namespace caribou::python
