#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/web_request.hpp"

namespace caribou {

/// Serves the files of a web page to browsers. Files whose names change with their content (`assets/…`) may
/// be cached forever; the others are revalidated with their ETag, which costs a few bytes if they are
/// unchanged. The Content-Security-Policy restricts the page to its own origin and forbids inline code.
class StaticFiles {
public:
    /// File contents by path, such as `assets/index-4f2a.js`. An entry `x.gz` is the gzip-compressed form of
    /// `x`.
    using Table = std::map<std::string, std::string, std::less<>>;

    StaticFiles() = default;
    explicit StaticFiles(Table files);

    bool empty() const { return files_.empty(); }
    /// Returns the response, or nullopt if the request is not a GET or HEAD of one of these files. `/` is
    /// served as `index.html`.
    std::optional<WebAnswer> answer(const WebRequest& request) const;

private:
    struct File {
        std::string content;
        std::string compressed;  ///< empty if there is no compressed form
        std::string tag;         ///< the ETag, a hash of the content
    };
    std::map<std::string, File, std::less<>> files_;
};

}  // namespace caribou
