#pragma once

namespace caribou::tests {

/// A DDS domain that no other test of this machine uses at the same time: a lock on a file that stands
/// for it, which the system takes back whatever happens to the process.
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
