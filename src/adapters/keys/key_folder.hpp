#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "link/paired_key.hpp"

namespace caribou {

/// Keys in files that only their owner can read: `NAME.key` per paired machine, and `NAME.previous.key` while
/// a key is being replaced. Files are replaced atomically.
class KeyFolder {
public:
    explicit KeyFolder(std::filesystem::path path) : path_(std::move(path)) {}

    const std::filesystem::path& path() const { return path_; }
    /// Returns the file of a name that passes check_path_name().
    std::filesystem::path file_of(const std::string& name) const;
    std::filesystem::path previous_file_of(const std::string& name) const;

    // Names that do not pass check_path_name() have no key, and are refused with invalid_argument.

    /// Fails with not_found if there is no such pair; the message lists those that exist.
    Result<link::PairedKey> read(const std::string& name) const;
    /// Returns whether there is a key file of that name; it may be invalid.
    bool has(const std::string& name) const;
    bool has_previous(const std::string& name) const;

    struct Entry {
        std::filesystem::path file;
        Result<link::PairedKey> key;  ///< or the error in the file
    };
    /// Returns all files by name. A missing folder is empty.
    Result<std::vector<Entry>> all() const;

    /// Creates the folder if it is missing.
    Result<void> save(const link::PairedKey& key) const;
    /// Returns the existing key of that name, or else stores and returns this one. Concurrent callers all get
    /// the same key.
    Result<link::PairedKey> read_or_save(const link::PairedKey& key) const;
    /// Like save(), but the old key remains valid until forget_previous().
    Result<void> replace(const link::PairedKey& key) const;
    /// Removes the key that was replaced; it is no longer accepted.
    Result<void> forget_previous(const std::string& name) const;
    /// Removes both files.
    Result<void> remove(const std::string& name) const;

private:
    Result<void> make() const;

    std::filesystem::path path_;
};

}  // namespace caribou
