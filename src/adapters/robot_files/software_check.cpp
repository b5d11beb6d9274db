#include "adapters/robot_files/software_check.hpp"

#include <openssl/crypto.h>
#include <openssl/opensslv.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/openssl/sha256.hpp"
#include "platform/descriptor.hpp"
#include "platform/socket_address.hpp"
#include "platform/system_error.hpp"
#include "platform/text_file.hpp"
#include "robot/fault_names.hpp"

namespace caribou {
namespace {

constexpr std::size_t digest_letters = 64;

/// Returns the path of a line `DIGEST  PATH` in the format of sha256sum; empty if it has another format.
std::string_view path_in(std::string_view line) {
    constexpr std::string_view gap = "  ";
    if (line.size() <= digest_letters + gap.size() || line.substr(digest_letters, gap.size()) != gap)
        return {};
    return line.substr(digest_letters + gap.size());
}

/// Returns an empty string if the file of a line is unchanged.
std::string check_line(std::string_view line, const std::filesystem::path& prefix) {
    if (path_in(line).empty())
        return fmt::format("the manifest has a line that makes no sense: `{}`", line.substr(0, 80));
    const std::string path = prefix / path_in(line);
    const auto bytes = read_text_file(path, 512_MiB);
    if (!bytes) return bytes.error().message;
    if (sha256_of(*bytes) == line.substr(0, digest_letters)) return {};
    return fmt::format("{} is not what was installed; install it again", path);
}

std::filesystem::path prefix_of(const std::string& manifest) {
    return std::filesystem::path(manifest).parent_path().parent_path().parent_path();
}

Result<void> check_rights(const SoftwareNeeds& needs) {
    for (const std::string& path : needs.read)
        if (::access(path.c_str(), R_OK) != 0) return fail(system_error("cannot read " + path, errno));
    for (const std::string& path : needs.written) {
        const std::string folder = std::filesystem::absolute(path).parent_path();
        if (::access(folder.c_str(), W_OK | X_OK) != 0)
            return fail(system_error(fmt::format("cannot replace {} in its folder", path), errno));
    }
    return {};
}

Result<void> check_files(const std::string& program) {
    const InstallCheck installed = check_install(manifest_of(program));
    if (installed.findings.empty()) return {};
    return fail(Code::malformed, fmt::format("{}", fmt::join(installed.findings, "; ")));
}

/// The loader has found all libraries, otherwise nothing would run; this checks their versions.
Result<void> check_libraries() {
    if (OPENSSL_version_major() == OPENSSL_VERSION_MAJOR) return {};
    return fail(Code::unavailable, fmt::format("OpenSSL is of version {}, and {} is needed",
                                               OPENSSL_version_major(), OPENSSL_VERSION_MAJOR));
}

/// Connecting a datagram socket looks up a route without sending anything.
Result<void> check_network(const Address& station) {
    const auto addresses = resolve_now(station);
    if (!addresses) return fail(addresses.error());
    int failed = ENETUNREACH;
    for (const SocketAddress& each : *addresses) {
        const Descriptor socket(::socket(each.family(), SOCK_DGRAM | SOCK_CLOEXEC, 0));
        if (::connect(socket.get(), each.raw(), each.size) == 0) return {};
        failed = errno;
    }
    return fail(system_error(fmt::format("no network leads to {}", to_string(station)), failed));
}

}  // namespace

std::string manifest_of(const std::string& program) {
    return std::filesystem::path(program).parent_path().parent_path() / "share/caribou/manifest.sha256";
}

std::string own_program() {
    std::error_code failed;
    return std::filesystem::read_symlink("/proc/self/exe", failed);
}

InstallCheck check_install(const std::string& manifest) {
    InstallCheck check{.manifest = manifest};
    const auto text = read_text_file(manifest);
    if (!text && text.error().code == Code::not_found) return check;
    check.files = 0;
    if (!text) {
        check.findings.push_back(text.error().message);
        return check;
    }
    const auto prefix = prefix_of(manifest);
    for (std::string_view rest = *text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (line.empty()) continue;
        ++*check.files;
        if (std::string wrong = check_line(line, prefix); !wrong.empty())
            check.findings.push_back(std::move(wrong));
    }
    return check;
}

bool is_installed(const std::string& manifest, const std::string& file) {
    std::error_code failed;
    const auto path = std::filesystem::canonical(file, failed);
    const auto text = read_text_file(manifest);
    if (failed || !text) return false;
    const auto prefix = std::filesystem::canonical(prefix_of(manifest), failed);
    return std::ranges::any_of(std::views::split(*text, '\n'), [&](const auto& line) {
        const std::string_view listed = path_in(std::string_view(line.begin(), line.end()));
        return !listed.empty() && prefix / listed == path;
    });
}

std::vector<motion::PartCheck> check_software(const SoftwareNeeds& needs) {
    std::vector<motion::PartCheck> checks{{"access rights", false, check_rights(needs)},
                                          {"installed files", true, check_files(needs.program)},
                                          {"libraries", true, check_libraries()}};
    if (needs.station)
        checks.push_back({std::string(robot::faults::network), false, check_network(*needs.station)});
    return checks;
}

}  // namespace caribou
