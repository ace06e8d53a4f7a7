// hiredis's reader and formatter of Redis's protocol, without its sockets.
#ifndef WEIR_CREDIS_H
#define WEIR_CREDIS_H

#include <hiredis/hiredis.h>

#endif
