#pragma once

// A journal on an in-memory disk, for tests.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "bus/journal.hpp"
#include "bus/journal_files.hpp"
#include "loop/memory_disk.hpp"
#include "loop/virtual_loop.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {

/// Completes each step after a delay on the virtual clock.
class SlowWriter final : public JournalWriter {
public:
    SlowWriter(Loop& loop, JournalFiles& files, Duration each) : loop_(loop), files_(files), each_(each) {}

    void perform(JournalStep step, Done done) override {
        auto& timer = timers_.emplace_back();
        timer = loop_.make_timer([this, step = std::move(step), done = std::move(done)]() mutable {
            const auto result = files_.perform(step);
            failed = failed || !result;
            done(result);
        });
        timer->arm(loop_.clock().now() + each_);
    }

    bool failed = false;

private:
    Loop& loop_;
    JournalFiles& files_;
    Duration each_;
    std::vector<std::unique_ptr<Timer>> timers_;
};

/// One run of a broker, as far as the journal sees it.
class JournalLife {
public:
    using State = std::map<std::string, std::string, std::less<>>;

    JournalLife(VirtualLoop& loop, Disk& disk, JournalOptions options = {}, Duration each = {})
        : loop_(loop),
          files_(disk),
          kept_(files_.open(log)),
          writer(loop, files_, each),
          journal(loop, writer, options, log, [this](std::string_view text) { notices.emplace_back(text); }) {
        exchange.join(member_);
        if (kept_) journal.attach(exchange, kept_->contents);
    }
    ~JournalLife() { exchange.leave(member_); }

    bool opened() const { return kept_.has_value(); }
    void write(std::string_view key, std::string_view payload) {
        const wire::MessageView message{.type = wire::MessageType::notify,
                                        .data_type = wire::DataType::string,
                                        .source = "writer",
                                        .key = key,
                                        .time = 5,
                                        .payload = payload};
        Bytes raw;
        wire::append_message(raw, message);
        const Instant now = loop_.clock().now();
        std::ignore = exchange.notify(&member_, message, raw, {now, now, 1000});
    }
    State state() const {
        State all;
        for (const Variable* variable : exchange.sorted())
            if (variable->is_written()) all[variable->name] = variable->value().payload;
        return all;
    }

private:
    struct Writer final : Member {
        void deliver(const MessageRun&) override {}
        std::string_view name() const override { return "writer"; }
    };

    VirtualLoop& loop_;
    BrokerLimits limits_;
    Writer member_;

public:
    MemoryLog log;
    Exchange exchange{"test", limits_};

private:
    JournalFiles files_;
    Result<JournalFiles::Kept> kept_;

public:
    SlowWriter writer;
    std::vector<std::string> notices;
    Journal journal;
};

}  // namespace caribou::bus
