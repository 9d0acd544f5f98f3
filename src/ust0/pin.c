// SPDX-License-Identifier: MIT
#include "pin.h"

#include "debug.h"

#include <dlfcn.h>

void ust0_pin_module_of(const void *address)
{
	Dl_info module;
	if (!dladdr(address, &module) || !module.dli_fname)
		return;
	// Fails for the program itself, whose name need not be a path; that one never goes.
	if (!dlopen(module.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE))
		ust0_debug("not pinned: %s", module.dli_fname);
}
