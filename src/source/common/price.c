// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/price.h"

const struct nt_price_entry nt_prices[NT_PRICE_COUNT] = {
	[NT_PRICE_SAMPLE] = { 13000,
			      "work done by a busy loop with a short call chain, 999 and 4999 Hz: 8 to 17 us for each interrupt, in a "
			      "virtual machine" },
	[NT_PRICE_FRAME] = { 250, "the same loop 100 calls deep, 4999 Hz: 33 to 46 us; the C# compiler, about as deep: 58" },
	[NT_PRICE_TASK_SWITCH] = { 10000, "two pairs of threads that hand a byte to and fro: 4.8 us of CPU for each switch alone, 11.6 to "
					  "17.1 with events" },
	[NT_PRICE_SWITCH_RECORD] = { 2200,
				     "one and two such pairs, on one CPU and on two: 4.7 to 7.4 us for each switch alone, 6.7 to 9.3 with "
				     "records" },
	[NT_PRICE_CPU_SWITCH_RECORD] = { 1700, "a pair of threads that hand a byte to and fro on one CPU: 3.7 us of CPU for each switch "
					       "alone, 4.3 to 5.5 with records" },
	[NT_PRICE_SWITCH_TOLD] = { 2000, "a pair of threads that hand a byte to and fro on one CPU: 1.5 us each alone, 1.9 told; 3.5 where "
					 "each stack is walked" },
	[NT_PRICE_EVENTPIPE] = { 1800, "40 000 exceptions on one CPU: 2.4 to 2.6 us each alone, 4.2 to 4.4 with a session" },
	[NT_PRICE_EVENTPIPE_STACK] = { 3000,
				       "the same with a second session, which walks their few frames: 1.6 to 3.1 us more; an allocation "
				       "sample: 5" },
	[NT_PRICE_CATCH] = { 1300, "40 000 exceptions, two steps each: 1.5 us more than with stacks alone on .NET 10, 2.6 on .NET 8, 3.1 "
				   "to 3.7 on "
				   ".NET 9" },
	[NT_PRICE_REQUEST] = { 2700,
			       "GET of a route, over connections that stay: 20 to 38 us each alone, 4.5 to 7 more with its two events" },
	[NT_PRICE_ACTIVITY] = { 1100, "the same GETs, 10 us more each with both: two or more turns of a thread in each" },
	[NT_PRICE_COMPILATION] = { 4000, "starts of programs, two events of each method: 7 to 9 us more of each" },
	[NT_PRICE_POOL_ITEM] = { 200, "50 000 small items, and as many awaits that go through the pool, on one CPU: 1.5 and 0.95 us each "
				      "alone, 0.3 to 0.4 "
				      "more with both events" },
	[NT_PRICE_WALL_SAMPLE] = { 20000,
				   "the sampler on a program with ten threads: 9 us for each sample while all wait, 17 to 25 while one "
				   "computes" },
	[NT_PRICE_PROBE] = { 1600, "100 000 and 300 000 calls of malloc in a loop: 1.4 to 2.0 us each more than without a probe" },
	[NT_PRICE_SOFTWARE] = { 3500,
				"50 000 first touches of pages, again and again, one in 128 told: 3.3 us each without, 5.5 to 7.0 with" },
	[NT_PRICE_TRACEPOINT] = { 300, "sched:sched_switch: 250 ns for the program alone, as the kernel counts its time, where nothing is "
				       "told" },
	[NT_PRICE_TOLD] = { 4000, "5000 calls of malloc, each told at entry and return: 13 us; 3000 first touches: 4.4" },
	[NT_PRICE_CALL] = { 250, "2.5 million reads of a byte of /dev/zero: 1.24 us each alone, 1.67 counted; an open, whose path is read, "
				 "takes 0.4 us more" },
	[NT_PRICE_CALL_LOOK] = { 4000, "517 looks at a .NET program that reads and opens files: 3.8 us each, as the kernel counts the "
				       "program's time" },
	[NT_PRICE_CALL_SEEN] = { 200, "as many calls of getppid(): 1.03 us each alone, 1.22 to 1.25 where others are counted; of another "
				      "process 1.23" },
	[NT_PRICE_LTTNG] = { 200, "a tracepoint with its fields into a ring: 150 to 200 ns (lttng-ust)" },
};
