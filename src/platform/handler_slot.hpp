#pragma once

// Private to platform.

#include <cstddef>
#include <new>

namespace caribou {

/// Memory for one pending Asio operation inside the waiting object, so that waiting does not allocate. A
/// second operation at the same time, or a large one, uses the heap.
class HandlerSlot {
public:
    HandlerSlot() = default;
    HandlerSlot(const HandlerSlot&) = delete;
    HandlerSlot& operator=(const HandlerSlot&) = delete;

    void* allocate(std::size_t size) {
        if (taken_ || size > sizeof room_) return ::operator new(size);
        taken_ = true;
        return room_;
    }
    void deallocate(void* memory) {
        if (memory == room_)
            taken_ = false;
        else
            ::operator delete(memory);
    }

private:
    alignas(std::max_align_t) std::byte room_[112];
    bool taken_ = false;
};

/// The allocator_type of a handler, by which Asio requests memory.
template <class T = void>
class SlotAllocator {
public:
    using value_type = T;

    explicit SlotAllocator(HandlerSlot& slot) : slot_(&slot) {}
    template <class U>
    SlotAllocator(const SlotAllocator<U>& other) : slot_(other.slot_) {}

    T* allocate(std::size_t count) { return static_cast<T*>(slot_->allocate(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t) { slot_->deallocate(memory); }

    friend bool operator==(const SlotAllocator&, const SlotAllocator&) = default;

private:
    template <class U>
    friend class SlotAllocator;
    HandlerSlot* slot_;
};

}  // namespace caribou
