// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/interner.h"
#include "decode/clr/clr.h"

#include <stdio.h>
#include <string.h>

struct fixture {
	struct nt_interner *interner;
	struct nt_batch *batch;
	struct nt_clr_value values[NT_CLR_FIELDS_MAX];
};

static int set_up(void **state)
{
	static struct fixture fixture;
	fixture.interner = nt_interner_new(0);
	fixture.batch = nt_batch_new(NT_SOURCE_LTTNG);
	nt_interner_begin(fixture.interner, fixture.batch);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	nt_batch_free(f->batch);
	nt_interner_free(f->interner);
	return 0;
}

static struct nt_event *build(struct fixture *f, const struct nt_clr_desc *desc)
{
	struct nt_clr_at at = { .interner = f->interner, .batch = f->batch, .time = 1000, .pid = 4711, .tid = 4712 };
	return nt_clr_build(desc, f->values, &at);
}

/* Both ways of building from a payload do the same. */
static struct nt_event *build_both(struct fixture *f, const struct nt_clr_desc *desc, const uint8_t *bytes, size_t length,
				   enum nt_status expected)
{
	struct nt_clr_at at = { .interner = f->interner, .batch = f->batch, .time = 1000, .pid = 4711, .tid = 4712 };
	struct nt_event *packed, first, *second;
	size_t before = f->batch->event_count;
	assert_int_equal(nt_clr_build_packed(desc, bytes, length, &at, &packed), expected);
	assert_int_equal(nt_clr_values_from_packed(desc, bytes, length, f->values), expected);
	if (expected != NT_OK) {
		assert_int_equal(f->batch->event_count, before);
		return NULL;
	}
	first = *packed;
	nt_batch_take_back(f->batch);
	second = build(f, desc);
	assert_memory_equal(&first, second, sizeof(first));
	return second;
}

/* tests/data/corpus/clr: event id u16, version u16, then the payload; most were recorded from .NET 10.0.12. */
static struct nt_event *build_recorded(struct fixture *f, const char *name, enum nt_status expected)
{
	char path[256];
	uint8_t bytes[2048];
	snprintf(path, sizeof(path), "tests/data/corpus/clr/%s", name);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	size_t length = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	assert_true(length >= 4);
	const struct nt_clr_desc *desc = nt_clr_by_id(NT_CLR_PROVIDER, bytes[0] | (uint32_t)bytes[1] << 8, bytes[2]);
	assert_non_null(desc);
	return build_both(f, desc, bytes + 4, length - 4, expected);
}

static void assert_text(const struct fixture *f, nt_str id, const char *expected)
{
	for (size_t i = 0; i < f->batch->str_count; i++)
		if (f->batch->strs[i].id == id) {
			assert_int_equal(f->batch->strs[i].length, strlen(expected));
			assert_memory_equal(f->batch->bytes + f->batch->strs[i].offset, expected, strlen(expected));
			return;
		}
	fail_msg("text %u is not announced", id);
}

static void test_fields_of_lttng(void **state)
{
	struct fixture *f = *state;
	const struct nt_clr_desc *desc = nt_clr_by_lttng_name("DotNETRuntime:GCStart_V2");
	nt_clr_values_clear(desc, f->values);
	nt_clr_set_integer(&f->values[nt_clr_field_index(desc, "Count")], 12);
	nt_clr_set_integer(&f->values[nt_clr_field_index(desc, "Depth")], 1);
	nt_clr_set_integer(&f->values[nt_clr_field_index(desc, "Type")], 2);
	struct nt_event *event = build(f, desc);
	assert_int_equal(event->kind, NT_EV_GC_START);
	assert_int_equal(event->version, 2);
	assert_int_equal(event->time, 1000);
	assert_int_equal(event->pid, 4711);
	assert_int_equal(event->tid, 4712);
	assert_int_equal(event->u.gc_start.number, 12);
	assert_int_equal(event->u.gc_start.generation, 1);
	assert_int_equal(event->u.gc_start.type, 2);
	assert_int_equal(event->u.gc_start.reason, 0); /* not delivered */
}

static void test_method_of_fields(void **state)
{
	struct fixture *f = *state;
	const struct nt_clr_desc *desc = nt_clr_by_lttng_name("MethodJittingStarted_V1");
	nt_clr_values_clear(desc, f->values);
	nt_clr_set_integer(&f->values[0], 0x7f0011);
	nt_clr_set_integer(&f->values[3], 61);
	nt_clr_set_utf8(&f->values[4], "Shop.Cart", 9);
	nt_clr_set_utf8(&f->values[5], "Total", 5);
	nt_clr_set_utf8(&f->values[6], "int32  (class System.String)", 28);
	struct nt_event *event = build(f, desc);
	assert_int_equal(event->u.jit_start.method_id, 0x7f0011);
	assert_int_equal(event->u.jit_start.il_bytes, 61);
	assert_text(f, event->u.jit_start.name, "Shop.Cart.Total(string)");
}

