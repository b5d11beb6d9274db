#include "robot/health_picture.hpp"

#include <fmt/format.h>

#include "base/json_text.hpp"

namespace caribou::robot {
namespace {

template <class Items, class Write>
std::string json_list(const Items& items, Write write) {
    std::string text;
    for (const auto& item : items) text.append(text.empty() ? "" : ",").append(write(item));
    return text;
}

}  // namespace

std::string to_json(const HealthPicture& picture) {
    const auto thread = [](const HealthPicture::Thread& t) {
        return fmt::format(R"({{"name":{},"state":"{}","rate":{},"last":{},"why":{}}})", json_quoted(t.name),
                           t.state, json_fixed(t.rate, 1), t.last ? json_fixed(*t.last, 1) : "null",
                           json_quoted(t.why));
    };
    const auto step = [](const StartUp::Taken& s) {
        return fmt::format(R"({{"name":"{}","took":{},"ok":{},"why":{}}})", to_string(s.who),
                           json_fixed(to_seconds(s.took), 3), s.why.empty(), json_quoted(s.why));
    };
    const auto change = [](const HealthPicture::Switch& s) {
        return fmt::format(R"({{"mode":{},"allowed":{},"why":{}}})", static_cast<int>(s.mode), !s.objection,
                           json_quoted(s.objection ? s.objection->text : ""));
    };
    const auto fault = [](const motion::BodyFault& f) {
        return fmt::format(R"({{"name":{},"broken":{},"about":{},"ends":{}}})", json_quoted(f.name), f.broken,
                           json_quoted(f.about), f.ends);
    };
    const std::string link =
        fmt::format(R"({{"refused":{},"refusal":{},"samples":{},"dropped":{}}})", picture.link.refused,
                    json_quoted(picture.link.refusal), picture.link.samples, picture.link.dropped);
    return fmt::format(R"({{"threads":[{}],"steps":[{}],"may":[{}],"faults":[{}],"link":{}}})",
                       json_list(picture.threads, thread), json_list(picture.steps, step),
                       json_list(picture.may, change), json_list(picture.faults, fault), link);
}

}  // namespace caribou::robot
