// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/switch_price.h"

#include "source/common/bpf_call.h"

#include <unistd.h>

enum {
	LONG_ENOUGH_MS = 50,
	LEAST_LEFT = 200, /* fewer say little */
	/* Of the calls for one switch: before and after the time that the kernel counts, and what the program's data has driven out of the caches. */
	BESIDE_NS = 250,
};

static bool taken(const struct nt_switch_price *price, uint64_t *ns)
{
	*ns = 0;
	for (unsigned i = 0; i < 2; i++) {
		struct bpf_prog_info info = { 0 };
		union bpf_attr attributes = {
			.info = { .bpf_fd = (uint32_t)price->programs[i], .info_len = sizeof(info), .info = nt_bpf_pointer(&info) }
		};
		if (nt_bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attributes) != 0)
			return false;
		*ns += info.run_time_ns;
	}
	return true;
}

void nt_switch_price_init(struct nt_switch_price *price, int switched, int woken)
{
	*price = (struct nt_switch_price){ .programs = { switched, woken }, .stats = -1 };
}

static void stop_counting(struct nt_switch_price *price)
{
	if (price->stats >= 0)
		close(price->stats);
	price->stats = -1;
}

void nt_switch_price_fini(struct nt_switch_price *price)
{
	stop_counting(price);
}

void nt_switch_price_begin(struct nt_switch_price *price, nt_time now)
{
	union bpf_attr attributes = { .enable_stats = { .type = BPF_STATS_RUN_TIME } };
	if (price->from)
		return;
	price->stats = nt_bpf_call(BPF_ENABLE_STATS, &attributes); /* else it may be on for everybody */
	price->left = price->until = 0;
	if (taken(price, &price->took_ns))
		price->from = now;
	else
		stop_counting(price);
}

void nt_switch_price_turn(struct nt_switch_price *price, nt_time now)
{
	uint64_t ns;
	if (!price->from || price->until || now < price->from + LONG_ENOUGH_MS * NT_NS_PER_MS)
		return;
	if (taken(price, &ns) && ns >= price->took_ns) {
		price->took_ns = ns - price->took_ns;
		price->until = now;
	} else {
		price->from = 0;
	}
	stop_counting(price);
}

void nt_switch_price_missed(struct nt_switch_price *price)
{
	price->from = 0;
	stop_counting(price);
}

uint64_t nt_switch_price_take(struct nt_switch_price *price, uint64_t most)
{
	if (!price->until)
		return price->switch_ns;
	if (price->from && price->left >= LEAST_LEFT && price->took_ns) {
		uint64_t ns = price->took_ns / price->left + BESIDE_NS;
		price->switch_ns = ns < most ? ns : most;
	}
	price->from = price->until = 0;
	return price->switch_ns;
}
