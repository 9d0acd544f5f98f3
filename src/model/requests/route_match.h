/* SPDX-License-Identifier: GPL-2.0-only */
/* Which route a request is of, by its path: the Meter tells templates and no paths, single requests tell paths and no templates. */
#ifndef NT_MODEL_ROUTE_MATCH_H
#define NT_MODEL_ROUTE_MATCH_H

#include "nettop/request_row.h"

#include <stddef.h>

/*
 * How well a path fits a template of ASP.NET Core's; 0 = not at all. `{id:int}` is a segment, `{id?}` and `{id=5}` are one or none, `{**rest}` is all that follow; letters of
 * either case are the same. Of two that fit the one that is more exact from the left on has the higher value, as the server takes it. What a constraint forbids is not checked. Pure.
 */
uint64_t nt_route_fits(const char *route, const char *path);

/* The template among the rows served that fits best; NULL = none, or not one alone. Borrowed from the row. Pure. */
const char *nt_route_of(const struct nt_request_row *rows, size_t count, const char *method, const char *path);

#endif
