/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs of switch_program.h cost for each time that a thread of the process leaves a CPU, by the kernel's own count of their time (kernel.bpf_stats_enabled). That count costs itself, for every program of the
 * machine: where it takes nettop to switch it on (CAP_SYS_ADMIN) it is on for a moment now and then. What they do for other processes is in it, so the price is never too low for that.
 */
#ifndef NT_SOURCE_SWITCH_PRICE_H
#define NT_SOURCE_SWITCH_PRICE_H

#include "nettop/clock.h"

#include <stdbool.h>
#include <stdint.h>

struct nt_switch_price {
	int programs[2];     /* borrowed descriptors */
	int stats;           /* owned: the kernel counts as long as it is open; -1 = not by us */
	nt_time from, until; /* what is measured: since then; up to then, 0 = it goes on */
	uint64_t took_ns;    /* by the programs; before it is over, up to `from` */
	uint64_t left;       /* times that a thread of the process has left a CPU meanwhile */
	uint64_t switch_ns;  /* the price; 0 = not known */
};

void nt_switch_price_init(struct nt_switch_price *price, int switched, int woken);
void nt_switch_price_fini(struct nt_switch_price *price);

/* Begin to measure, unless it goes on; end it when it has lasted long enough. */
void nt_switch_price_begin(struct nt_switch_price *price, nt_time now);
void nt_switch_price_turn(struct nt_switch_price *price, nt_time now);

/* A thread has left a CPU. Only some of them are told: nothing comes of what is measured now. */
static inline void nt_switch_price_left(struct nt_switch_price *price, nt_time time)
{
	price->left += price->from && time >= price->from && (!price->until || time < price->until);
}

void nt_switch_price_missed(struct nt_switch_price *price);

/* All of it has been told: what each costs, up to `most`; 0 = not known yet. What was measured before stays where too little happened this time. */
uint64_t nt_switch_price_take(struct nt_switch_price *price, uint64_t most);

#endif
