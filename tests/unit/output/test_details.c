// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/columns/details.h"
#include "base/event_fields.h"

#include <stdlib.h>
#include <string.h>

struct page {
	char *text;
	size_t length;
	FILE *out;
	struct nt_details *details;
};

static void open_page(struct page *page)
{
	page->out = open_memstream(&page->text, &page->length);
	assert_non_null(page->out);
	fflush(page->out); /* sets text and length */
	page->details = nt_details_new(page->out);
}

static void expect(struct page *page, const struct nt_batch *batch, const char *text)
{
	size_t before = page->length;
	nt_details_write(page->details, batch);
	fflush(page->out);
	assert_string_equal(page->text + before, text);
}

static void close_page(struct page *page)
{
	nt_details_free(page->details);
	fclose(page->out);
	free(page->text);
}

static void test_every_field_by_name(void **state)
{
	(void)state;
	struct page page;
	open_page(&page);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_LTTNG);
	batch->epoch = 1;
	nt_batch_announce_str(batch, 1, "A\x1b[2J\"", 6);
	struct nt_event *event = nt_batch_add(batch, NT_EV_EXCEPTION_THROWN, 4094 * NT_NS_PER_S + 7, 4711, 4733);
	event->version = 1;
	event->u.exception = (struct nt_ev_exception){ .eip = 0xabc, .type = 1, .message = 9, .hresult = 0x80131500, .flags = 16 };
	event = nt_batch_add(batch, NT_EV_LOST, 5, 4711, 0);
	event->u.lost = (struct nt_ev_lost){ .count = 3, .count_known = 1, .what = NT_LOST_EVENTS, .from = NT_TIME_UNKNOWN };
	nt_batch_add(batch, NT_EV_CODE, 6, 4711, 0)->u.code.from = 5;
	nt_batch_add_lines(batch, &(struct nt_batch_line){ .start = 0x7f00, .size = 64, .length = 16 }, 1, "void [A] B::C()\t");
	nt_batch_add_lines(batch, &(struct nt_batch_line){ .start = 0x7f40, .size = 16, .length = 6, .kind = NT_CODE_STUB }, 1, "stub D");
	nt_batch_add(batch, NT_EV_CODE, 6, 4711, 0)->u.code = (struct nt_ev_code){ .map = 3, .kind = NT_CODE_STUB };
	nt_batch_add_places(batch, &(struct nt_batch_place){ .start = 0x8000, .size = 32, .offset = 1000 }, 1);
	expect(&page, batch,
	       "4094.000000007 lttng exception-thrown v1 pid=4711 tid=4733 eip=0xabc type=\"A\\x1b[2J\"\" message=?9 hresult=2148734208 "
	       "flags=16\n"
	       "0.000000005 lttng lost pid=4711 tid=0 count=3 count_known=1 what=1 from=unknown of=0\n"
	       "0.000000006 lttng code pid=4711 tid=0 from=0.000000005 first=0 count=2 listed=0 map=0 kind=jit\n"
	       "  start=0x7f00 size=64 kind=jit name=\"void [A] B::C()\\x09\"\n"
	       "  start=0x7f40 size=16 kind=stub name=\"stub D\"\n"
	       "0.000000006 lttng code pid=4711 tid=0 from=0.000000000 first=0 count=1 listed=0 map=3 kind=stub\n"
	       "  start=0x8000 size=32 kind=stub offset=1000\n");
	nt_batch_free(batch);
	close_page(&page);
}

static void test_ids_live_for_source_and_epoch(void **state)
{
	(void)state;
	struct page page;
	open_page(&page);
	struct nt_batch *perf = nt_batch_new(NT_SOURCE_PERF), *lttng = nt_batch_new(NT_SOURCE_LTTNG);
	const uint64_t chain[] = { 0xffffffff81000000, 0x1000 };
	perf->epoch = lttng->epoch = 1;
	nt_batch_announce_stack(perf, 1, chain, 1, 2);
	nt_batch_add(perf, NT_EV_SAMPLE, 1, 1, 2)->u.sample = (struct nt_ev_sample){ .weight_ns = 10, .stack = 1, .cpu = 3 };
	nt_batch_add(lttng, NT_EV_SAMPLE, 1, 1, 2)->u.sample.stack = 1;
	expect(&page, perf, "0.000000001 perf sample pid=1 tid=2 weight_ns=10 stack=k1:ffffffff81000000,1000 cpu=3 besides=0 cut=0\n");
	expect(&page, lttng, "0.000000001 lttng sample pid=1 tid=2 weight_ns=0 stack=?1 cpu=0 besides=0 cut=0\n");
	nt_batch_reset(perf);
	nt_batch_add(perf, NT_EV_SAMPLE, 2, 1, 2)->u.sample.stack = 1;
	expect(&page, perf, "0.000000002 perf sample pid=1 tid=2 weight_ns=0 stack=k1:ffffffff81000000,1000 cpu=0 besides=0 cut=0\n");
	perf->epoch = 2;
	expect(&page, perf, "0.000000002 perf sample pid=1 tid=2 weight_ns=0 stack=?1 cpu=0 besides=0 cut=0\n");
	nt_batch_free(perf);
	nt_batch_free(lttng);
	close_page(&page);
}

