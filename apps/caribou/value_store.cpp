#include "caribou/value_store.hpp"

namespace caribou::app {

Result<std::unique_ptr<ValueStore>> ValueStore::open(const std::string& directory, Log& log) {
    auto disk = FileDisk::open(directory);
    if (!disk) return fail(std::move(disk.error()));
    std::unique_ptr<ValueStore> store(new ValueStore(std::move(*disk), log));
    auto kept = store->files_.open(log);
    if (!kept) return fail(std::move(kept.error()));
    store->kept_ = std::move(*kept);
    return store;
}

void ValueStore::serve(EventLoop& loop, bus::BrokerServer& server, bus::Durability durability) {
    thread_.emplace(loop, files_, log_);
    server.keep_values(*thread_, {.durability = durability}, kept_.contents);
    kept_ = {};
}

}  // namespace caribou::app
