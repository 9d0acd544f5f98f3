/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that nobody else can guess. */
#ifndef NT_BASE_SECRET_H
#define NT_BASE_SECRET_H

#include <stdint.h>

/*
 * From the kernel. Early after the machine's start, when it does not promise anything yet, each process still has other ones than the next, made of what the kernel gave it at its
 * start and of the time.
 */
uint64_t nt_secret(void);

#endif