/* A field that somebody adds to event.h and forgets here would be missing from every bug report. */
static void test_table_covers_the_payloads(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {
		[NT_EVENT_FIELD_U32] = 4,  [NT_EVENT_FIELD_U64] = 8,  [NT_EVENT_FIELD_HEX] = 8,  [NT_EVENT_FIELD_F64] = 8,
		[NT_EVENT_FIELD_TIME] = 8, [NT_EVENT_FIELD_CHAR] = 4, [NT_EVENT_FIELD_STR] = 4,  [NT_EVENT_FIELD_STACK] = 4,
		[NT_EVENT_FIELD_NAME] = 4, [NT_EVENT_FIELD_BOOL] = 1, [NT_EVENT_FIELD_U32S] = 4, [NT_EVENT_FIELD_U64S] = 8,
	};
#define PAYLOAD(KIND, type)                                                                                                                \
	{                                                                                                                                  \
		NT_EV_##KIND, sizeof(struct type)                                                                                          \
	}
	static const struct {
		uint16_t kind;
		size_t size;
	} payloads[] = {
		PAYLOAD(SOURCE_STATE, nt_ev_source_state),
		PAYLOAD(LOST, nt_ev_lost),
		PAYLOAD(SAMPLE, nt_ev_sample),
		PAYLOAD(THREAD, nt_ev_thread),
		PAYLOAD(PROC, nt_ev_proc),
		PAYLOAD(THREAD_STAT, nt_ev_thread_stat),
		PAYLOAD(SELF, nt_ev_self),
		PAYLOAD(TARGET, nt_ev_target),
		PAYLOAD(MAP, nt_ev_map),
		PAYLOAD(CODE, nt_ev_code),
		PAYLOAD(CODE_END, nt_ev_code_end),
		PAYLOAD(NAME, nt_ev_name),
		PAYLOAD(IL_MAP, nt_ev_il_map),
		PAYLOAD(RUNDOWN, nt_ev_rundown),
		PAYLOAD(COUNTER, nt_ev_counter),
		PAYLOAD(GC_START, nt_ev_gc_start),
		PAYLOAD(GC_END, nt_ev_gc_end),
		PAYLOAD(GC_HEAP_STATS, nt_ev_gc_heap_stats),
		PAYLOAD(GC_SUSPEND_BEGIN, nt_ev_gc_suspend_begin),
		PAYLOAD(GC_TRIGGERED, nt_ev_gc_triggered),
		PAYLOAD(GC_GLOBAL_HISTORY, nt_ev_gc_global_history),
		PAYLOAD(GC_HEAP_HISTORY, nt_ev_gc_heap_history),
		PAYLOAD(GC_MARK, nt_ev_gc_mark),
		PAYLOAD(GC_FINALIZERS_END, nt_ev_finalizers_end),
		PAYLOAD(ALLOC_SAMPLED, nt_ev_alloc),
		PAYLOAD(ALLOC_TICK, nt_ev_alloc),
		PAYLOAD(JIT_START, nt_ev_jit_start),
		PAYLOAD(METHOD_LOAD, nt_ev_method),
		PAYLOAD(METHOD_UNLOAD, nt_ev_method),
		PAYLOAD(MODULE_LOAD, nt_ev_module_load),
		PAYLOAD(TIERING, nt_ev_tiering),
		PAYLOAD(POOL_WORKERS, nt_ev_pool_workers),
		PAYLOAD(POOL_ADJUST, nt_ev_pool_adjust),
		PAYLOAD(POOL_SAMPLE, nt_ev_pool_sample),
		PAYLOAD(POOL_MINMAX, nt_ev_pool_minmax),
		PAYLOAD(POOL_COUNTS, nt_ev_pool_counts),
		PAYLOAD(THREAD_ALLOCATED, nt_ev_thread_allocated),
		PAYLOAD(CONTENTION_START, nt_ev_contention),
		PAYLOAD(CONTENTION_STOP, nt_ev_contention),
		PAYLOAD(LOCK_CREATED, nt_ev_lock_created),
		PAYLOAD(EXCEPTION_THROWN, nt_ev_exception),
		PAYLOAD(EXCEPTION_CATCH, nt_ev_exception_catch),
		PAYLOAD(EXCEPTION_STEP, nt_ev_exception_step),
		PAYLOAD(CLR_THREAD_CREATED, nt_ev_clr_thread),
		PAYLOAD(CLR_THREAD_ENDED, nt_ev_clr_thread),
		PAYLOAD(CLR_UNKNOWN, nt_ev_clr_unknown),
		PAYLOAD(TOLD, nt_ev_told),
		PAYLOAD(TOLD_MORE, nt_ev_told_more),
		PAYLOAD(TELLING, nt_ev_telling),
		PAYLOAD(TELL, nt_ev_tell),
	};
	for (size_t p = 0; p < sizeof(payloads) / sizeof(payloads[0]); p++) {
		uint32_t covered = 0;
		for (size_t i = 0; i < nt_event_field_count; i++)
			if (nt_event_fields[i].kind == payloads[p].kind)
				covered += sizes[nt_event_fields[i].type] * nt_event_fields[i].count;
		/* What is left may only be padding at the end. */
		if (covered > payloads[p].size || payloads[p].size - covered >= 8)
			fail_msg("%s: fields of %u bytes, payload of %zu", nt_event_kind_name(payloads[p].kind), covered, payloads[p].size);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_field_by_name),
		cmocka_unit_test(test_ids_live_for_source_and_epoch),
		cmocka_unit_test(test_table_covers_the_payloads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
