// Whatever a program sends: no crash, and at most requests that are legal.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "robot/behavior_program_rig.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    robot::BehaviorProgramRig rig(R"({"base": "r", "behaviors": [
        {"class": "strict_priority", "id": "r", "children": ["patrol", "wave"]},
        {"class": "patrol", "id": "patrol", "wants": "is_dark", "children": ["step"]},
        {"class": "idle", "id": "step"},
        {"class": "act", "id": "wave", "action": {"wave": "3s"}}]})");
    std::string_view text(reinterpret_cast<const char*>(data), size);
    if (size > 0 && data[0] == '{') rig.greet();
    while (!text.empty() && !rig.processes.is_killed) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        rig.processes.print(text.substr(0, end));
        rig.tick("");
        text.remove_prefix(end);
    }
    rig.ticks(3, "");
    return 0;
}