static void test_values_of_wrong_type_are_harmless(void **state)
{
	struct fixture *f = *state;
	const struct nt_clr_desc *desc = nt_clr_by_lttng_name("ExceptionThrown_V1");
	nt_clr_values_clear(desc, f->values);
	nt_clr_set_integer(&f->values[0], 5);
	nt_clr_set_real(&f->values[2], -1e300);
	nt_clr_set_utf8(&f->values[3], "no number", 9);
	struct nt_event *event = build(f, desc);
	assert_int_equal(event->u.exception.type, 0);
	assert_int_equal(event->u.exception.eip, 0);
	assert_int_equal(event->u.exception.hresult, 0);
}

static void test_constants(void **state)
{
	struct fixture *f = *state;
	struct nt_event *event = build_recorded(f, "ContentionStop_V1", NT_OK);
	assert_int_equal(event->u.contention.duration_known, 1);
	assert_int_equal(event->u.contention.duration_ns, 1234567);
	const struct nt_clr_desc *desc = nt_clr_by_lttng_name("ThreadPoolWorkerThreadWait");
	nt_clr_values_clear(desc, f->values);
	nt_clr_set_integer(&f->values[0], 7);
	event = build(f, desc);
	assert_int_equal(event->u.pool_workers.op, NT_POOL_WAIT);
	assert_int_equal(event->u.pool_workers.active_count, 7);
}

static void test_recorded_heap_stats(void **state)
{
	struct fixture *f = *state;
	const struct nt_ev_gc_heap_stats *stats = &build_recorded(f, "GCHeapStats_V2", NT_OK)->u.gc_heap_stats;
	static const uint64_t size_bytes[] = { 0, 37736, 0, 0, 8184 };
	assert_memory_equal(stats->size_bytes, size_bytes, sizeof(size_bytes));
	assert_int_equal(stats->promoted_bytes[0], 37456);
	assert_int_equal(stats->pinned_count, 1);
	assert_int_equal(stats->handle_count, 15);
	assert_int_equal(stats->poh_known, 1);
}

static void test_recorded_histories(void **state)
{
	struct fixture *f = *state;
	const struct nt_ev_gc_heap_history *heap = &build_recorded(f, "GCPerHeapHistory_V3", NT_OK)->u.gc_heap_history;
	assert_int_equal(heap->heap_index, 0);
	assert_int_equal(heap->generation_count, 5);
	static const uint64_t found_bytes[] = { 37736, 0, 0, 0, 8184 };
	assert_memory_equal(heap->before_gross_bytes, found_bytes, sizeof(found_bytes));
	assert_int_equal(heap->after_gross_bytes, 37736 + 8184);
	assert_int_equal(heap->before_bytes, 37736 + 8184);
	assert_int_equal(heap->free_after_bytes, 200 + 224);
	assert_int_equal(heap->loh_after_bytes, 0);
	assert_int_equal(heap->loh_found_used_bytes, 0);
	const struct nt_ev_gc_global_history *global = &build_recorded(f, "GCGlobalHeapHistory_V4", NT_OK)->u.gc_global_history;
	assert_int_equal(global->final_youngest_desired_bytes, 16777216);
	assert_int_equal(global->heap_count, 1);
	assert_int_equal(global->condemned_generation, 2);
	assert_int_equal(global->reason, 1);
	assert_int_equal(global->mechanisms, 20);
	assert_int_equal(global->pause_mode, 1);
	assert_int_equal(global->memory_pressure_pct, 2);
	assert_int_equal(global->step_count, 7);
}

static void test_recorded_methods(void **state)
{
	struct fixture *f = *state;
	const struct nt_ev_method *method = &build_recorded(f, "MethodLoadVerbose_V2", NT_OK)->u.method;
	assert_int_equal(method->start, 0x7fdc6d0a9ee0);
	assert_int_equal(method->size, 0x2a7);
	assert_int_equal(method->tier, NT_TIER_INSTRUMENTED_OPT);
	assert_int_not_equal(method->rejit_id, 0);
	assert_text(f, method->name, "System.SpanHelpers.Memmove(ref byte, ref byte, nuint)");
	assert_text(f, method->namespace, "System");
	struct nt_event *event = build_recorded(f, "MethodUnloadVerbose_V1", NT_OK);
	assert_int_equal(event->kind, NT_EV_METHOD_UNLOAD);
	assert_int_equal(event->u.method.tier, NT_TIER_OPTIMIZED);
	assert_text(f, event->u.method.name, "reflection call of Odd.GenM");
}

