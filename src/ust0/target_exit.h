// SPDX-License-Identifier: MIT
#ifndef UST0_EXIT_H
#define UST0_EXIT_H

#include "callsites.h"
#include "functions.h"

/*
 * The call sites of a registered module are switched off when the process exits, before any destructor runs.
 *
 * The 0-ABI's own destructors, compiled into the program, zero the function pointers that its call sites call, under the feet of threads that still emit events.
 * With the genuine library such a program dies of SIGSEGV in one of three exits. An atexit() handler comes before every destructor. A thread that has seen a call site on, and did not run since, comes
 * to it later still: so the functions are kept from that destructor, too, and it finds no probe there.
 */
void ust0_exit_add(struct ust0_module *module, const struct ust0_functions *functions, int (*unregister)(struct ust1_tracepoint *const *));

#endif
