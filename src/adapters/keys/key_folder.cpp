#include "adapters/keys/key_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/path_name.hpp"
#include "base/suggestion.hpp"
#include "platform/system_error.hpp"
#include "platform/text_file.hpp"

namespace caribou {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file = 4096;

std::unexpected<Error> failed(std::string_view what, const fs::path& path, int number) {
    return fail(system_error(fmt::format("cannot {} {}", what, path.string()), number));
}

Result<void> check_is_private(const fs::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return failed("read", path, errno);
    if (!S_ISREG(status.st_mode)) return fail(Code::refused, fmt::format("{} is not a file", path.string()));
    if ((status.st_mode & 077U) != 0)
        return fail(
            Code::refused,
            fmt::format("{} may be read or written by others (mode {:o}), and a key is for its owner alone: "
                        "`chmod 600` it, and rotate the key if others may have read it",
                        path.string(), status.st_mode & 0777U));
    return {};
}

Result<link::PairedKey> read_key_file(const fs::path& path) {
    if (const auto checked = check_is_private(path); !checked) return fail(checked.error());
    const auto text = read_text_file(path, max_file);
    if (!text) return fail(text.error());
    auto key = link::paired_key_from(*text);
    if (!key) return fail(key.error().code, fmt::format("{}: {}", path.string(), key.error().message));
    return key;
}

/// Writes everything, or fails.
Result<void> write_all(int file, std::string_view text, const fs::path& path) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return failed("write", path, errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::fsync(file) != 0) return failed("write", path, errno);
    return {};
}

/// Writes a temporary file beside `path` and calls `place` with it; removes it in any case.
Result<void> write_draft(const fs::path& path, const link::PairedKey& key,
                         const std::function<int(const char* draft)>& place) {
    const fs::path draft = fmt::format("{}.{}.new", path.string(), ::getpid());
    ::unlink(draft.c_str());
    const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return failed("make", draft, errno);
    auto written = write_all(file, link::file_text_of(key), draft);
    ::close(file);
    if (written && place(draft.c_str()) != 0) written = failed("make", path, errno);
    ::unlink(draft.c_str());
    return written;
}

/// Replaces an existing file.
Result<void> write_key_file(const fs::path& path, const link::PairedKey& key) {
    return write_draft(path, key, [&](const char* draft) { return std::rename(draft, path.c_str()); });
}

Result<void> remove_file(const fs::path& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failed("remove", path, errno);
    return {};
}

}  // namespace

fs::path KeyFolder::file_of(const std::string& name) const {
    check(check_path_name(name).has_value(), "the name of a key was checked");
    return path_ / (name + ".key");
}

fs::path KeyFolder::previous_file_of(const std::string& name) const {
    check(check_path_name(name).has_value(), "the name of a key was checked");
    return path_ / (name + ".previous.key");
}

bool KeyFolder::has(const std::string& name) const {
    return check_path_name(name) && ::access(file_of(name).c_str(), F_OK) == 0;
}

bool KeyFolder::has_previous(const std::string& name) const {
    return check_path_name(name) && ::access(previous_file_of(name).c_str(), F_OK) == 0;
}

Result<link::PairedKey> KeyFolder::read(const std::string& name) const {
    if (const auto checked = check_path_name(name); !checked) return fail(checked.error());
    if (has(name)) return read_key_file(file_of(name));
    std::vector<std::string> names;
    if (const auto entries = all())
        for (const Entry& entry : *entries)
            if (entry.key && entry.file == file_of(entry.key->name)) names.push_back(entry.key->name);
    return fail(Code::not_found,
                fmt::format("no key for `{}` in {}{}", name, path_.string(), instead_of(name, names)));
}

Result<std::vector<KeyFolder::Entry>> KeyFolder::all() const {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator each(path_, error), end; !error && each != end; each.increment(error))
        if (each->path().extension() == ".key") files.push_back(each->path());
    if (error && error != std::errc::no_such_file_or_directory)
        return failed("look into", path_, error.value());
    std::ranges::sort(files);
    std::vector<Entry> entries;
    entries.reserve(files.size());
    for (const fs::path& file : files) entries.push_back({file, read_key_file(file)});
    return entries;
}

Result<void> KeyFolder::make() const {
    if (fs::exists(path_)) return {};
    std::error_code error;
    fs::create_directories(path_, error);
    if (!error) fs::permissions(path_, fs::perms::owner_all, error);
    if (error) return failed("make", path_, error.value());
    return {};
}

Result<void> KeyFolder::save(const link::PairedKey& key) const {
    if (const auto checked = check_path_name(key.name); !checked) return checked;
    if (auto made = make(); !made) return made;
    return write_key_file(file_of(key.name), key);
}

Result<link::PairedKey> KeyFolder::read_or_save(const link::PairedKey& key) const {
    if (const auto checked = check_path_name(key.name); !checked) return fail(checked.error());
    if (auto made = make(); !made) return fail(std::move(made.error()));
    const fs::path path = file_of(key.name);
    auto written = has(key.name) ? Result<void>() : write_draft(path, key, [&](const char* draft) {
        return ::link(draft, path.c_str());
    });
    if (!written && !has(key.name)) return fail(std::move(written.error()));
    return read(key.name);
}

Result<void> KeyFolder::replace(const link::PairedKey& key) const {
    auto previous = read(key.name);
    if (!previous) return fail(previous.error());
    if (auto kept = write_key_file(previous_file_of(key.name), *previous); !kept) return kept;
    return write_key_file(file_of(key.name), key);
}

Result<void> KeyFolder::forget_previous(const std::string& name) const {
    if (const auto checked = check_path_name(name); !checked) return checked;
    return remove_file(previous_file_of(name));
}

Result<void> KeyFolder::remove(const std::string& name) const {
    if (!has(name)) {
        if (auto missing = read(name); !missing) return fail(missing.error());
    }
    if (auto removed = forget_previous(name); !removed) return removed;
    return remove_file(file_of(name));
}

}  // namespace caribou
