/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of /proc/PID/maps, read by a hand: the kernel can keep us waiting for the target's mmap lock. */
#ifndef NT_SOURCE_MAPS_TEXT_H
#define NT_SOURCE_MAPS_TEXT_H

#include <stddef.h>

#include "source/common/hand.h"

struct nt_maps_text {
	char *text; /* owned; free() */
	size_t length;
	int errnum; /* without one: why it cannot be read; 0 = for no reason of the system */
};

/* OK with a text that is not empty; anything else: there is none now, because the process ended or the kernel kept us waiting too long. */
enum nt_status nt_maps_text_read(struct nt_hand *hand, const char *path, nt_time timeout_ns, struct nt_maps_text *out);

/*
 * The same, of the executable mappings, with or without others: where the kernel can be asked for them alone (Linux 6.11), in a third of the time. [vsyscall], which is the same in each process
 * and no mapping of its own, may be missing then.
 */
enum nt_status nt_maps_text_read_code(struct nt_hand *hand, const char *path, nt_time timeout_ns, struct nt_maps_text *out);

#endif
