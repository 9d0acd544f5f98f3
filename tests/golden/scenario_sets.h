/* SPDX-License-Identifier: GPL-2.0-only */
/* The snapshots that scenarios show, one after the other, by a word each. For scenarios*.c only. */
#ifndef NT_TESTS_GOLDEN_SCENARIO_SETS_H
#define NT_TESTS_GOLDEN_SCENARIO_SETS_H

#include "fixture.h"

#define SHOP                                                                                                                               \
	{                                                                                                                                  \
		fixture_shop                                                                                                               \
	}
#define LATER                                                                                                                              \
	{                                                                                                                                  \
		fixture_shop, fixture_shop_later                                                                                           \
	}
#define COMPARED                                                                                                                           \
	{                                                                                                                                  \
		fixture_compared                                                                                                           \
	}
#define COMPARED_ALIKE                                                                                                                     \
	{                                                                                                                                  \
		fixture_compared_alike                                                                                                     \
	}
#define COMPARED_NOTHING                                                                                                                   \
	{                                                                                                                                  \
		fixture_compared_nothing                                                                                                   \
	}
#define ENDED                                                                                                                              \
	{                                                                                                                                  \
		fixture_shop, fixture_shop_ended                                                                                           \
	}
#define CRASHED                                                                                                                            \
	{                                                                                                                                  \
		fixture_shop, fixture_shop_crashed                                                                                         \
	}
#define ABORTED                                                                                                                            \
	{                                                                                                                                  \
		fixture_shop, fixture_shop_aborted                                                                                         \
	}
#define FAILED_FAST                                                                                                                        \
	{                                                                                                                                  \
		fixture_shop, fixture_shop_failed_fast                                                                                     \
	}
#define OVERFLOWED                                                                                                                         \
	{                                                                                                                                  \
		fixture_shop, fixture_shop_overflowed                                                                                      \
	}
#define POOR                                                                                                                               \
	{                                                                                                                                  \
		fixture_procfs_only                                                                                                        \
	}
#define CUT                                                                                                                                \
	{                                                                                                                                  \
		fixture_cut                                                                                                                \
	}
#define PARTIAL                                                                                                                            \
	{                                                                                                                                  \
		fixture_partial                                                                                                            \
	}
#define WALL                                                                                                                               \
	{                                                                                                                                  \
		fixture_wall                                                                                                               \
	}
#define NO_LOG                                                                                                                             \
	{                                                                                                                                  \
		fixture_mode_none                                                                                                          \
	}
#define NO_STACKS                                                                                                                          \
	{                                                                                                                                  \
		fixture_no_stacks                                                                                                          \
	}
#define TOLD                                                                                                                               \
	{                                                                                                                                  \
		fixture_told                                                                                                               \
	}
#define TOLD_HOSTILE                                                                                                                       \
	{                                                                                                                                  \
		fixture_told_hostile                                                                                                       \
	}
#define TOLD_REFUSED                                                                                                                       \
	{                                                                                                                                  \
		fixture_told_refused                                                                                                       \
	}
#define TOLD_WAITING                                                                                                                       \
	{                                                                                                                                  \
		fixture_told_waiting                                                                                                       \
	}
#define TOLD_NONE                                                                                                                          \
	{                                                                                                                                  \
		fixture_told_none                                                                                                          \
	}
#define TOLD_ANYWAY                                                                                                                        \
	{                                                                                                                                  \
		fixture_told_anyway                                                                                                        \
	}
#define WAITING                                                                                                                            \
	{                                                                                                                                  \
		fixture_waiting                                                                                                            \
	}
#define POLLED                                                                                                                             \
	{                                                                                                                                  \
		fixture_polled                                                                                                             \
	}
#define TIMED                                                                                                                              \
	{                                                                                                                                  \
		fixture_timed                                                                                                              \
	}
#define IDLE                                                                                                                               \
	{                                                                                                                                  \
		fixture_idle                                                                                                               \
	}
#define READONLY                                                                                                                           \
	{                                                                                                                                  \
		fixture_readonly                                                                                                           \
	}
#define OLD_RUNTIME                                                                                                                        \
	{                                                                                                                                  \
		fixture_old_runtime                                                                                                        \
	}
#define TICKS                                                                                                                              \
	{                                                                                                                                  \
		fixture_ticks                                                                                                              \
	}
#define NO_SAMPLES_YET                                                                                                                     \
	{                                                                                                                                  \
		fixture_no_samples_yet                                                                                                     \
	}
