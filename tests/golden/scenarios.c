// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios.h"

#include "fixture.h"

#define SHOP                                                                                                                               \
	{                                                                                                                                  \
		fixture_shop                                                                                                               \
	}
#define LATER                                                                                                                              \
	{                                                                                                                                  \
		fixture_shop, fixture_shop_later                                                                                           \
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
#define NO_PROCESSES                                                                                                                       \
	{                                                                                                                                  \
		fixture_no_processes                                                                                                       \
	}
#define NOTHING                                                                                                                            \
	{                                                                                                                                  \
		NULL                                                                                                                       \
	}

const struct scenario scenarios[] = {
	{ "processes", 80, 24, PROCESSES, "", TEXT },
	{ "processes", 120, 40, PROCESSES, "", TEXT },
	{ "processes", 40, 10, PROCESSES, "", TEXT },
	{ "processes-styles", 80, 24, PROCESSES_LATER, "@D@D", STYLES },
	{ "processes-filter", 80, 24, PROCESSES_LATER, "/shop@R", TEXT },
	{ "processes-by-age", 80, 24, PROCESSES, "<", TEXT },
	{ "processes-help", 120, 40, PROCESSES, "?", TEXT },
	{ "processes-columns", 120, 40, PROCESSES, "C", TEXT },
	{ "processes-ended", 80, 24, PROCESSES_LATER, "G@R", TEXT },
	{ "processes-key-of-a-process", 80, 24, PROCESSES, "2", TEXT },
	{ "processes-paused", 80, 24, PROCESSES_LATER, " ", TEXT },
	{ "processes-none", 80, 24, NO_PROCESSES, "", TEXT },
	{ "processes-written", 80, 24, PROCESSES, "w@R@R", TEXT },
	{ "ascii-processes", 80, 24, PROCESSES, "", ASCII },
	{ "methods", 80, 24, SHOP, "", TEXT },
	{ "tab-bar", 120, 40, SHOP, "", TAB_BAR },
	{ "methods", 120, 40, SHOP, "", TEXT },
	{ "methods", 40, 10, SHOP, "", TEXT },
	{ "methods", 60, 20, SHOP, "", TEXT },
	{ "methods", 70, 16, SHOP, "", TEXT },
	{ "methods", 200, 50, SHOP, "", TEXT },
	{ "methods-styles", 80, 24, LATER, "@D@D", STYLES },
	{ "gc", 80, 24, SHOP, "2", TEXT },
	{ "gc", 120, 40, SHOP, "2", TEXT },
	{ "gc", 40, 10, SHOP, "2", TEXT },
	{ "jit", 80, 24, SHOP, "3", TEXT },
	{ "jit", 120, 40, SHOP, "3", TEXT },
	{ "jit", 40, 10, SHOP, "3", TEXT },
	{ "threads", 80, 24, SHOP, "4", TEXT },
	{ "threads", 120, 40, SHOP, "4", TEXT },
	{ "threads", 40, 10, SHOP, "4", TEXT },
	{ "threads-styles", 80, 24, SHOP, "4@D@D", STYLES },
	{ "allocations", 80, 24, SHOP, "5", TEXT },
	{ "allocations", 120, 40, SHOP, "5", TEXT },
	{ "allocations", 40, 10, SHOP, "5", TEXT },
	{ "allocations-since-attach", 120, 40, SHOP, "5o", TEXT },
	{ "allocations-left", 80, 24, SHOP, "51", TEXT },
	{ "allocation-detail", 120, 40, SHOP, "5@R", TEXT },
	{ "written-allocations", 80, 24, SHOP, "5w@R@R", TEXT },
	{ "readonly-allocations", 80, 24, READONLY, "5", TEXT },
	{ "old-runtime-allocations", 80, 24, OLD_RUNTIME, "5", TEXT },
	{ "no-allocations-yet", 80, 24, NO_SAMPLES_YET, "5", TEXT },
	{ "sources-with-allocations", 120, 40, NO_SAMPLES_YET, "0", TEXT },
	{ "unknown-allocations", 80, 24, POOR, "5", TEXT },
	{ "hostile-allocations", 80, 24, HOSTILE, "5", TEXT },
	{ "huge-allocations", 120, 40, HUGE, "5", TEXT },
	{ "ascii-allocations", 80, 24, SHOP, "5", ASCII },
	{ "allocations-by-place", 80, 24, SHOP, "5v", TEXT },
	{ "allocations-by-place", 120, 40, SHOP, "5v", TEXT },
	{ "allocations-by-place", 40, 10, SHOP, "5v", TEXT },
	{ "allocations-by-place-since-attach", 160, 40, SHOP, "5vo", TEXT },
	{ "allocations-by-place-readonly", 80, 24, READONLY, "5v", TEXT },
	{ "allocations-by-thread", 80, 24, SHOP, "5vv", TEXT },
	{ "allocations-by-thread", 120, 40, SHOP, "5V", TEXT },
	{ "allocations-by-thread", 40, 10, SHOP, "5vv", TEXT },
	{ "allocations-by-thread-unknown", 80, 24, IDLE, "5vv", TEXT },
	{ "exceptions", 80, 24, SHOP, "6", TEXT },
	{ "exceptions", 120, 40, SHOP, "6", TEXT },
	{ "exceptions", 40, 10, SHOP, "6", TEXT },
	{ "exceptions-detail", 80, 24, SHOP, "6@RN", TEXT },
	{ "exceptions-no-stacks", 120, 40, NO_STACKS, "6", TEXT },
	{ "exceptions-no-stacks-detail", 80, 24, NO_STACKS, "6@R", TEXT },
	{ "exceptions-since-zero", 120, 40, LATER, "6z", TEXT },
	{ "exceptions-by-place", 80, 24, SHOP, "6v", TEXT },
	{ "exceptions-by-place", 120, 40, SHOP, "6v", TEXT },
	{ "exceptions-by-place", 40, 10, SHOP, "6v", TEXT },
	{ "exceptions-by-place-since-zero", 80, 24, LATER, "6vz", TEXT },
	{ "exceptions-by-place-no-stacks", 80, 24, NO_STACKS, "6v", TEXT },
	{ "exceptions-last", 80, 24, SHOP, "6vv", TEXT },
	{ "exceptions-last", 160, 40, SHOP, "6V", TEXT },
	{ "exceptions-last", 40, 10, SHOP, "6vv", TEXT },
	{ "exceptions-last-detail", 120, 40, SHOP, "6vv@R", TEXT },
	{ "exceptions-last-no-stacks", 80, 24, NO_STACKS, "6vv", TEXT },
	{ "hostile-exceptions-last", 120, 40, HOSTILE, "6vv", TEXT },
	{ "hostile-exceptions-by-place", 80, 24, HOSTILE, "6v", TEXT },
	{ "code", 80, 24, SHOP, "a", TEXT },
	{ "code", 120, 40, SHOP, "a", TEXT },
	{ "code", 40, 10, SHOP, "a", TEXT },
	{ "code-raw", 120, 40, SHOP, "ar", TEXT },
	{ "code-by-share", 120, 40, SHOP, "a<<", TEXT },
	{ "code-next-hot", 80, 24, SHOP, "a@T", STYLES },
	{ "code-back", 80, 24, SHOP, "a@E", TEXT },
	{ "code-written", 120, 40, SHOP, "aw@R@R", TEXT },
	{ "idle-code", 80, 24, IDLE, "a", TEXT },
	{ "locks", 80, 24, SHOP, "7", TEXT },
	{ "locks", 120, 40, SHOP, "7", TEXT },
	{ "locks", 40, 10, SHOP, "7", TEXT },
	{ "locks-by-lock", 80, 24, SHOP, "7v", TEXT },
	{ "locks-by-lock", 120, 40, SHOP, "7v", TEXT },
	{ "locks-by-lock", 40, 10, SHOP, "7v", TEXT },
	{ "locks-by-lock-detail", 160, 40, SHOP, "7v@R", TEXT },
	{ "locks-by-lock-since-zero", 120, 40, LATER, "7voz", TEXT },
	{ "locks-by-owner", 80, 24, SHOP, "7vv", TEXT },
	{ "locks-by-owner", 120, 40, SHOP, "7V", TEXT },
	{ "locks-by-owner", 40, 10, SHOP, "7vv", TEXT },
	{ "locks-by-owner-idle", 80, 24, IDLE, "7vv", TEXT },
	{ "locks-since-attach", 120, 40, SHOP, "7o", TEXT },
	{ "locks-since-zero", 120, 40, LATER, "7oz", TEXT },
	{ "threads-waiting", 80, 24, WAITING, "4", TEXT },
	{ "threads-waiting", 120, 40, WAITING, "4", TEXT },
	{ "waits", 80, 24, SHOP, "8", TEXT },
	{ "waits", 120, 40, SHOP, "8", TEXT },
	{ "waits", 40, 10, SHOP, "8", TEXT },
	{ "waits-since-attach", 120, 40, SHOP, "8o", TEXT },
	{ "waits-detail", 120, 40, SHOP, "8@R", TEXT },
	{ "waits-unknown", 80, 24, POOR, "8", TEXT },
	{ "hostile-waits", 80, 24, HOSTILE, "8", TEXT },
	{ "ascii-waits", 80, 24, SHOP, "8", ASCII },
	{ "waits-polled", 80, 24, POLLED, "8", TEXT },
	{ "waits-polled", 120, 40, POLLED, "8", TEXT },
	{ "waits-polled-wall", 80, 24, POLLED, "8v", TEXT },
	{ "waits-polled-by-thread", 120, 40, POLLED, "8vvjj", TEXT },
	{ "waits-timed", 80, 24, TIMED, "8", TEXT },
	{ "waits-wall", 80, 24, SHOP, "8v", TEXT },
	{ "waits-wall", 120, 40, SHOP, "8v", TEXT },
	{ "waits-wall", 40, 10, SHOP, "8v", TEXT },
	{ "waits-by-thread", 80, 24, SHOP, "8vv", TEXT },
	{ "waits-by-thread", 120, 40, SHOP, "8vvo", TEXT },
	{ "waits-by-thread", 40, 10, SHOP, "8vv", TEXT },
	{ "waits-strip-mixed", 120, 40, SHOP, "8vvj", TEXT },
	{ "waits-strip-polled", 80, 24, SHOP, "8vvjj", TEXT },
	{ "waits-strip-none", 80, 24, SHOP, "8jj", TEXT },
	{ "waits-by-thread-detail", 80, 24, SHOP, "8vv@R", TEXT },
	{ "waits-by-thread-native", 80, 24, WAITING, "8vv@Rl", TEXT },
	{ "waits-by-reason", 80, 24, SHOP, "8V", TEXT },
	{ "waits-by-reason", 120, 40, SHOP, "8vvv", TEXT },
	{ "waits-by-reason", 40, 10, SHOP, "8V", TEXT },
	{ "waits-around", 80, 24, SHOP, "8vvvv", TEXT },
	{ "ascii-waits-by-thread", 80, 24, SHOP, "8vv", ASCII },
	{ "hostile-waits-by-thread", 80, 24, HOSTILE, "8vv", TEXT },
	{ "hostile-waits-wall", 80, 24, HOSTILE, "8v", TEXT },
	{ "waits-by-reason-unknown", 80, 24, POOR, "8V", TEXT },
	{ "requests", 80, 24, SHOP, "R", TEXT },
	{ "requests", 120, 40, SHOP, "R", TEXT },
	{ "requests", 40, 10, SHOP, "R", TEXT },
	{ "requests-unknown", 80, 24, POOR, "R", TEXT },
	{ "requests-single", 80, 24, SHOP, "Rv", TEXT },
	{ "requests-single", 120, 40, SHOP, "Rv", TEXT },
	{ "requests-single", 40, 10, SHOP, "Rv", TEXT },
	{ "requests-single-unknown", 80, 24, POOR, "Rv", TEXT },
	{ "requests-times", 80, 24, SHOP, "Rvv", TEXT },
	{ "requests-times", 120, 40, SHOP, "Rvv", TEXT },
	{ "requests-times", 40, 10, SHOP, "Rvv", TEXT },
	{ "requests-times-unknown", 80, 24, POOR, "Rvv", TEXT },
	{ "hostile-requests-single", 80, 24, HOSTILE, "Rv", TEXT },
	{ "io", 80, 24, SHOP, "i", TEXT },
	{ "io", 120, 40, SHOP, "i", TEXT },
	{ "io", 40, 10, SHOP, "i", TEXT },
	{ "io-detail", 120, 40, SHOP, "i@R", TEXT },
	{ "io-detail-callers", 80, 24, SHOP, "i@RG", TEXT },
	{ "io-unknown", 80, 24, POOR, "i", TEXT },
	{ "hostile-io", 80, 24, HOSTILE, "i", TEXT },
	{ "locks-detail", 120, 40, SHOP, "7@R", TEXT },
	{ "idle-exceptions", 80, 24, IDLE, "6", TEXT },
	{ "idle-locks", 80, 24, IDLE, "7", TEXT },
	{ "no-log-exceptions", 80, 24, NO_LOG, "6", TEXT },
	{ "no-log-locks", 80, 24, NO_LOG, "7", TEXT },
	{ "hostile-exceptions", 80, 24, HOSTILE, "6", TEXT },
	{ "hostile-exceptions-detail", 120, 40, HOSTILE, "6@R", TEXT },
	{ "hostile-locks", 80, 24, HOSTILE, "7", TEXT },
	{ "huge-exceptions", 80, 24, HUGE, "6", TEXT },
	{ "huge-locks", 120, 40, HUGE, "7", TEXT },
	{ "ascii-locks", 80, 24, SHOP, "7", ASCII },
	{ "counters", 80, 24, SHOP, "c", TEXT },
	{ "counters", 120, 40, SHOP, "c", TEXT },
	{ "counters", 40, 10, SHOP, "c", TEXT },
	{ "counters-end", 120, 40, SHOP, "cG", TEXT },
	{ "counters-by-rate", 120, 40, SHOP, "c>>", TEXT },
	{ "counters-providers", 80, 24, SHOP, "c+", TEXT },
	{ "counters-providers", 120, 40, SHOP, "c+jj", TEXT },
	{ "counters-providers", 40, 10, SHOP, "c+", TEXT },
	{ "counters-fixed", 80, 24, SHOP, "c+@R", TEXT },
	{ "counters-named", 80, 24, SHOP, "c+G@RShop.Orders", TEXT },
	{ "counters-filtered", 80, 24, SHOP, "c/hosting@R", TEXT },
	{ "counter-detail", 120, 40, SHOP, "c/duration@R@D@R", TEXT },
	{ "unknown-counters", 80, 24, POOR, "c", TEXT },
	{ "hostile-counters", 80, 24, HOSTILE, "c", TEXT },
	{ "hostile-counters", 120, 40, HOSTILE, "c", TEXT },
	{ "hostile-counters", 40, 10, HOSTILE, "c", TEXT },
	{ "huge-counters", 120, 40, HUGE, "c", TEXT },
	{ "ascii-counters", 80, 24, SHOP, "c", ASCII },
	{ "written-counters", 80, 24, SHOP, "cw@R@R", TEXT },
	{ "sources", 80, 24, SHOP, "0", TEXT },
	{ "sources", 120, 40, SHOP, "0", TEXT },
	{ "sources", 40, 10, SHOP, "0", TEXT },
	{ "sources-styles", 80, 24, LATER, "0", STYLES },
	{ "unknown-methods", 80, 24, POOR, "", TEXT },
	{ "unknown-methods", 120, 40, POOR, "", TEXT },
	{ "unknown-methods", 40, 10, POOR, "", TEXT },
	{ "gc-since-attach", 80, 24, SHOP, "2o", TEXT },
	{ "gc-since-attach", 120, 40, SHOP, "2o", TEXT },
	{ "gc-since-attach", 40, 10, SHOP, "2o", TEXT },
	{ "unknown-gc", 80, 24, POOR, "2", TEXT },
	{ "unknown-gc", 120, 40, POOR, "2", TEXT },
	{ "unknown-gc", 40, 10, POOR, "2", TEXT },
	{ "unknown-jit", 80, 24, POOR, "3", TEXT },
	{ "unknown-jit", 120, 40, POOR, "3", TEXT },
	{ "unknown-jit", 40, 10, POOR, "3", TEXT },
	{ "unknown-threads", 80, 24, POOR, "4", TEXT },
	{ "unknown-threads", 120, 40, POOR, "4", TEXT },
	{ "unknown-threads", 40, 10, POOR, "4", TEXT },
	{ "unknown-sources", 80, 24, POOR, "0", TEXT },
	{ "unknown-sources", 120, 40, POOR, "0", TEXT },
	{ "unknown-source-detail", 80, 24, POOR, "0@D@R", TEXT },
	{ "no-log-jit", 80, 24, NO_LOG, "3", TEXT },
	{ "no-log-jit", 120, 40, NO_LOG, "3", TEXT },
	{ "no-log-jit", 40, 10, NO_LOG, "3", TEXT },
	{ "no-log-sources", 120, 40, NO_LOG, "0", TEXT },
	{ "cut-methods", 80, 24, CUT, "", TEXT },
	{ "cut-methods", 40, 10, CUT, "", TEXT },
	{ "cut-calls", 80, 24, CUT, "@D@D@D@D@D@D@D@D@R", TEXT },
	{ "partial-gc", 80, 24, PARTIAL, "2", TEXT },
	{ "partial-jit", 120, 40, PARTIAL, "3", TEXT },
	{ "partial-exceptions", 80, 24, PARTIAL, "6", TEXT },
	{ "partial-locks", 80, 24, PARTIAL, "7", TEXT },
	{ "partial-written", 80, 24, PARTIAL, "3w@R@R", TEXT },
	{ "wall-methods", 80, 24, WALL, "", TEXT },
	{ "wall-methods", 120, 40, WALL, "", TEXT },
	{ "wall-methods", 40, 10, WALL, "", TEXT },
	{ "wall-written", 80, 24, WALL, "w@R@R", TEXT },
	{ "idle-methods", 80, 24, IDLE, "", TEXT },
	{ "calm-methods", 120, 40, IDLE, "", TEXT },
	{ "calm-methods", 80, 24, IDLE, "", TEXT },
	{ "calm-methods", 60, 20, IDLE, "", TEXT },
	{ "idle-gc", 80, 24, IDLE, "2", TEXT },
	{ "idle-jit", 80, 24, IDLE, "3", TEXT },
	{ "idle-threads", 80, 24, IDLE, "4", TEXT },
	{ "hostile-methods", 80, 24, HOSTILE, "", TEXT },
	{ "hostile-methods", 120, 40, HOSTILE, "", TEXT },
	{ "hostile-methods", 40, 10, HOSTILE, "", TEXT },
	{ "hostile-detail", 80, 24, HOSTILE, "@D@R@R", TEXT },
	{ "hostile-jit", 80, 24, HOSTILE, "3", TEXT },
	{ "hostile-jit", 120, 40, HOSTILE, "3", TEXT },
	{ "hostile-jit", 40, 10, HOSTILE, "3", TEXT },
	{ "hostile-threads", 80, 24, HOSTILE, "4", TEXT },
	{ "hostile-threads", 120, 40, HOSTILE, "4", TEXT },
	{ "hostile-threads", 40, 10, HOSTILE, "4", TEXT },
	{ "hostile-sources", 80, 24, HOSTILE, "0", TEXT },
	{ "huge-methods", 80, 24, HUGE, "", TEXT },
	{ "huge-gc", 80, 24, HUGE, "2", TEXT },
	{ "huge-gc", 120, 40, HUGE, "2", TEXT },
	{ "huge-jit", 80, 24, HUGE, "3", TEXT },
	{ "huge-jit", 120, 40, HUGE, "3", TEXT },
	{ "huge-threads", 80, 24, HUGE, "4", TEXT },
	{ "nothing-yet", 80, 24, NOTHING, "", TEXT },
	{ "ascii-methods", 80, 24, SHOP, "", ASCII },
	{ "ascii-gc", 80, 24, SHOP, "2", ASCII },
	{ "ascii-jit", 80, 24, SHOP, "3", ASCII },
	{ "ascii-threads", 120, 40, SHOP, "4", ASCII },
	{ "ascii-sources", 80, 24, SHOP, "0", ASCII },
	{ "ascii-hostile-threads", 80, 24, HOSTILE, "4", ASCII },
	{ "first-frame", 80, 24, FIRST, "", TEXT },
	{ "first-frame-gc", 80, 24, FIRST, "2", TEXT },
	{ "too-small", 32, 8, SHOP, "", TEXT },
	{ "later-methods", 80, 24, LATER, "", TEXT },
	{ "later-methods", 120, 40, LATER, "", TEXT },
	{ "later-sources", 120, 40, LATER, "0", TEXT },
	{ "paused", 80, 24, LATER, "p", TEXT },
	{ "paused", 120, 40, LATER, "p", TEXT },
	{ "paused", 40, 10, LATER, "p", TEXT },
	{ "ended", 80, 24, ENDED, "", TEXT },
	{ "crashed", 80, 24, CRASHED, "", TEXT },
	{ "crashed", 120, 40, CRASHED, "6", TEXT },
	{ "crashed", 40, 10, CRASHED, "", TEXT },
	{ "aborted", 80, 24, ABORTED, "", TEXT },
	{ "failed-fast", 80, 24, FAILED_FAST, "", TEXT },
	{ "failed-fast", 40, 10, FAILED_FAST, "", TEXT },
	{ "overflowed", 80, 24, OVERFLOWED, "", TEXT },
	{ "overflowed", 40, 10, OVERFLOWED, "", TEXT },
	{ "ended", 120, 40, ENDED, "", TEXT },
	{ "ended", 40, 10, ENDED, "", TEXT },
	{ "method-detail", 80, 24, SHOP, "@D@R@R", TEXT },
	{ "method-detail", 120, 40, SHOP, "@D@R@R", TEXT },
	{ "method-detail", 40, 10, SHOP, "@D@R@R", TEXT },
	{ "calls", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@R", TEXT },
	{ "calls", 120, 40, SHOP, "@D@D@D@D@D@D@D@D@R", TEXT },
	{ "calls", 40, 10, SHOP, "@D@D@D@D@D@D@D@D@R", TEXT },
	{ "calls-all", 120, 40, SHOP, "@D@D@D@D@D@D@D@D@RE", TEXT },
	{ "calls-all-unfolded", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@RuE", TEXT },
	{ "calls-none", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@REE", TEXT },
	{ "calls-closed", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@R@D-", TEXT },
	{ "calls-branch", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@REE+@De", TEXT },
	{ "calls-callers", 80, 24, SHOP, "@D@D@D@D@D@D@D@R", TEXT },
	{ "calls-callers", 120, 40, SHOP, "@D@D@D@D@D@D@D@RE", TEXT },
	{ "calls-subtree", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@R@D@Dxs", TEXT },
	{ "calls-subtree-left", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@R@D@Dxs@E", TEXT },
	{ "calls-thread", 120, 40, SHOP, "@D@D@D@D@D@D@D@D@Rxt", TEXT },
	{ "calls-module", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@Rxm", TEXT },
	{ "calls-no-kernel", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@REK", TEXT },
	{ "calls-my-code", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@REy", TEXT },
	{ "calls-by-self", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@REs@D@R", TEXT },
	{ "calls-find", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@RE/number@Rn", TEXT },
	{ "calls-left", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@R@E", TEXT },
	{ "calls-prompt", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@Rx", TEXT },
	{ "calls-styles", 80, 24, LATER, "@D@D@D@D@D@D@D@D@R@D", STYLES },
	{ "calls-written", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@Rw@R@R", TEXT },
	{ "calls-of-a-thread", 80, 24, SHOP, "4@D@D@R@R", TEXT },
	{ "ascii-calls", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@RE", ASCII },
	{ "hostile-calls", 80, 24, HOSTILE, "@R", TEXT },
	{ "hostile-calls-deep", 80, 24, HOSTILE, "@RGG@Dv", TEXT },
	{ "no-samples-calls", 80, 24, WALL, "@R", TEXT },
	{ "gc-detail", 80, 24, SHOP, "2@R", TEXT },
	{ "gc-detail", 120, 40, SHOP, "2@R", TEXT },
	{ "gc-detail-scrolled", 120, 40, SHOP, "2@R@N", TEXT },
	{ "gc-detail", 40, 10, SHOP, "2@R", TEXT },
	{ "jit-detail", 80, 24, SHOP, "3@R", TEXT },
	{ "jit-detail", 120, 40, SHOP, "3@R", TEXT },
	{ "jit-detail", 40, 10, SHOP, "3@R", TEXT },
	{ "source-detail", 80, 24, SHOP, "0@D@D@R", TEXT },
	{ "source-detail", 120, 40, SHOP, "0@D@D@R", TEXT },
	{ "source-detail", 40, 10, SHOP, "0@D@D@R", TEXT },
	{ "jit-by-native", 80, 24, SHOP, "3s@D@D@D@D@D@D@R", TEXT },
	{ "jit-by-module", 80, 24, SHOP, "3v", TEXT },
	{ "jit-by-module", 120, 40, SHOP, "3v", TEXT },
	{ "jit-by-module", 40, 10, SHOP, "3v", TEXT },
	{ "jit-by-module-detail", 80, 24, SHOP, "3v@R", TEXT },
	{ "jit-by-module-since-zero", 80, 24, { fixture_shop, fixture_shop, fixture_shop_later }, "3vz", TEXT },
	{ "jit-by-namespace", 80, 24, SHOP, "3vv", TEXT },
	{ "jit-by-tier", 120, 40, SHOP, "3VV", TEXT },
	{ "jit-by-trigger", 80, 24, SHOP, "3V", TEXT },
	{ "hostile-jit-by-namespace", 80, 24, HOSTILE, "3vv", TEXT },
	{ "huge-jit-by-module", 80, 24, HUGE, "3v", TEXT },
	{ "unknown-jit-by-module", 80, 24, POOR, "3v", TEXT },
	{ "jit-since-zero", 80, 24, { fixture_shop, fixture_shop, fixture_shop_later }, "3z", TEXT },
	{ "thread-methods", 80, 24, SHOP, "4@D@D@R", TEXT },
	{ "thread-methods", 120, 40, SHOP, "4@D@D@R", TEXT },
	{ "thread-methods", 40, 10, SHOP, "4@D@D@R", TEXT },
	{ "thread-methods-most", 80, 24, SHOP, "4@D@D@D@D@D@R", TEXT },
	{ "thread-methods-most", 120, 40, SHOP, "4@D@D@D@D@D@R", TEXT },
	{ "thread-methods-left", 80, 24, SHOP, "4@D@D@R@E", TEXT },
	{ "thread-methods-none", 80, 24, SHOP, "4xt", TEXT },
	{ "thread-methods-window", 80, 24, SHOP, "4@D@D@Ro", TEXT },
	{ "restrict-prompt", 80, 24, SHOP, "x", TEXT },
	{ "restrict-prompt", 120, 40, SHOP, "x", TEXT },
	{ "restrict-prompt", 40, 10, SHOP, "x", TEXT },
	{ "restrict-nowhere", 80, 24, SHOP, "xt", TEXT },
	{ "restrict-module", 80, 24, SHOP, "@Dxm", TEXT },
	{ "restrict-kind", 120, 40, SHOP, "oxk", TEXT },
	{ "restrict-all", 80, 24, SHOP, "@Dxmxx", TEXT },
	{ "finding-first", 80, 24, TROUBLED, "!", TEXT },
	{ "finding-first", 120, 40, TROUBLED, "!", TEXT },
	{ "finding-first", 40, 10, TROUBLED, "!", TEXT },
	{ "finding-second", 80, 24, TROUBLED, "!!", TEXT },
	{ "finding-second-styles", 80, 24, TROUBLED, "!!", STYLES },
	{ "finding-third", 80, 24, TROUBLED, "!!!", TEXT },
	{ "finding-third", 120, 40, TROUBLED, "!!!", TEXT },
	{ "finding-third", 40, 10, TROUBLED, "!!!", TEXT },
	{ "finding-fourth", 80, 24, TROUBLED, "!!!!", TEXT },
	{ "finding-around", 80, 24, TROUBLED, "!!!!!", TEXT },
	{ "finding-filtered", 80, 24, TROUBLED, "/nosuch@R3/nosuch@R!!", TEXT },
	{ "finding-none", 80, 24, POOR, "!", TEXT },
	{ "hostile-thread-methods", 80, 24, HOSTILE, "4@D@D@R", TEXT },
	{ "hostile-thread-methods", 120, 40, HOSTILE, "4@D@D@R", TEXT },
	{ "hostile-restrict-module", 80, 24, HOSTILE, "xm", TEXT },
	{ "help", 80, 24, SHOP, "?", TEXT },
	{ "help", 120, 40, SHOP, "?", TEXT },
	{ "help", 40, 10, SHOP, "?", TEXT },
	{ "help-threads", 120, 40, SHOP, "4?@N", TEXT },
	{ "help-scrolled", 80, 24, SHOP, "?@N", TEXT },
	{ "log", 80, 24, SHOP, "L", TEXT },
	{ "log", 120, 40, SHOP, "L", TEXT },
	{ "log", 40, 10, SHOP, "L", TEXT },
	{ "log-styles", 80, 24, SHOP, "L", STYLES },
	{ "log-scrolled", 40, 10, SHOP, "Lg@D", TEXT },
	{ "log-with-fixes", 80, 24, POOR, "Lg", TEXT },
	{ "log-with-fixes", 120, 40, POOR, "QL", TEXT },
	{ "log-closed", 80, 24, SHOP, "LL", TEXT },
	{ "log-empty", 80, 24, NOTHING, "L", TEXT },
	{ "stacks", 80, 24, WAITING, "S", TEXT },
	{ "stacks", 120, 40, WAITING, "S", TEXT },
	{ "stacks", 40, 10, WAITING, "S@D", TEXT },
	{ "stacks-styles", 80, 24, WAITING, "S", STYLES },
	{ "stacks-native", 80, 24, WAITING, "Sl", TEXT },
	{ "stacks-native", 40, 10, WAITING, "Sl@D", TEXT },
	{ "stacks-native-left", 80, 24, WAITING, "SlSSl", TEXT },
	{ "stacks-native-nowhere", 80, 24, WAITING, "l", TEXT },
	{ "stacks-closed", 80, 24, SHOP, "4SS", TEXT },
	{ "stacks-unknown", 80, 24, POOR, "S", TEXT },
	{ "stacks-of-nothing", 80, 24, NOTHING, "S", TEXT },
	{ "heap", 80, 24, SHOP, "H", TEXT },
	{ "heap", 120, 40, SHOP, "H", TEXT },
	{ "heap", 40, 10, SHOP, "H@D", TEXT },
	{ "heap-begun", 80, 24, SHOP, "H@R", TEXT },
	{ "heap-holders", 80, 24, SHOP, "H@N@N", TEXT },
	{ "heap-holders", 40, 10, SHOP, "HG", TEXT },
	{ "heap-holders-begun", 80, 24, SHOP, "Hv", TEXT },
	{ "heap-closed", 80, 24, SHOP, "2HH", TEXT },
	{ "dump", 80, 24, SHOP, "D", TEXT },
	{ "dump", 120, 40, SHOP, "D", TEXT },
	{ "dump", 40, 10, SHOP, "D", TEXT },
	{ "dump-of-another-kind", 80, 24, SHOP, "D3", TEXT },
	{ "dump-begun", 80, 24, SHOP, "D3@R", TEXT },
	{ "dump-begun-again", 80, 24, SHOP, "D3@R4@R", TEXT },
	{ "dump-closed", 80, 24, SHOP, "2DD", TEXT },
	{ "sort-menu", 80, 24, SHOP, "s@D", TEXT },
	{ "sort-menu", 120, 40, SHOP, "3s@D", TEXT },
	{ "sort-menu", 40, 10, SHOP, "4s@D", TEXT },
	{ "sort-by-total", 80, 24, SHOP, "s@D@R", TEXT },
	{ "sort-by-total-styles", 80, 24, SHOP, "s@D@R", STYLES },
	{ "sort-by-memory", 80, 24, SHOP, "2M", TEXT },
	{ "sort-by-no-cpu", 80, 24, SHOP, "2P", TEXT },
	{ "processes-by-time", 120, 40, PROCESSES, "T", TEXT },
	{ "write-menu", 80, 24, SHOP, "w", TEXT },
	{ "write-menu", 40, 10, SHOP, "w@D@D", TEXT },
	{ "write-menu-calls", 120, 40, SHOP, "@Rw@D", TEXT },
	{ "write-menu-processes", 80, 24, PROCESSES, "w", TEXT },
	{ "write-later", 80, 24, SHOP, "w@D@D@R", TEXT },
	{ "write-name", 80, 24, SHOP, "w@R", TEXT },
	{ "write-name", 40, 10, SHOP, "w@R", TEXT },
	{ "write-no-name", 80, 24, SHOP, "w@R@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@R", TEXT },
	{ "key-of-later", 80, 24, SHOP, "X", TEXT },
	{ "key-of-later", 40, 10, SHOP, "9", TEXT },
	{ "key-of-later-here", 80, 24, SHOP, "4v", TEXT },
	{ "purposes", 80, 24, SHOP, "v", TEXT },
	{ "purposes", 120, 40, SHOP, "v", TEXT },
	{ "purposes", 40, 10, SHOP, "v", TEXT },
	{ "purposes-none", 80, 24, POOR, "v", TEXT },
	{ "memory", 80, 24, SHOP, "2v", TEXT },
	{ "memory", 120, 40, SHOP, "2v", TEXT },
	{ "memory", 40, 10, SHOP, "2v", TEXT },
	{ "memory-none", 80, 24, POOR, "2v", TEXT },
	{ "sort-reversed", 80, 24, SHOP, "I", TEXT },
	{ "sort-by-method", 80, 24, SHOP, "<", TEXT },
	{ "gc-by-pause", 80, 24, SHOP, "2s@D@D@D@D@D@D@R", TEXT },
	{ "filter-prompt", 80, 24, SHOP, "/csv", TEXT },
	{ "filter-kept", 80, 24, SHOP, "/csv@R", TEXT },
	{ "filter-kept", 120, 40, SHOP, "/csv@R", TEXT },
	{ "filter-invalid", 80, 24, SHOP, "/csv(", TEXT },
	{ "filter-nothing", 80, 24, SHOP, "/nosuchname@R", TEXT },
	{ "filter-followed", 80, 24, SHOP, "@DF/memset@R", TEXT },
	{ "no-kernel", 80, 24, SHOP, "K", TEXT },
	{ "no-user", 80, 24, SHOP, "U", TEXT },
	{ "since-attach", 120, 40, SHOP, "o", TEXT },
	{ "since-zero", 120, 40, { fixture_shop, fixture_shop, fixture_shop_later }, "z", TEXT },
	{ "delay-prompt", 80, 24, SHOP, "d0.5", TEXT },
	{ "delay-wrong", 80, 24, SHOP, "d0@R", TEXT },
	{ "last-page", 80, 24, SHOP, "G", TEXT },
	{ "middle-page", 80, 24, SHOP, "@N@D@D", TEXT },
	{ "cursor-kept", 80, 24, LATER, "@D@D@D@D", TEXT },
	{ "next-marked", 80, 24, SHOP, "2n", TEXT },
	{ "column-menu", 80, 24, SHOP, "C@D@D ", TEXT },
	{ "column-menu", 120, 40, SHOP, "2C@D@D ", TEXT },
	{ "column-menu", 40, 10, SHOP, "C@N", TEXT },
	{ "columns-chosen", 80, 24, SHOP, "C@D@D@D@D @D@D @D@D @E", TEXT },
	{ "columns-chosen", 120, 40, SHOP, "C@D@D@D@D @D@D @D@D @E", TEXT },
	{ "columns-chosen", 40, 10, SHOP, "C@D@D@D @D @D @E", TEXT },
	{ "columns-one", 80, 24, SHOP, "C @D @D @D @D @D @N ", TEXT },
	{ "written-columns", 80, 24, SHOP, "C@D@D@D@D@D@D @D@D @E/csv@Rw@R@R", TEXT },
	{ "written-methods", 80, 24, SHOP, "/csv@RKw@R@R", TEXT },
	{ "written-gc", 80, 24, SHOP, "2w@R@R", TEXT },
	{ "written-thread-methods", 80, 24, SHOP, "4@D@D@Rw@R@R", TEXT },
	{ "written-sources", 40, 10, POOR, "0w@R@R", TEXT },
	{ "written-hostile", 80, 24, HOSTILE, "w@R@R", TEXT },
	{ "raw-names", 80, 24, SHOP, "r", TEXT },
	{ "raw-names", 120, 40, SHOP, "r", TEXT },
	{ "my-code", 80, 24, SHOP, "y", TEXT },
	{ "my-code", 120, 40, SHOP, "yo", TEXT },
	{ "my-code-filtered", 80, 24, SHOP, "y/csv@R", TEXT },
	{ "my-code-left", 80, 24, SHOP, "y2y1y", TEXT },
	{ "no-such-key", 80, 24, SHOP, "Q", TEXT },
	{ "no-such-key-here", 80, 24, SHOP, "0K", TEXT },
	{ "written-jit", 80, 24, SHOP, "3w@R@R", TEXT },
	{ "written-threads", 80, 24, SHOP, "4w@R@R", TEXT },
	{ "column-menu-threads", 80, 24, SHOP, "4C@D ", TEXT },
	{ "header-short", 80, 24, SHOP, "B", TEXT },
	{ "header-short", 120, 40, SHOP, "B", TEXT },
	{ "header-line", 80, 24, SHOP, "BB", TEXT },
	{ "header-line", 120, 40, SHOP, "BB", TEXT },
	{ "header-line", 40, 10, SHOP, "B", TEXT },
	{ "header-full", 80, 16, SHOP, "BB", TEXT },
	{ "header-full", 50, 20, SHOP, "BB", TEXT },
	{ "report", 120, 40, SHOP, "", REPORT },
	{ "report-markdown", 120, 40, SHOP, "", REPORT_MARKDOWN },
	{ "report-hostile", 120, 40, HOSTILE, "", REPORT_MARKDOWN },
	{ "report-crashed", 120, 40, CRASHED, "", REPORT },
	{ "report-procfs-only", 120, 40, POOR, "", REPORT },
	{ "at-the-top", 80, 24, SHOP, "@E", TEXT },
};

const size_t scenario_count = sizeof(scenarios) / sizeof(scenarios[0]);
