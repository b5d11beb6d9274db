#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loop/network.hpp"

namespace caribou {

/// Owns one end of a stream and records its events. For tests.
class StreamWitness final : public StreamEvents {
public:
    /// The events in order: "open", "readable", "writable", "failed: ...".
    std::vector<std::string> heard;
    std::string received;
    std::optional<Error> end;  ///< the error that read() returned
    bool reads = true;         ///< whether on_readable reads, once per call
    std::size_t chunk = 64;    ///< maximum number of bytes per read
    bool destroys = false;     ///< whether any event destroys the stream
    std::unique_ptr<Stream> stream;

    void take(std::unique_ptr<Stream> accepted) {
        stream = std::move(accepted);
        stream->attach(*this);
    }

    /// Returns the number of bytes accepted, or the name of the error code.
    std::string write(std::string_view text) {
        const ByteView piece = bytes_of(text);
        const auto taken = stream->write({&piece, 1});
        return taken ? fmt::format("{}", *taken) : std::string(to_string(taken.error().code));
    }

    void read_once() {
        std::vector<std::byte> buffer(chunk);
        const auto size = stream->read(buffer);
        if (size)
            received += text_of(ByteView(buffer).first(*size));
        else
            end = size.error();
    }

    std::optional<Code> end_code() const { return end ? std::optional(end->code) : std::nullopt; }

    void on_open() override { hear("open"); }
    void on_readable() override {
        hear("readable");
        if (stream && reads) read_once();
    }
    void on_writable() override { hear("writable"); }
    void on_connect_failed(const Error& why) override {
        hear(fmt::format("failed: {}: {}", to_string(why.code), why.message));
    }

private:
    void hear(std::string event) {
        if (destroys) stream.reset();
        heard.push_back(std::move(event));
    }
};

}  // namespace caribou
