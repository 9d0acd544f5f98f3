/* SPDX-License-Identifier: GPL-2.0-only */
/* A process gives up, for good, whatever it does not need to decode what it is handed. */
#ifndef NT_SOURCE_DECODER_CONFINED_H
#define NT_SOURCE_DECODER_CONFINED_H

#include <stdbool.h>

/*
 * Only descriptors below `first_closed` stay; no other user's rights, no capabilities, no new ones, 1 GB of address space, no core dump, and none but the system
 * calls in decoder_confined.c: any other one kills. It ends with its parent (the thread that forked it). False: that is not to be had here; then nothing may be decoded. Built
 * with a sanitizer, which needs more, it is left its memory and its system calls.
 */
bool nt_decoder_confine(unsigned first_closed);

/* All of that but the filter of system calls: for who needs another one (serve/web_confined.h). */
bool nt_decoder_give_up(unsigned first_closed);

#endif
