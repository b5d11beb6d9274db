#include "platform/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "platform/system_error.hpp"

namespace caribou {

Result<MappedFile> MappedFile::open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return fail(system_error("cannot open " + path, errno));
    struct stat status{};
    const bool known = ::fstat(descriptor, &status) == 0;
    if (known && !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return fail(Code::invalid_argument, path + " is not a file");
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const begin = size == 0 ? nullptr : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int why = errno;
    ::close(descriptor);
    if (!known || begin == MAP_FAILED) return fail(system_error("cannot read " + path, why));
    return MappedFile(static_cast<const char*>(begin), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(size_, other.size_);
    return *this;
}

bool MappedFile::bring_in() const {
    if (begin_ == nullptr) return true;
    // Kernels before 5.14 do not support it; then pages are loaded on access.
    return ::madvise(const_cast<char*>(begin_), size_, MADV_POPULATE_READ) == 0 || errno == EINVAL;
}

MappedFile::~MappedFile() {
    if (begin_ != nullptr) ::munmap(const_cast<char*>(begin_), size_);
}

}  // namespace caribou
