#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "bus/journal_step.hpp"
#include "loop/disk.hpp"
#include "wire/journal.hpp"

namespace caribou::bus {

/// The files of a journal on a disk, as docs/formats/journal.md describes them: one that counts,
/// `values-N.journal`, and at times the next one in the making.
class JournalFiles {
public:
    explicit JournalFiles(Disk& disk) : disk_(disk) {}

    /// What was kept. The messages stand in `image`.
    struct Kept {
        std::optional<FileImage> image{};
        wire::JournalContents contents{};
    };
    /// Reads what is there, and goes on from there. Says in the log what it had to leave out. Fails
    /// if the disk does, or if a file is of another version.
    Result<Kept> open(Log& log);
    Result<void> perform(const JournalStep& step);

    static constexpr std::string_view next_name = "values.next";

private:
    /// The files that may count, the newest first.
    Result<std::vector<std::uint64_t>> generations();
    Result<void> write(const JournalStep& step);
    Result<void> append_next(ByteView bytes);
    Result<void> finish_next();

    Disk& disk_;
    std::uint64_t generation_ = 0;
    std::unique_ptr<DiskFile> current_;
    std::size_t current_size_ = 0;  ///< of its whole batches
    std::unique_ptr<DiskFile> next_;
    std::size_t next_size_ = 0;
};

}  // namespace caribou::bus
