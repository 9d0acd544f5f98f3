// SPDX-License-Identifier: MIT
#ifndef UST0_EXIT_H
#define UST0_EXIT_H

#include "callsites.h"

/*
 * The call sites of a registered module are switched off when the process exits, before any destructor runs.
 *
 * The 0-ABI's own destructors, compiled into the program, zero the function pointers that its call sites call, under the feet of threads that still emit events.
 * With the genuine library such a program dies of SIGSEGV in one of three exits. An atexit() handler comes before every destructor.
 */
void ust0_exit_add(struct ust0_module *module, int (*unregister)(struct ust1_tracepoint *const *));

#endif