static void test_texts_become_utf8(void **state)
{
	struct fixture *f = *state;
	struct nt_ev_exception exception = build_recorded(f, "ExceptionThrown_V1", NT_OK)->u.exception;
	assert_text(f, exception.type, "System.InvalidOperationException");
	assert_text(f, exception.message,
		    "gr\xc3\xb6\xc3\x9f"
		    "er \xf0\x9f\x98\x80");
	assert_int_equal(exception.hresult, 0x80131509);
	assert_int_equal(exception.flags, 0x10);
}

static void test_newer_version_is_read_by_its_known_part(void **state)
{
	struct fixture *f = *state;
	struct nt_event *event = build_recorded(f, "GCStart_V9", NT_OK);
	assert_int_equal(event->version, 2);
	assert_int_equal(event->u.gc_start.number, 7);
}

static void test_null_text_is_noticed(void **state)
{
	struct fixture *f = *state;
	build_recorded(f, "MethodLoadVerbose_null_name", NT_ERR_MALFORMED);
	assert_int_equal(f->batch->event_count, 0);
}

/*
 * The runtime's own helpers have a name, but null for the type and the signature (ETW::MethodLog::SendHelperEvent), and LTTng's packed payload has nothing
 * for them: the texts that are there would be taken for others. What is missing makes it too short for any reading, whatever the numbers behind the name are.
 */
static void test_helpers_are_no_methods(void **state)
{
	static const uint16_t name[] = { 'J', 'I', 'T', '_', 'B', 'a', 'r', 0 };
	static const uint16_t instances[] = { 0, 9, 0x4141 };
	static const uint64_t rejits[] = { 0, 1, UINT64_C(0x4141000041410000), UINT64_MAX };
	enum { RANGE = 3 * 8 + 3 * 4 };
	struct fixture *f = *state;
	for (size_t version = 1; version <= 2; version++)
		for (size_t i = 0; i < sizeof(instances) / sizeof(*instances) * sizeof(rejits) / sizeof(*rejits); i++) {
			uint8_t payload[RANGE + sizeof(name) + 2 + 8] = { 1 }, *end = payload + RANGE;
			end = (uint8_t *)memcpy(end, name, sizeof(name)) + sizeof(name);
			end = (uint8_t *)memcpy(end, &instances[i % 3], 2) + 2;
			if (version == 2)
				end = (uint8_t *)memcpy(end, &rejits[i / 3], 8) + 8;
			build_both(f, nt_clr_by_id(NT_CLR_PROVIDER, 143, (uint32_t)version), payload, (size_t)(end - payload),
				   NT_ERR_MALFORMED);
		}
}

static void test_generation_count_must_fit(void **state)
{
	struct fixture *f = *state;
	const struct nt_clr_desc *desc = nt_clr_by_lttng_name("GCPerHeapHistory_V3");
	uint8_t payload[86 + 48] = { 0 };
	payload[82] = 1;
	memset(payload + 86, 0xff, 48); /* free space larger than the generation: no negative size */
	payload[86 + 7] = 0;
	assert_int_equal(build_both(f, desc, payload, sizeof(payload), NT_OK)->u.gc_heap_history.before_bytes, 0);
	payload[82] = 2;
	build_both(f, desc, payload, sizeof(payload), NT_ERR_MALFORMED);
	memset(payload + 82, 0xff, 4);
	build_both(f, desc, payload, sizeof(payload), NT_ERR_MALFORMED);
	memset(payload + 82, 0, 4);
	build_both(f, desc, payload, 86, NT_OK);
}

static void test_count_of_steps_must_fit(void **state)
{
	enum { COUNT_AT = 46, STEPS = 9 };
	struct fixture *f = *state;
	const struct nt_clr_desc *desc = nt_clr_by_lttng_name("GCGlobalHeapHistory_V4");
	uint8_t payload[COUNT_AT + 4 + STEPS * 4] = { 0 };
	payload[COUNT_AT] = STEPS;
	payload[COUNT_AT + 4] = 7;
	const struct nt_ev_gc_global_history *history = &build_both(f, desc, payload, sizeof(payload), NT_OK)->u.gc_global_history;
	assert_int_equal(history->step_count, NT_GC_STEPS); /* a later runtime may tell more */
	assert_int_equal(history->step_us[0], 7);
	build_both(f, desc, payload, sizeof(payload) - 1, NT_ERR_MALFORMED);
	memset(payload + COUNT_AT, 0xff, 4);
	build_both(f, desc, payload, sizeof(payload), NT_ERR_MALFORMED);
	memset(payload + COUNT_AT, 0, 4);
	assert_int_equal(build_both(f, desc, payload, COUNT_AT + 4, NT_OK)->u.gc_global_history.step_count, 0);
}

