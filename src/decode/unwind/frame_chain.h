/* SPDX-License-Identifier: GPL-2.0-only */
/* Frame pointers in a copy of a thread's stack, of which the registers are not known. */
#ifndef NT_DECODE_FRAME_CHAIN_H
#define NT_DECODE_FRAME_CHAIN_H

#include <stddef.h>
#include <stdint.h>

/*
 * stack[0..size): what lies at the address `base`, the stack pointer, and above it; size and base are multiples of 8. Writes the return addresses of the first chain of at least
 * four frame pointers, innermost first, at most `max`, which is 4 at least; returns how many. The functions inside it, which keep none (libc), are missing.
 */
size_t nt_frame_chain(const uint8_t *stack, size_t size, uint64_t base, uint64_t *out, size_t max);

#endif
