// SPDX-License-Identifier: GPL-2.0-only
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

bool nt_library_load(const char *file, const char *name, const struct nt_library_function *functions, size_t count, void *table,
		     struct nt_error *failure)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return false;
	for (size_t i = 0; i < count; i++) {
		void *function = dlsym(library, functions[i].symbol);
		if (!function)
			nt_error_set(failure, NT_ERR_UNSUPPORTED, "this %s has no %s", name, functions[i].symbol);
		memcpy((char *)table + functions[i].offset, &function, sizeof(function));
	}
	return true;
}
