// SPDX-License-Identifier: MIT
#include "ust1.h"

#include "debug.h"

#include <dlfcn.h>
#include <string.h>

enum { FUNCTIONS_MAX = 8 };

bool ust1_open(const char *library, const struct ust1_function *functions, size_t count)
{
	void *found[FUNCTIONS_MAX];
	// Not RTLD_GLOBAL: what the program itself has loaded must go on finding its own symbols.
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!handle) {
		ust0_debug("no tracing: %s", dlerror());
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		found[i] = dlsym(handle, functions[i].name);
		if (!found[i]) {
			ust0_debug("no tracing: %s has no %s", library, functions[i].name);
			return false;
		}
	}
	for (size_t i = 0; i < count; i++)
		memcpy(functions[i].address, &found[i], sizeof(found[i]));
	return true;
}
