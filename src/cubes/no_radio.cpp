#include "cubes/no_radio.hpp"

namespace caribou::cubes {
namespace {

Result<void> none() { return fail(Code::unavailable, "there is no radio: choose another one with --radio"); }

}  // namespace

RadioStatus NoRadio::status() const { return {RadioStatus::Kind::unavailable, none().error().message}; }
Result<void> NoRadio::start_scan() { return none(); }
Result<void> NoRadio::connect(CubeAddress) { return none(); }
Result<void> NoRadio::disconnect() { return none(); }
Result<void> NoRadio::read(Characteristic) { return none(); }
Result<void> NoRadio::write(Characteristic, ByteView) { return none(); }

}  // namespace caribou::cubes
