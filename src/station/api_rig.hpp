#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "loop/memory_disk.hpp"
#include "station/api.hpp"
#include "station/recording_writer.hpp"
#include "station/recordings.hpp"
#include "station/station_rig.hpp"

namespace caribou::station {

/// The program's end of a channel.
struct Program {
    std::vector<std::string> heard;
    std::vector<std::string> bytes;
    std::optional<std::string> closed;
    std::optional<std::string> refused;
    TextChannelEvents* events = nullptr;
    bool reads = true;
    std::size_t waiting = 0;

    /// Returns the messages of one type received since the last call.
    std::vector<std::string> take(std::string_view type) {
        std::vector<std::string> all;
        std::erase_if(heard, [&](const std::string& text) {
            if (read_json(text).value().find("type")->text != type) return false;
            all.push_back(text);
            return true;
        });
        return all;
    }
};

/// The station's end of it.
class ProgramChannel final : public TextChannel {
public:
    explicit ProgramChannel(Program& program) : program_(program) {}
    void attach(TextChannelEvents& events) override { program_.events = &events; }
    void send(std::string text) override {
        if (!program_.reads) program_.waiting += text.size();
        program_.heard.push_back(std::move(text));
    }
    void send_bytes(std::string bytes) override { program_.bytes.push_back(std::move(bytes)); }
    std::size_t waiting() const override { return program_.waiting; }
    void close(std::string_view why) override { program_.closed = why; }
    void refuse(std::string_view why) override { program_.refused = why; }

private:
    Program& program_;
};

/// A station with its interface, on an in-memory network and disk. Private to tests.
class ApiTest : public StationRig {
protected:
    /// Programs may do everything here, unless a test is about what they may do.
    void open_station(ApiSettings settings = {.access = {.local_role = link::Role::admin}},
                      FleetSettings fleet = {.groups = {{"dogs", {"bee"}}}}) {
        station = std::make_unique<Station>(loop, *station_host, std::move(fleet), log);
        EXPECT_TRUE(station->fleet().listen(Address::ip("0.0.0.0", 9600)));
        recordings = std::make_unique<Recordings>(loop, *station, disk, folder, RecordingsSettings{}, log);
        api = std::make_unique<StationApi>(loop, *station, std::move(settings), log, recordings.get());
    }
    static WebRequest stream(const std::string& query) {
        return {.target = "/api/v1/stream" + query,
                .host = "localhost:80",
                .upgrade = true,
                .from_outside = false};
    }
    static WebRequest stream() { return stream("?name=ann"); }
    void watch(Program& who, const WebRequest& request = stream()) {
        api->open(request, std::make_unique<ProgramChannel>(who));
    }
    void say(Program& who, const std::string& text) {
        who.events->on_text(text);
        loop.run_ready();
    }
    void command(Program& who, int id, const std::string& text) {
        say(who, fmt::format(R"({{"type":"command","id":{},"robot":"rover","command":"{}"}})", id, text));
    }

    void replay(Program& who, int id, const std::string& fields) {
        say(who, fmt::format(R"({{"type":"replay","id":{},{}}})", id, fields));
    }

    std::unique_ptr<Station> station;
    MemoryDisk disk;
    RecordingWriter folder{disk, {.limit = 100_MiB}, log};
    std::unique_ptr<Recordings> recordings;
    std::unique_ptr<StationApi> api;
    Program program;
};

}  // namespace caribou::station
