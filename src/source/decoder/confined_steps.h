/* SPDX-License-Identifier: GPL-2.0-only */
/* Steps by which our processes give up what they do not need; in the order in which they stand here. */
#ifndef NT_SOURCE_CONFINED_STEPS_H
#define NT_SOURCE_CONFINED_STEPS_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

/*
 * Root becomes nobody. Where it may not (it has no right to, or its user namespace knows no nobody) it stays root by name: without capabilities and without open() that is
 * a user like any other.
 */
bool nt_confine_become_nobody(void);

/* Only descriptors below `first_closed` stay; of capabilities this one, if it is there (-1: none), and no new ones; nobody of the same user looks into it; it ends with its parent; no core dump, so many descriptors. After the change of the user, which undoes some of it. */
bool nt_confine_bare(unsigned first_closed, unsigned descriptors, int capability);

/* So many bytes of address space. Not for a build with a sanitizer. */
bool nt_confine_memory(rlim_t bytes);

/* These system calls and no others: any other one kills. */
bool nt_confine_calls(struct sock_filter *code, size_t count);

#endif
