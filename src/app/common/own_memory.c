// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/own_memory.h"

#include <malloc.h>

#include "base/alloc.h"

/* At the end of every fifth interval of one second: of what is given back half is wanted again by the next one, a page fault for each page. */
static const nt_time give_back_every_ns = 9 * NT_NS_PER_S / 2;

/*
 * What is made for the whole run is mostly large tables that fill slowly. As a block of the system's own each page of it is zero, and there when it is first needed; within the heap calloc()
 * would clear them all, and so have them all.
 */
enum { TABLE_BYTES = 64 << 10 };

/*
 * What an interval takes is not returned and asked for again within it, a page fault for each page: from then on blocks of this size are the system's, and so much may be free at the end of
 * the heap.
 */
enum { LARGE_BYTES = 512 << 10 };

/* What the heap of a session has grown by when it has told of its first interval, or somewhat less. */
enum { SESSION_BYTES = 1000 << 10 };

/* Less than that in holes is not looked for. */
enum { WORTH_BYTES = 2 << 20 };

/*
 * A heap for each thread keeps what that thread once needed, and a large block that was freed stays in one as a hole; our threads allocate too seldom to wait
 * for each other.
 */
void nt_own_memory_keep_small(void)
{
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, TABLE_BYTES);
	mallopt(M_TRIM_THRESHOLD, 3 * LARGE_BYTES);
}

void nt_own_memory_begin(void)
{
	mallopt(M_MMAP_THRESHOLD, 2 * LARGE_BYTES);
	nt_touch_heap(SESSION_BYTES);
	mallopt(M_MMAP_THRESHOLD, TABLE_BYTES);
}

void nt_own_memory_keep_ready(void)
{
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
}

/* The chains of an epoch, a snapshot, a burst of events leave holes between what stays, and malloc gives back by itself only what lies at the end. */
void nt_own_memory_give_back(nt_time now)
{
	static nt_time next;
	if (now < next)
		return;
	next = now + give_back_every_ns;
	if (mallinfo2().fordblks >= WORTH_BYTES)
		malloc_trim(0);
}
