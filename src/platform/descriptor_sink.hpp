#pragma once

// Private to platform.

#include <mutex>

#include <spdlog/sinks/base_sink.h>

namespace caribou {

/// Writes each line of a log with one call to a descriptor, which must outlive the sink. Not through stdio,
/// whose lock would keep the process from exiting while a write hangs.
class DescriptorSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    /// `colored`: the level is printed in color.
    DescriptorSink(int descriptor, bool colored) : descriptor_(descriptor), colored_(colored) {}

private:
    void sink_it_(const spdlog::details::log_msg& message) override;
    void flush_() override {}

    int descriptor_;
    bool colored_;
};

}  // namespace caribou
