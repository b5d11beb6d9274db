#include "bus/journal_files.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <tuple>

#include <fmt/format.h>

namespace caribou::bus {
namespace {

constexpr std::string_view prefix = "values-";
constexpr std::string_view suffix = ".journal";

std::string name_of(std::uint64_t generation) { return fmt::format("{}{}{}", prefix, generation, suffix); }

std::optional<std::uint64_t> generation_in(std::string_view name) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
    std::uint64_t generation = 0;
    const char* const end = name.data() + name.size() - suffix.size();
    const auto [read_to, error] = std::from_chars(name.data() + prefix.size(), end, generation);
    if (error != std::errc{} || read_to != end || name_of(generation) != name) return std::nullopt;
    return generation;
}

void report(const std::string& name, std::size_t size, const wire::JournalContents& contents, Log& log) {
    for (const auto& damage : contents.damages)
        log.error(
            fmt::format("{}: {} bytes at offset {} are damaged. The values in them are lost or outdated; "
                        "all others are intact. Check this disk.",
                        name, damage.size, damage.offset));
    if (size == 0)
        log.warning(fmt::format("{} is empty (0 bytes); if it had values, they are lost", name));
    else if (contents.end < size)
        log.warning(fmt::format("{}: the last {} bytes are an incomplete batch (sudden end) and are skipped",
                                name, size - contents.end));
    log.info(fmt::format("{}: {} values restored", name, contents.values.size()));
}

}  // namespace

Result<std::vector<std::uint64_t>> JournalFiles::generations() {
    auto names = disk_.list();
    if (!names) return fail(std::move(names.error()));
    std::vector<std::uint64_t> all;
    for (const std::string& name : *names)
        if (const auto generation = generation_in(name)) all.push_back(*generation);
    std::ranges::sort(all, std::greater<>{});
    return all;
}

Result<JournalFiles::Kept> JournalFiles::open(Log& log) {
    const auto all = generations();
    if (!all) return fail(all.error());
    if (!all->empty()) generation_ = all->front();
    for (const std::uint64_t generation : *all) {
        const std::string name = name_of(generation);
        auto image = disk_.read(name);
        if (!image) return fail(std::move(image.error()));
        auto contents = wire::read_journal(image->bytes());
        if (!contents)
            return fail(contents.error().code, fmt::format("{}: {}", name, contents.error().message));
        report(name, image->bytes().size(), *contents, log);
        if (contents->end == 0) continue;
        auto reopened = disk_.reopen(name, contents->end);
        if (!reopened) return fail(std::move(reopened.error()));
        current_ = std::move(*reopened);
        current_size_ = contents->end;
        return Kept{std::move(*image), std::move(*contents)};
    }
    return Kept{};
}

Result<void> JournalFiles::perform(const JournalStep& step) {
    auto done = write(step);
    if (!done) {
        // Removes the incomplete batch, so that a disk it has filled has room for the next file.
        if (std::exchange(current_, nullptr)) std::ignore = disk_.reopen(name_of(generation_), current_size_);
        if (std::exchange(next_, nullptr)) std::ignore = disk_.remove(std::string(next_name));
    }
    return done;
}

Result<void> JournalFiles::write(const JournalStep& step) {
    if (step.begins_next) {
        auto created = disk_.create(std::string(next_name));
        if (!created) return fail(std::move(created.error()));
        next_ = std::move(*created);
        next_size_ = 0;
        if (auto done = append_next(wire::journal_header()); !done) return done;
    }
    if (current_ && !step.batch.empty()) {
        if (auto done = current_->append(step.batch); !done) return done;
        if (auto done = current_->sync(); !done) return done;
        current_size_ += step.batch.size();
    }
    if (!next_) return current_ ? Result<void>{} : fail(Code::wrong_state, "no file has been begun");
    for (const Bytes* bytes : {&step.batch, &step.chunk})
        if (auto done = append_next(*bytes); !done) return done;
    return step.finishes_next ? finish_next() : Result<void>{};
}

Result<void> JournalFiles::append_next(ByteView bytes) {
    auto done = next_->append(bytes);
    if (done) next_size_ += bytes.size();
    return done;
}

Result<void> JournalFiles::finish_next() {
    if (auto done = next_->sync(); !done) return done;
    if (auto done = disk_.rename(std::string(next_name), name_of(generation_ + 1)); !done) return done;
    if (auto done = disk_.sync_names(); !done) return done;
    generation_ += 1;
    current_ = std::move(next_);
    current_size_ = next_size_;
    const auto all = generations();
    if (!all) return fail(all.error());
    // An old file that cannot be removed is harmless: the newest one is used.
    for (const std::uint64_t old : *all)
        if (old != generation_) std::ignore = disk_.remove(name_of(old));
    return {};
}

}  // namespace caribou::bus
