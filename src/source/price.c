// SPDX-License-Identifier: GPL-2.0-only
#include "source/price.h"

const struct nt_price_entry nt_prices[NT_PRICE_COUNT] = {
	[NT_PRICE_SAMPLE] = { 12000, "work done by a busy loop, 999 and 4999 Hz: 8 to 17 us for each interrupt with its chain, in a "
				     "virtual machine" },
	[NT_PRICE_TASK_SWITCH] = { 10000, "two pairs of threads that hand a byte to and fro: 4.8 us of CPU for each switch alone, 11.6 to "
					  "17.1 with events" },
	[NT_PRICE_EVENTPIPE] = { 1200, "40 000 exceptions: 48 ms alone, 95 ms with a session" },
	[NT_PRICE_LTTNG] = { 200, "a tracepoint with its fields into a ring: 150 to 200 ns (lttng-ust)" },
};
