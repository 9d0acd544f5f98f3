// SPDX-License-Identifier: GPL-2.0-only
/* The numbers of the kinds of events, as they are in recordings: none of these lines ever changes. */
#include "nettop/event.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

static const struct {
	unsigned kind, number;
	const char *name;
} pinned[] = {
	{ NT_EV_NONE, 0x00, "none" },
	{ NT_EV_SOURCE_STATE, 0x10, "source-state" },
	{ NT_EV_LOST, 0x11, "lost" },
	{ NT_EV_IDLE, 0x12, "idle" },
	{ NT_EV_COVER, 0x18, "cover" },
	{ NT_EV_SELF, 0x20, "self" },
	{ NT_EV_LOOK, 0x21, "look" },
	{ NT_EV_KEEP_STACKS, 0x22, "keep-stacks" },
	{ NT_EV_INTERVAL, 0x23, "interval" },
	{ NT_EV_END, 0x24, "end" },
	{ NT_EV_ASK, 0x25, "ask" },
	{ NT_EV_TELL, 0x26, "tell" },
	{ NT_EV_KEEP_SAMPLES, 0x27, "keep-samples" },
	{ NT_EV_SAMPLE, 0x30, "sample" },
	{ NT_EV_SWITCH, 0x31, "switch" },
	{ NT_EV_WAKE, 0x32, "wake" },
	{ NT_EV_STACK, 0x33, "stack" },
	{ NT_EV_MOMENT, 0x34, "moment" },
	{ NT_EV_TARGET, 0x40, "target" },
	{ NT_EV_PROC, 0x41, "proc" },
	{ NT_EV_THREAD, 0x42, "thread" },
	{ NT_EV_THREAD_STAT, 0x43, "thread-stat" },
	{ NT_EV_IO, 0x44, "io" },
	{ NT_EV_DESCRIPTOR, 0x45, "descriptor" },
	{ NT_EV_DESCRIPTORS, 0x46, "descriptors" },
	{ NT_EV_CALLS, 0x49, "calls" },
	{ NT_EV_CALLS_TOLD, 0x4a, "calls-told" },
	{ NT_EV_CALLER, 0x4b, "caller" },
	{ NT_EV_HOST, 0x48, "host" },
	{ NT_EV_CGROUP, 0x4c, "cgroup" },
	{ NT_EV_THREAD_ALLOCATED, 0x4d, "thread-allocated" },
	{ NT_EV_GC_SETTING, 0x4e, "gc-setting" },
	{ NT_EV_JIT_SETTING, 0x4f, "jit-setting" },
	{ NT_EV_MAP, 0x50, "map" },
	{ NT_EV_CODE, 0x51, "code" },
	{ NT_EV_CODE_END, 0x52, "code-end" },
	{ NT_EV_FILE, 0x53, "file" },
	{ NT_EV_NAME, 0x54, "name" },
	{ NT_EV_ASSEMBLY, 0x55, "assembly" },
	{ NT_EV_IL_MAP, 0x56, "il_map" },
	{ NT_EV_SOURCE_LINES, 0x57, "source-lines" },
	{ NT_EV_RUNDOWN, 0x58, "rundown" },
	{ NT_EV_COUNTER, 0x60, "counter" },
	{ NT_EV_INSTRUMENT, 0x62, "instrument" },
	{ NT_EV_WALL_SAMPLE, 0x61, "wall-sample" },
	{ NT_EV_GC_START, 0x70, "gc-start" },
	{ NT_EV_GC_END, 0x71, "gc-end" },
	{ NT_EV_GC_HEAP_STATS, 0x72, "gc-heap-stats" },
	{ NT_EV_GC_SUSPEND_BEGIN, 0x73, "gc-suspend-begin" },
	{ NT_EV_GC_SUSPEND_END, 0x74, "gc-suspend-end" },
	{ NT_EV_GC_RESTART_BEGIN, 0x75, "gc-restart-begin" },
	{ NT_EV_GC_RESTART_END, 0x76, "gc-restart-end" },
	{ NT_EV_GC_TRIGGERED, 0x77, "gc-triggered" },
	{ NT_EV_GC_GLOBAL_HISTORY, 0x78, "gc-global-history" },
	{ NT_EV_GC_HEAP_HISTORY, 0x79, "gc-heap-history" },
	{ NT_EV_GC_FINALIZERS_BEGIN, 0x7a, "gc-finalizers-begin" },
	{ NT_EV_GC_FINALIZERS_END, 0x7b, "gc-finalizers-end" },
	{ NT_EV_GC_MARK, 0x7c, "gc-mark" },
	{ NT_EV_ALLOC_SAMPLED, 0x90, "alloc-sampled" },
	{ NT_EV_ALLOC_TICK, 0x91, "alloc-tick" },
	{ NT_EV_HEAP_TYPE, 0x98, "heap-type" },
	{ NT_EV_JIT_START, 0xa0, "jit-start" },
	{ NT_EV_METHOD_LOAD, 0xa1, "method-load" },
	{ NT_EV_METHOD_UNLOAD, 0xa2, "method-unload" },
	{ NT_EV_MODULE_LOAD, 0xa3, "module-load" },
	{ NT_EV_TIERING, 0xa4, "tiering" },
	{ NT_EV_POOL_WORKERS, 0xb0, "pool-workers" },
	{ NT_EV_POOL_ADJUST, 0xb1, "pool-adjust" },
	{ NT_EV_POOL_SAMPLE, 0xb2, "pool-sample" },
	{ NT_EV_POOL_STATS, 0xb3, "pool-stats" },
	{ NT_EV_POOL_MINMAX, 0xb4, "pool-minmax" },
	{ NT_EV_POOL_COUNTS, 0xb5, "pool-counts" },
	{ NT_EV_POOL_ITEM, 0xb6, "pool-item" },
	{ NT_EV_CONTENTION_START, 0xc0, "contention-start" },
	{ NT_EV_CONTENTION_STOP, 0xc1, "contention-stop" },
	{ NT_EV_LOCK_CREATED, 0xc2, "lock-created" },
	{ NT_EV_LOCK_STATE, 0xc8, "lock-state" },
	{ NT_EV_EXCEPTION_THROWN, 0xd0, "exception-thrown" },
	{ NT_EV_EXCEPTION_CATCH, 0xd1, "exception-catch" },
	{ NT_EV_EXCEPTION_STEP, 0xd2, "exception-step" },
	{ NT_EV_CLR_THREAD_CREATED, 0xe0, "clr-thread-created" },
	{ NT_EV_CLR_THREAD_ENDED, 0xe1, "clr-thread-ended" },
	{ NT_EV_REQUEST, 0xe8, "request" },
	{ NT_EV_ACTIVITY, 0xe9, "activity" },
	{ NT_EV_CONNECTIONS, 0xea, "connections" },
	{ NT_EV_REQUEST_MADE, 0xeb, "request-made" },
	{ NT_EV_CLR_UNKNOWN, 0xf0, "clr-unknown" },
	{ NT_EV_RAW_EVENT, 0xf1, "raw-event" },
	{ NT_EV_TOLD, 0xf4, "told" },
	{ NT_EV_TOLD_MORE, 0xf5, "told-more" },
	{ NT_EV_TELLING, 0xf6, "telling" },
};

