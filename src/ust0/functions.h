// SPDX-License-Identifier: MIT
#ifndef UST0_FUNCTIONS_H
#define UST0_FUNCTIONS_H

#include <stddef.h>

/*
 * What a module of the 0-ABI has found by dlsym(), a structure compiled into it (headers of lttng-ust 2.5 to 2.12). Its destructor closes `library` and zeroes all of it, unless `library` is NULL;
 * those of headers before 2.10 ask nobody whether they may. A call site that was on when a thread looked at it calls through it all the same.
 */
struct ust0_functions {
	void *library;
	void (*register_lib)(void);
	void (*unregister_lib)(void);
	void (*read_lock)(void);
	void (*read_unlock)(void);
	void (*dereference)(void);
};

/*
 * Lets the structures last that have these functions, of the module that `address` lies in: its destructor leaves them as they are. `library` of `ours` means nothing. At the end of the process: who
 * constructs a module looks at it, too. Returns how many there were.
 */
size_t ust0_functions_keep(const void *address, const struct ust0_functions *ours);

#endif
