#include "platform/local_token.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "platform/descriptor.hpp"
#include "platform/environment.hpp"
#include "platform/random_bytes.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

namespace fs = std::filesystem;

/// State folder of the systemd services.
constexpr const char* service_folder = "/var/lib/caribou";

fs::path token_file(const fs::path& folder, std::uint16_t port) {
    return folder / fmt::format("web-{}.token", port);
}

struct StoredToken {
    std::string text;
    uid_t owner;
};

bool is_token(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    return text.size() == LocalToken::size && text.find_first_not_of(digits) == std::string_view::npos;
}

/// Reads the file without following a symbolic link, and without waiting if it is a pipe. Fails with
/// malformed if there is a file that cannot be used.
Result<StoredToken> read_token(const fs::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status{};
    if (!file || ::fstat(file.get(), &status) != 0)
        return fail(system_error("cannot read " + path.string(), errno));
    if (!S_ISREG(status.st_mode) || (status.st_mode & 077U) != 0)
        return fail(Code::malformed, fmt::format("{} is not a regular file of mode 0600", path.string()));
    std::array<char, LocalToken::size + 2> room{};
    const ssize_t count = ::read(file.get(), room.data(), room.size());
    std::string text(room.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (text.ends_with('\n')) text.pop_back();
    if (!is_token(text)) return fail(Code::malformed, path.string() + " does not hold a token");
    return StoredToken{std::move(text), status.st_uid};
}

std::string new_token() {
    std::array<std::byte, LocalToken::size / 2> bytes{};
    fill_with_random_bytes(bytes);
    std::string text;
    for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    return text;
}

/// Replaces the file, which is complete at every moment.
Result<void> write_token(const fs::path& path, const std::string& text) {
    const fs::path draft = fmt::format("{}.{}.new", path.string(), ::getpid());
    ::unlink(draft.c_str());
    bool written = false;
    {
        const Descriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        const std::string line = text + "\n";
        written = file && ::write(file.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
    }
    if (written && std::rename(draft.c_str(), path.c_str()) == 0) return {};
    const int number = errno;
    ::unlink(draft.c_str());
    return fail(system_error("cannot write " + path.string(), number));
}

/// Returns the account that listens on this TCP port, from /proc/net/tcp or tcp6; nullopt if there is none.
std::optional<uid_t> listener_in(const char* table, std::uint16_t port) {
    std::ifstream lines(table);
    const std::string end_of_local = fmt::format(":{:04X}", port);
    for (std::string line; std::getline(lines, line);) {
        std::array<char, 80> local{};
        std::array<char, 80> remote{};
        unsigned state = 0;
        unsigned owner = 0;
        constexpr const char* form = " %*[^:]: %79s %79s %x %*s %*s %*s %u";
        if (std::sscanf(line.c_str(), form, local.data(), remote.data(), &state, &owner) != 4) continue;
        constexpr unsigned listening = 0x0a;
        if (state == listening && std::string_view(local.data()).ends_with(end_of_local)) return owner;
    }
    return std::nullopt;
}

std::optional<uid_t> listener_of(std::uint16_t port) {
    const auto owner = listener_in("/proc/net/tcp", port);
    return owner ? owner : listener_in("/proc/net/tcp6", port);
}

std::string account_name(uid_t account) {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 4096> room{};
    if (::getpwuid_r(account, &entry, room.data(), room.size(), &found) == 0 && found != nullptr)
        return entry.pw_name;
    return fmt::format("{}", account);
}

/// Returns the folders where the servers of this machine store their state, as far as this account may know.
std::array<fs::path, 2> state_folders() { return {state_folder_of_user(), service_folder}; }

}  // namespace

LocalToken::LocalToken(fs::path file, std::string text, Lifetime lifetime)
    : file_(lifetime == Lifetime::of_process ? std::move(file) : fs::path()), text_(std::move(text)) {}

LocalToken::LocalToken(LocalToken&& other) noexcept
    : file_(std::exchange(other.file_, {})), text_(std::move(other.text_)) {}

LocalToken& LocalToken::operator=(LocalToken&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(text_, other.text_);
    return *this;
}

LocalToken::~LocalToken() {
    if (!file_.empty()) ::unlink(file_.c_str());
}

Result<LocalToken> LocalToken::open(const fs::path& folder, std::uint16_t port, Lifetime lifetime) {
    if (std::error_code error; !fs::exists(folder, error)) {
        fs::create_directories(folder, error);
        if (!error) fs::permissions(folder, fs::perms::owner_all, error);
        if (error) return fail(system_error("cannot make " + folder.string(), error.value()));
    }
    fs::path file = token_file(folder, port);
    if (auto stored = read_token(file); stored && stored->owner == ::geteuid())
        return LocalToken(std::move(file), std::move(stored->text), lifetime);
    std::string text = new_token();
    if (auto written = write_token(file, text); !written) return fail(std::move(written.error()));
    return LocalToken(std::move(file), std::move(text), lifetime);
}

fs::path state_folder_of_user() { return folder_of_user("XDG_STATE_HOME", ".local/state") / "caribou"; }

Result<std::string> find_local_token(const Address& server) {
    if (!server.is_loopback())
        return fail(Code::refused, fmt::format("{} is not on this machine: its tokens are those of its "
                                               "configuration; --token takes one",
                                               to_string(server)));
    const auto listener = listener_of(server.port);
    if (!listener) return fail(Code::unreachable, fmt::format("nothing listens at {}", to_string(server)));
    std::optional<Error> malformed;
    bool had_one = false;
    for (const fs::path& folder : state_folders()) {
        auto stored = read_token(token_file(folder, server.port));
        if (stored && stored->owner == *listener) return std::move(stored->text);
        had_one = had_one || (stored && stored->owner == ::geteuid());
        if (!stored && stored.error().code == Code::malformed && !malformed)
            malformed = std::move(stored.error());
    }
    if (malformed) return fail(std::move(*malformed));
    if (had_one)
        return fail(
            Code::malformed,
            fmt::format("{} is served by the user {}, and no longer by a station of this account: what "
                        "it reports may be false",
                        to_string(server), account_name(*listener)));
    if (*listener == ::geteuid())
        return fail(Code::not_found,
                    fmt::format("there is no token of {} in {}; its program has another state folder "
                                "(XDG_STATE_HOME)",
                                to_string(server), state_folder_of_user().string()));
    return fail(Code::refused,
                fmt::format("the token of {} can be read by the user {} only, who serves it; run this "
                            "as that user",
                            to_string(server), account_name(*listener)));
}

Address local_socket(const fs::path& folder, std::uint16_t port) {
    struct stat network{};
    ::stat("/proc/self/ns/net", &network);
    return Address::unix_path((folder / fmt::format("web-{}-{}.sock", port, network.st_ino)).string());
}

std::optional<Address> find_local_socket(const Address& server) {
    if (server.kind != Address::Kind::ip || !server.is_loopback()) return std::nullopt;
    const auto listener = listener_of(server.port);
    if (!listener) return std::nullopt;
    for (const fs::path& folder : state_folders()) {
        Address socket = local_socket(folder, server.port);
        struct stat file{};
        const bool is_there = ::lstat(socket.host.c_str(), &file) == 0 && S_ISSOCK(file.st_mode);
        if (is_there && file.st_uid == *listener && ::access(socket.host.c_str(), W_OK) == 0) return socket;
    }
    return std::nullopt;
}

}  // namespace caribou