static void test_a_cut_payload_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	struct nt_clr_at at = { .interner = f->interner, .batch = f->batch, .time = 5, .pid = 1, .tid = 2 };
	static const uint8_t zeros[128];
	struct nt_event *built;
	for (size_t index = 0; nt_clr_at_index(index); index++) {
		const struct nt_clr_desc *desc = nt_clr_at_index(index);
		size_t least = 0;
		while (nt_clr_values_from_packed(desc, zeros, least, f->values) != NT_OK)
			assert_int_equal(nt_clr_build_packed(desc, zeros, least++, &at, &built),
					 desc->kind == NT_EV_NONE ? NT_OK : NT_ERR_MALFORMED);
		assert_int_equal(f->batch->event_count, 0);
		assert_int_equal(nt_clr_build_packed(desc, zeros, least, &at, &built), NT_OK);
		assert_int_equal(f->batch->event_count, desc->kind != NT_EV_NONE);
		nt_batch_reset(f->batch);
	}
}

static void test_unknown_and_not_kept(void **state)
{
	struct fixture *f = *state;
	struct nt_clr_at at = { .interner = f->interner, .batch = f->batch, .time = 5, .pid = 1, .tid = 2 };
	struct nt_event *event = nt_clr_build_unknown("DotNETRuntime:Novelty_V3", &at);
	assert_int_equal(event->kind, NT_EV_CLR_UNKNOWN);
	assert_text(f, event->u.clr_unknown.name, "DotNETRuntime:Novelty_V3");
	assert_null(build(f, nt_clr_by_lttng_name("ExceptionThrownStop")));
	assert_int_equal(f->batch->event_count, 1);
}

static size_t put_utf16(uint8_t *bytes, const char *text)
{
	size_t length = strlen(text) + 1;
	for (size_t i = 0; i < length; i++) {
		bytes[2 * i] = (uint8_t)text[i];
		bytes[2 * i + 1] = 0;
	}
	return 2 * length;
}

static struct nt_event *build_exception(struct fixture *f, const char *type, const char *message)
{
	uint8_t bytes[1024] = { 0 };
	size_t length = put_utf16(bytes, type);
	length += put_utf16(bytes + length, message);
	return build_both(f, nt_clr_by_id(NT_CLR_PROVIDER, 80, 1), bytes, length + 16, NT_OK);
}

/* What is said over and over is recognised before it is read: not what only begins alike, and not where the ids have been forgotten since. */
static void test_repeated_texts(void **state)
{
	struct fixture *f = *state;
	nt_interner_free(f->interner);
	f->interner = nt_interner_new(1);
	char longer[300];
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	const char *messages[] = { "number 1", "number 2", "number 1", "", longer, "number", "number 1", longer };
	for (int epoch = 0; epoch < 2; epoch++) {
		nt_batch_reset(f->batch);
		nt_interner_begin(f->interner, f->batch);
		for (size_t i = 0; i < sizeof(messages) / sizeof(*messages); i++) {
			struct nt_ev_exception said = build_exception(f, "System.Exception", messages[i])->u.exception;
			assert_text(f, said.type, "System.Exception");
			if (*messages[i])
				assert_text(f, said.message, messages[i]);
			else
				assert_int_equal(said.message, 0);
		}
		assert_int_equal(f->batch->str_count, 5);
	}
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_fields_of_lttng),
		TEST(test_method_of_fields),
		TEST(test_values_of_wrong_type_are_harmless),
		TEST(test_constants),
		TEST(test_recorded_heap_stats),
		TEST(test_recorded_histories),
		TEST(test_recorded_methods),
		TEST(test_texts_become_utf8),
		TEST(test_newer_version_is_read_by_its_known_part),
		TEST(test_null_text_is_noticed),
		TEST(test_helpers_are_no_methods),
		TEST(test_generation_count_must_fit),
		TEST(test_count_of_steps_must_fit),
		TEST(test_a_cut_payload_leaves_nothing),
		TEST(test_unknown_and_not_kept),
		TEST(test_repeated_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