enum { PINNED = sizeof(pinned) / sizeof(pinned[0]) };

static void numbers_stay(void **state)
{
	(void)state;
	for (size_t i = 0; i < PINNED; i++) {
		if (pinned[i].kind != pinned[i].number)
			fail_msg("%s is 0x%02x in recordings and now 0x%02x", pinned[i].name, pinned[i].number, pinned[i].kind);
		assert_string_equal(nt_event_kind_name((enum nt_event_kind)pinned[i].number), pinned[i].name);
	}
}

static void each_kind_is_written_here(void **state)
{
	(void)state;
	size_t existing = 0;
	for (unsigned kind = 0; kind < NT_EV_LIMIT; kind++)
		existing += nt_event_kind_exists(kind);
	assert_int_equal(existing, PINNED);
	assert_false(nt_event_kind_exists(NT_EV_LIMIT));
	assert_false(nt_event_kind_exists(UINT16_MAX));
	assert_string_equal(nt_event_kind_name(NT_EV_LIMIT), "?");
}

static void sources_stay(void **state)
{
	(void)state;
	static const char *const names[] = { "procfs", "perf", "lttng", "eventpipe", "map", "recording", "nettop", "alloc", "runtime" };
	assert_int_equal(NT_SOURCE_COUNT, sizeof(names) / sizeof(names[0]));
	for (unsigned id = 0; id < NT_SOURCE_COUNT; id++)
		assert_string_equal(nt_source_name((enum nt_source_id)id), names[id]);
}

/* What happens counts by its time, what is does not; what a source says of itself is neither. */
static void attributes_fit_the_kinds(void **state)
{
	(void)state;
	static const enum nt_event_kind moments[] = { NT_EV_SAMPLE,    NT_EV_SWITCH,  NT_EV_COUNTER,          NT_EV_GC_START,
						      NT_EV_JIT_START, NT_EV_TIERING, NT_EV_EXCEPTION_THROWN, NT_EV_CLR_UNKNOWN };
	static const enum nt_event_kind others[] = { NT_EV_SOURCE_STATE, NT_EV_LOST,   NT_EV_IDLE, NT_EV_COVER, NT_EV_SELF, NT_EV_TARGET,
						     NT_EV_PROC,         NT_EV_THREAD, NT_EV_MAP,  NT_EV_CODE,  NT_EV_NAME };
	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		assert_true(nt_event_is_moment(moments[i]));
		assert_int_equal(nt_event_attributes[moments[i]].of, NT_EVENT_OF_PROCESS);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(nt_event_is_moment(others[i]));
	for (unsigned kind = 0; kind < NT_EV_LIMIT; kind++)
		if (nt_event_kind_exists(kind) && nt_event_is_of_runtime((enum nt_event_kind)kind))
			assert_int_equal(nt_event_attributes[kind].of, NT_EVENT_OF_PROCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stay),
		cmocka_unit_test(each_kind_is_written_here),
		cmocka_unit_test(sources_stay),
		cmocka_unit_test(attributes_fit_the_kinds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
