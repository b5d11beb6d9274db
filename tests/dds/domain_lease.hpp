#pragma once

namespace caribou::tests {

/// A DDS domain that no other test on this machine uses at the same time: a lock on a file, which the kernel
/// releases when the process ends.
class DomainLease {
public:
    DomainLease();
    DomainLease(const DomainLease&) = delete;
    DomainLease& operator=(const DomainLease&) = delete;
    ~DomainLease();

    int domain() const { return domain_; }

private:
    int file_ = -1;
    int domain_ = 0;
};

}  // namespace caribou::tests
