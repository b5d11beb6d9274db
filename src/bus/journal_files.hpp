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

/// The files of a journal on a disk (docs/formats/journal.md): the current one, `values-N.journal`, and at
/// times the next one while it is being written.
class JournalFiles {
public:
    explicit JournalFiles(Disk& disk) : disk_(disk) {}

    /// The stored values. The messages refer to `image`.
    struct Kept {
        std::optional<FileImage> image{};
        wire::JournalContents contents{};
    };
    /// Reads the stored values and continues their file. Logs what it had to skip. Fails if the disk fails or
    /// a file has another version.
    Result<Kept> open(Log& log);
    Result<void> perform(const JournalStep& step);

    static constexpr std::string_view next_name = "values.next";

private:
    /// Returns the numbers of the files that may be current, newest first.
    Result<std::vector<std::uint64_t>> generations();
    Result<void> write(const JournalStep& step);
    Result<void> append_next(ByteView bytes);
    Result<void> finish_next();

    Disk& disk_;
    std::uint64_t generation_ = 0;
    std::unique_ptr<DiskFile> current_;
    std::size_t current_size_ = 0;  ///< size of its complete batches
    std::unique_ptr<DiskFile> next_;
    std::size_t next_size_ = 0;
};

}  // namespace caribou::bus
