/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names made to fit (screens, principle 12). Texts are UTF-8 free of control characters; room is in cells; `out` is always NUL-terminated.
 * Each returns out. Source: src/output/columns/shorten.c.
 */
#ifndef NETTOP_SHORTEN_H
#define NETTOP_SHORTEN_H

#include <stddef.h>

/* Cut at the right, with an ellipsis. */
const char *nt_shorten_tail(const char *text, int room, char *out, size_t size);

/*
 * A method: the arguments become an ellipsis, then the namespace goes from the left, then type arguments become an ellipsis, then the tail goes; Type.Method lasts
 * longest. C++ scopes go too,
 * the class with them.
 */
const char *nt_shorten_method(const char *name, int room, char *out, size_t size);

/* A module: a library loses its .so and version; leading segments become initials (S.P.CoreLib) as far as needed; then the tail. */
const char *nt_shorten_module(const char *name, int room, char *out, size_t size);

/* A type without its namespace; then the tail goes. */
const char *nt_shorten_type(const char *name, int room, char *out, size_t size);

#endif
