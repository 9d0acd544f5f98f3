/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nettop's own liblttng-ust.so.0, on top of the liblttng-ust.so.1 of today's distributions: a folder that a target has on its LD_LIBRARY_PATH when it
 * starts.
 */
#ifndef NT_TARGET_BRIDGE_H
#define NT_TARGET_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>

/* The name by which Microsoft's runtimes ask for LTTng. */
#define NT_UST0_SONAME "liblttng-ust.so.0"

/*
 * The folder that belongs to the nettop at `program`: beside it where it was built, ../lib/nettop/ust0 where it was installed, else where `make install`
 * was told to put it (libdir). False when none has the library; `dir` is that last one then.
 */
bool nt_bridge_find(const char *program, char *dir, size_t size);

/* The same for the nettop that runs. */
bool nt_bridge_find_own(char *dir, size_t size);

/* Is this file's content the bridge, not the genuine library? It names the variable that makes it talk. */
bool nt_bridge_is(const char *bytes, size_t length);

#endif
