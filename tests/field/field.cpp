#include "field/field.hpp"

#include "adapters/keys/key_folder.hpp"
#include "base/check.hpp"
#include "link/key_words.hpp"
#include "platform/text_file.hpp"

namespace caribou::tests {
namespace {

std::string last_word(ChildProcess& program) {
    const std::string line = program.read_line(limit).value_or("");
    return line.substr(line.rfind(' ') + 1);
}

Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

void must(const Words& words) { check(run(words).code == 0, "`caribou pair` makes keys"); }

}  // namespace

Field::Field() {
    must({"pair", "--keys", scratch / "of_station", "make", "rover", "--role", "admin"});
    const auto key = KeyFolder(scratch / "of_station").read("rover");
    const std::string words = scratch.write("words", words_of(key->key));
    must({"pair", "--keys", scratch / "of_robot", "add", "station", "--from", words, "--role", "drive"});
}

Words Field::environment(const std::string& keys) const {
    return {"CARIBOU_KEYS=" + (scratch / keys).string(), "XDG_STATE_HOME=" + (scratch / "state").string()};
}

std::string Field::add_person(const std::string& name, const std::string& role) const {
    must({"pair", "--keys", scratch / "of_robot", "make", name, "--role", role});
    const auto key = KeyFolder(scratch / "of_robot").read(name);
    const std::string words = scratch.write("words", words_of(key->key));
    must({"pair", "--keys", scratch / name, "add", "rover", "--from", words, "--role", role});
    return name;
}

void Field::start_station(const std::string& config, const Words& settings) {
    const std::string at = calls_at.empty() ? "127.0.0.1:0" : calls_at;
    const std::string web = station_at.empty() ? "127.0.0.1:0" : station_at;
    station = std::make_unique<ChildProcess>(
        command({"station", "--quiet", "--config", scratch.write("station.toml", config), "--listen", at,
                 "--web", web}),
        joined(environment("of_station"), settings));
    calls_at = last_word(*station);
    station_at = last_word(*station);
    station_at = station_at.substr(7, station_at.size() - 8);  // http://…/
}

void Field::start_robot(const std::string& more, const Words& settings) {
    const std::string config = scratch.write(
        "robot.toml",
        "name = \"rover\"\nReceivePort = 0\nconnect_to_me = 0.2\nlog_level = \"warning\"\nlog = \"" +
            (scratch / "robot.log").string() + "\"\nSendPort = " + calls_at.substr(calls_at.rfind(':') + 1) +
            "\n" + more);
    robot = std::make_unique<ChildProcess>(command({"robot", "--config", config}),
                                           joined(environment("of_robot"), settings));
    robot_line = robot->read_line(limit).value_or("");
    robot_at = "127.0.0.1:" + robot_line.substr(robot_line.rfind(' ') + 1);
}

ChildProcess::End Field::send(const Words& words) const {
    Words all{"send", "rover"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--station", station_at});
    return run(all, environment("of_station"));
}

std::string Field::text_of(const std::string& file) const {
    return read_text_file(scratch / file).value_or("");
}

std::string Field::token() const {
    const std::string port = station_at.substr(station_at.rfind(':') + 1);
    const auto text = read_text_file(scratch / "state" / "caribou" / ("web-" + port + ".token"));
    check(text.has_value(), "the station has written its token");
    return text->substr(0, text->find('\n'));
}

}  // namespace caribou::tests
