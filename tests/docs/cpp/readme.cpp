#include <README.1.inc>
