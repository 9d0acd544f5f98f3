/* SPDX-License-Identifier: GPL-2.0-only */
/* Libraries that nettop can do without: opened when they are first needed, so that they cost the start nothing and need not be there. */
#ifndef NT_BASE_LIBRARY_H
#define NT_BASE_LIBRARY_H

#include "nettop/status.h"

#include <stdbool.h>
#include <stddef.h>

struct nt_library_function {
	const char *symbol;
	size_t offset; /* of the pointer to it, in the caller's table */
};

/*
 * Open `file` and fill `table` with its functions. Never closed: they point into it. False: it cannot be opened, *failure is as it was, dlerror() says why,
 * and the caller what to do. A function that it has not makes a *failure (NT_ERR_UNSUPPORTED) that calls the library `name`. Source: dlopen(3).
 */
bool nt_library_load(const char *file, const char *name, const struct nt_library_function *functions, size_t count, void *table,
		     struct nt_error *failure);

#endif