#define FIRST                                                                                                                              \
	{                                                                                                                                  \
		fixture_first_frame                                                                                                        \
	}
#define HOSTILE                                                                                                                            \
	{                                                                                                                                  \
		fixture_hostile                                                                                                            \
	}
#define TROUBLED                                                                                                                           \
	{                                                                                                                                  \
		fixture_troubled                                                                                                           \
	}
#define HUGE                                                                                                                               \
	{                                                                                                                                  \
		fixture_huge                                                                                                               \
	}
#define PROCESSES                                                                                                                          \
	{                                                                                                                                  \
		fixture_processes                                                                                                          \
	}
#define PROCESSES_LATER                                                                                                                    \
	{                                                                                                                                  \
		fixture_processes, fixture_processes_later                                                                                 \
	}
#define WATCHED                                                                                                                            \
	{                                                                                                                                  \
		fixture_watched                                                                                                            \
	}
#define NO_PROCESSES                                                                                                                       \
	{                                                                                                                                  \
		fixture_no_processes                                                                                                       \
	}
#define NOTHING                                                                                                                            \
	{                                                                                                                                  \
		NULL                                                                                                                       \
	}

/* A span of the past, chosen on the screen of time; reports of it, and of the time until now. */
#define SPANS                                                                                                                              \
	{ "span", 80, 24, SHOP, "mx@R", TEXT }, { "span", 120, 40, SHOP, "mx@R", TEXT }, { "span", 40, 10, SHOP, "mx@R", TEXT },           \
		{ "span-gc", 80, 24, SHOP, "mx@R2", TEXT }, { "span-gc", 120, 40, SHOP, "mx@R2", TEXT },                                   \
		{ "span-gc", 40, 10, SHOP, "mx@R2", TEXT }, { "span-jit", 120, 40, SHOP, "mx@R3", TEXT },                                  \
		{ "span-jit-since-attach", 80, 24, SHOP, "mx@R3o", TEXT }, { "span-threads", 120, 40, SHOP, "mx@R4", TEXT },               \
		{ "span-exceptions", 80, 24, SHOP, "mx@R6", TEXT }, { "span-waits", 80, 24, SHOP, "mx@R8", TEXT },                         \
		{ "span-requests", 120, 40, SHOP, "mx@RR", TEXT }, { "span-part-gc", 80, 24, SHOP, "m@U@R2", TEXT },                       \
		{ "span-purposes", 80, 24, SHOP, "mx@Rv", TEXT }, { "span-part-purposes", 80, 24, SHOP, "m@U@Rv", TEXT },                  \
		{ "span-stacks", 80, 24, SHOP, "mx@RS", TEXT }, { "span-part-stacks", 80, 24, SHOP, "m@U@RS", TEXT },                      \
		{ "code-nobody-looked", 80, 24, SHOP, " ja", TEXT }, { "code-nobody-looked", 120, 40, SHOP, " ja", TEXT },                 \
		{ "code-nobody-looked", 40, 10, SHOP, " ja", TEXT }, { "report-while-it-goes-on", 120, 40, SHOP, "w@D@D@R@R", TEXT },      \
		{ "report-of-span", 120, 40, SHOP, "mx@Rw@D@D@D@D@D@D@R@R", TEXT },                                                        \
	{                                                                                                                                  \
		"report-of-span-part", 120, 40, SHOP, "m@U@Rw@D@D@D@D@D@D@R@R", TEXT                                                       \
	}

/* Scenarios of two spans compared, in a row of the table. */
#define SPANS_COMPARED                                                                                                                     \
	{ "time-against", 80, 24, SHOP, "m@U=", TEXT }, { "time-against", 120, 40, SHOP, "m@U=@U@U", TEXT },                               \
		{ "time-no-span", 80, 24, SHOP, "=", TEXT }, { "difference", 80, 24, COMPARED, "m@U=@U@U=", TEXT },                        \
		{ "difference", 120, 40, COMPARED, "m@U=@U@U=", TEXT }, { "difference", 56, 20, COMPARED, "m@U=@U@U=", TEXT },             \
		{ "difference-detail", 80, 24, COMPARED, "m@U=@U@U=@R", TEXT },                                                            \
		{ "difference-alike", 80, 24, COMPARED_ALIKE, "m@U=@U@U=", TEXT },                                                         \
	{                                                                                                                                  \
		"difference-nothing", 80, 24, COMPARED_NOTHING, "m@U=@U@U=", TEXT                                                          \
	}

#endif
