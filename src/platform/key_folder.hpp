#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "link/paired_key.hpp"

namespace caribou {

/// Keys in files that only their owner can read: `NAME.key` for each machine that this one is paired
/// with, and `NAME.previous.key` while a key is being replaced. Files are whole at every moment.
class KeyFolder {
public:
    explicit KeyFolder(std::filesystem::path path) : path_(std::move(path)) {}

    const std::filesystem::path& path() const { return path_; }
    /// The files of a name that passes check_path_name().
    std::filesystem::path file_of(const std::string& name) const;
    std::filesystem::path previous_file_of(const std::string& name) const;

    // Names that do not pass check_path_name() have no key, and are refused with invalid_argument.

    /// not_found: no such pair; the message lists those that exist.
    Result<link::PairedKey> read(const std::string& name) const;
    bool has(const std::string& name) const;
    bool has_previous(const std::string& name) const;

    struct Entry {
        std::filesystem::path file;
        Result<link::PairedKey> key;  ///< or what is wrong with the file
    };
    /// All files, by their names. A folder that is not there has none.
    Result<std::vector<Entry>> all() const;

    /// Makes the folder if it is missing.
    Result<void> save(const link::PairedKey& key) const;
    /// The key of that name that is there, or this one, which is there from now on. Of those who do this at
    /// once, all get the same.
    Result<link::PairedKey> read_or_save(const link::PairedKey& key) const;
    /// Like save(), and the key that was there stays valid until forget_previous().
    Result<void> replace(const link::PairedKey& key) const;
    Result<void> forget_previous(const std::string& name) const;
    /// Both files.
    Result<void> remove(const std::string& name) const;

private:
    Result<void> make() const;

    std::filesystem::path path_;
};

}  // namespace caribou
