#include "dds/domain_lease.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::tests {
namespace {

// Neither commonly used domains, nor any whose ports are in the ephemeral range (32768 and up).
constexpr int first_domain = 40;
constexpr int last_domain = 100;

}  // namespace

DomainLease::DomainLease() {
    for (domain_ = first_domain; domain_ <= last_domain; ++domain_) {
        const auto path =
            std::filesystem::temp_directory_path() / fmt::format("caribou-dds-domain-{}", domain_);
        file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
        if (file_ >= 0) ::close(file_);
    }
    check(false, "some DDS domain is free");
}

DomainLease::~DomainLease() { ::close(file_); }

}  // namespace caribou::tests
