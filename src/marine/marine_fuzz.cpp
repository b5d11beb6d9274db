// Arbitrary values of the variables of the marine view: a shape that can be read is written in a form that is
// read again, and whatever is shown has finite coordinates and a JSON form.

#include <cmath>
#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "marine/node_report.hpp"
#include "marine/poke_text.hpp"
#include "marine/scene.hpp"
#include "marine/shape.hpp"

using namespace caribou;
using namespace caribou::marine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view input = text_of(std::as_bytes(std::span(data, size)));
    const auto kind = ShapeKind(data[0] % (std::uint8_t(ShapeKind::grid) + 1));
    const std::string_view text = input.substr(1);
    if (const auto shape = parse_shape(kind, text))
        for (const Vec2 p : shape->points)
            check(std::isfinite(p.x) && std::isfinite(p.y), "vertices are finite");
    if (const auto report = parse_node_report(text)) {
        const auto again = parse_node_report(to_string(*report));
        check(again.has_value() || text.find_first_of("{}\"") != std::string_view::npos,
              "a report is read again");
    }
    (void)expanded(text, {{"X", "1"}});
    Scene scene(Geodesy::make({43.8, -70.3}).value(), {"NODE_REPORT"}, 10);
    for (const std::string& variable :
         {shape_variable(kind), std::string("NODE_REPORT"), std::string("PMV_CLEAR"),
          std::string("PMV_CENTER"), std::string("VIEW_GRID_DELTA")})
        if (const auto event = scene.apply({variable, text, "abe", "p", 1000}))
            check(!data::to_json(*event).empty(), "an event has a JSON form");
    if (scene.apply({"VIEW_GRID", "pts={0,0:40,0:40,40:0,40},label=g", "abe", "p", 1000}))
        (void)scene.apply({"VIEW_GRID_DELTA", "g@" + std::string(text), "abe", "p", 1000});
    for (const auto& event : scene.everything())
        if (event.shape && event.shape->grid)
            for (const double value : event.shape->grid->values)
                check(std::isfinite(value), "values are finite");
    scene.expire(1e12);
    return 0;
}
