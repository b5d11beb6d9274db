#include "loop/address.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace caribou {
namespace {

constexpr std::string_view unix_prefix = "unix:";
/// Capacity of the system's sockaddr_un, without the terminating zero.
constexpr std::size_t max_unix_path = 107;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Parses a decimal number of at most `max`. Returns nullopt if there is a sign, whitespace or trailing text.
std::optional<unsigned> parse_number(std::string_view text, unsigned max) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || value > max)
        return std::nullopt;
    return value;
}

/// Returns whether this is four numbers up to 255, separated by dots. Legacy short forms (127.1) are
/// rejected.
bool is_ipv4(std::string_view host) {
    for (int part = 0; part < 4; ++part) {
        const std::size_t dot = part < 3 ? host.find('.') : host.size();
        if (dot == std::string_view::npos || dot > 3 || !parse_number(host.substr(0, dot), 255)) return false;
        host.remove_prefix(part < 3 ? dot + 1 : dot);
    }
    return host.empty();
}

/// Returns whether this is eight groups of up to four hex digits, or fewer with one `::`. A zone (`%eth0`)
/// may follow; an IPv4 suffix (`::ffff:1.2.3.4`) counts as two groups.
bool is_ipv6(std::string_view host) {
    if (const auto percent = host.find('%'); percent != std::string_view::npos) {
        if (percent + 1 == host.size()) return false;
        host = host.substr(0, percent);
    }
    int groups = 0;
    bool gap = false;
    if (host.starts_with("::")) {
        gap = true;
        host.remove_prefix(2);
    }
    while (!host.empty()) {
        if (is_ipv4(host)) {
            groups += 2;
            break;
        }
        const std::size_t end = std::min(host.find(':'), host.size());
        if (end == 0 || end > 4 || !std::ranges::all_of(host.substr(0, end), is_hex)) return false;
        ++groups;
        host.remove_prefix(end);
        if (host.starts_with("::")) {
            if (gap) return false;
            gap = true;
            host.remove_prefix(2);
        } else if (host.starts_with(':')) {
            host.remove_prefix(1);
            if (host.empty()) return false;
        }
    }
    return gap ? groups < 8 : groups == 8;
}

bool is_name(std::string_view host) {
    const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '_'; };
    return std::ranges::all_of(host, fits);
}

std::unexpected<Error> not_an_address(std::string_view text, std::string_view why) {
    return fail(Code::invalid_argument, fmt::format("address '{}': {}", text, why));
}

Result<Address> parse_unix(std::string_view text) {
    const std::string_view path = text.substr(unix_prefix.size());
    if (path.empty())
        return not_an_address(text,
                              "a path is missing after 'unix:'; write for example unix:/run/caribou.sock");
    if (path.find('\0') != std::string_view::npos)
        return not_an_address(text, "a path cannot contain a zero byte");
    if (path.size() > max_unix_path)
        return not_an_address(text, fmt::format("the path has {} bytes, and a Unix socket's has at most {}; "
                                                "choose a shorter one",
                                                path.size(), max_unix_path));
    return Address::unix_path(std::string(path));
}

/// Validates the host. `in_brackets`: it was written in square brackets.
Result<void> check_host(std::string_view text, std::string_view host, bool in_brackets) {
    if (host.empty())
        return not_an_address(text,
                              "the host is missing before the port; write 127.0.0.1 for this machine "
                              "or 0.0.0.0 for all of its networks");
    if (in_brackets && !is_ipv6(host))
        return not_an_address(text, fmt::format("'{}' in the brackets is not an IPv6 address; write for "
                                                "example [::1]:9000",
                                                host));
    if (in_brackets) return {};
    if (host.contains(':'))
        return not_an_address(text,
                              "an IPv6 address needs brackets before its port; write for example [::1]:9000");
    if (!is_name(host))
        return not_an_address(
            text, fmt::format("'{}' is not a host; use letters, digits, '.', '-' and '_' only", host));
    if (std::ranges::all_of(host, [](char c) { return is_digit(c) || c == '.'; }) && !is_ipv4(host))
        return not_an_address(text, fmt::format("'{}' is not an IPv4 address; write four numbers up to 255, "
                                                "for example 127.0.0.1",
                                                host));
    return {};
}

}  // namespace

Result<Address> Address::parse(std::string_view text) {
    if (text.empty())
        return fail(Code::invalid_argument,
                    "the address is empty; write host:port, for example 127.0.0.1:9000, or unix:/path");
    if (text.starts_with(unix_prefix)) return parse_unix(text);

    std::string_view host;
    std::string_view rest;
    const bool in_brackets = text.starts_with('[');
    if (in_brackets) {
        const auto bracket = text.find(']');
        if (bracket == std::string_view::npos)
            return not_an_address(text, "the closing ']' is missing; write for example [::1]:9000");
        host = text.substr(1, bracket - 1);
        rest = text.substr(bracket + 1);
    } else {
        const auto colon = std::min(text.rfind(':'), text.size());
        host = text.substr(0, colon);
        rest = text.substr(colon);
    }
    if (!rest.starts_with(':'))
        return not_an_address(text,
                              fmt::format("the port is missing; write for example {}:9000",
                                          in_brackets ? text.substr(0, text.size() - rest.size()) : host));
    if (auto good = check_host(text, host, in_brackets); !good) return fail(std::move(good.error()));
    const auto port = parse_number(rest.substr(1), 65535);
    if (!port)
        return not_an_address(
            text, fmt::format("'{}' is not a port; write a number from 0 to 65535", rest.substr(1)));
    return Address::ip(std::string(host), static_cast<std::uint16_t>(*port));
}

bool Address::is_loopback() const {
    if (kind == Kind::unix_socket) return true;
    if (is_ipv4(host)) return parse_number(std::string_view(host).substr(0, host.find('.')), 255) == 127u;
    if (host == "::1" || host == "0:0:0:0:0:0:0:1") return true;
    return std::ranges::equal(host, std::string_view("localhost"), {}, lower);
}

std::string to_string(const Address& address) {
    if (address.kind == Address::Kind::unix_socket) return fmt::format("{}{}", unix_prefix, address.host);
    if (address.host.contains(':')) return fmt::format("[{}]:{}", address.host, address.port);
    return fmt::format("{}:{}", address.host, address.port);
}

}  // namespace caribou
