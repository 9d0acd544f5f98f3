/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of one size that come and go, each known by its number: for what only some of many things have. The number of one that was given back
 * is given again. 0 is no number: so it can say "none". Not thread safe.
 */
#ifndef NT_BASE_SLOTS_H
#define NT_BASE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

struct nt_slots {
	unsigned char *items; /* owned */
	size_t item_size;     /* at least that of a uint32_t: those given back are a list */
	size_t count, capacity;
	size_t used;        /* numbers that are given */
	uint32_t last_back; /* given back last; 0 = none */
};

void nt_slots_init(struct nt_slots *slots, size_t item_size);
void nt_slots_fini(struct nt_slots *slots);

/* A number for a record that is all zero. Records may move: no pointer to one stays valid. */
uint32_t nt_slots_take(struct nt_slots *slots);
void nt_slots_give_back(struct nt_slots *slots, uint32_t number);

/* Give back all. */
void nt_slots_clear(struct nt_slots *slots);

/* The record of a number that is given. Valid until the next nt_slots_take(). */
static inline void *nt_slots_at(const struct nt_slots *slots, uint32_t number)
{
	return slots->items + number * slots->item_size;
}

#endif
