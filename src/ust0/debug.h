// SPDX-License-Identifier: MIT
#ifndef UST0_DEBUG_H
#define UST0_DEBUG_H

// One line on stderr, only under NETTOP_UST0_DEBUG=1: the bridge lives in other people's processes.
__attribute__((format(printf, 1, 2))) void ust0_debug(const char *format, ...);

#endif
