// SPDX-License-Identifier: GPL-2.0-only
#include "base/library.h"

#include "base/own_program.h"

#include <dlfcn.h>
#include <string.h>

bool nt_library_load(const char *file, const char *name, const struct nt_library_function *functions, size_t count, void *table,
		     struct nt_error *failure)
{
	char path[PATH_MAX] = "";
	/* One that was copied without them is not to be given those of another system, which want another libc: there is none in its folder. */
	if (nt_own_program_is_carried())
		nt_own_program_path(path);
	char *end = strrchr(path, '/');
	size_t room = end ? sizeof(path) - (size_t)(end + 1 - path) : 0;
	void *library = dlopen(strlen(file) < room ? (strcpy(end + 1, file), path) : file, RTLD_NOW | RTLD_LOCAL);
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
