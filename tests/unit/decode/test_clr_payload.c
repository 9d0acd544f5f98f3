// SPDX-License-Identifier: GPL-2.0-only
/* From an event to its payload, and back by nettop's own decoder: what was kept comes back, whatever event and version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/interner.h"
#include "base/text_buffer.h"
#include "decode/clr/clr_payload.h"

#include <string.h>

static const char *const texts[] = { "", "Shop.Cart.Total(string)", "Shop", "/srv/shop.dll" };

static const char *text_of(const void *context, nt_str id, size_t *length)
{
	(void)context;
	*length = id < sizeof(texts) / sizeof(texts[0]) ? strlen(texts[id]) : 0;
	return texts[id < sizeof(texts) / sizeof(texts[0]) ? id : 0];
}

static const struct nt_clr_texts all = { .get = text_of };

/* An event with another number in each member that the table names, and a text in each that is one. */
static struct nt_event made(const struct nt_clr_desc *desc)
{
	struct nt_event event = { .kind = desc->kind, .version = (uint8_t)desc->version };
	for (unsigned i = 0; i < desc->field_count; i++) {
		const struct nt_clr_field *field = &desc->fields[i];
		uint64_t value = 3 + i;
		double real = (double)value;
		uint32_t text = field->action == NT_CLR_SIGNATURE ? 1 : 3;
		if (field->wire == NT_WIRE_STR && field->offset)
			memcpy((char *)&event + field->offset, &text, sizeof(text));
		else if (field->action == NT_CLR_TO_F64)
			memcpy((char *)&event + field->offset, &real, sizeof(real));
		else if (field->action == NT_CLR_TO_U32)
			memcpy((char *)&event + field->offset, &value, sizeof(uint32_t));
		else if (field->action == NT_CLR_TO_U64)
			memcpy((char *)&event + field->offset, &value, sizeof(value));
	}
	uint32_t constant = desc->constant_value;
	if (desc->constant_member)
		memcpy((char *)&event + desc->constant_offset, &constant, sizeof(constant));
	return event;
}

/* What is kept of `desc`, a version of it, is in both events. Texts have other ids there: they are compared as texts. */
static void same_fields(const struct nt_clr_desc *desc, const struct nt_event *was, const struct nt_event *is, const struct nt_batch *batch)
{
	for (unsigned i = 0; i < desc->field_count; i++) {
		const struct nt_clr_field *field = &desc->fields[i];
		size_t width = field->action == NT_CLR_TO_U32 ? sizeof(uint32_t) : sizeof(uint64_t);
		if (field->wire == NT_WIRE_STR && field->offset) {
			nt_str before, now;
			size_t length;
			memcpy(&before, (const char *)was + field->offset, sizeof(before));
			memcpy(&now, (const char *)is + field->offset, sizeof(now));
			const char *text = text_of(NULL, before, &length);
			bool found = false;
			for (size_t s = 0; s < batch->str_count; s++)
				found |= batch->strs[s].id == now && batch->strs[s].length == length &&
					 memcmp(batch->bytes + batch->strs[s].offset, text, length) == 0;
			assert_true(found);
		} else if (field->action == NT_CLR_TO_U32 || field->action == NT_CLR_TO_U64 || field->action == NT_CLR_TO_F64) {
			assert_memory_equal((const char *)was + field->offset, (const char *)is + field->offset, width);
		}
	}
}

static void every_event_comes_back(void **state)
{
	(void)state;
	unsigned written = 0;
	const struct nt_clr_desc *desc;
	for (size_t i = 0; (desc = nt_clr_at_index(i)); i++) {
		struct nt_event event = made(desc);
		const struct nt_clr_desc *as = nt_clr_payload_desc(&event);
		if (!as)
			continue;
		struct nt_text_buffer out = { 0 };
		struct nt_interner *interner = nt_interner_new(0);
		struct nt_batch *batch = nt_batch_new(NT_SOURCE_EVENTPIPE);
		struct nt_event *back;
		nt_interner_begin(interner, batch);
		nt_clr_payload_put(&out, as, &event, &all);
		const struct nt_clr_at at = { .interner = interner, .batch = batch, .time = 1000, .pid = 1, .tid = 2 };
		assert_int_equal(nt_clr_build_packed(as, (const uint8_t *)out.bytes, out.length, &at, &back), NT_OK);
		assert_int_equal(back->kind, event.kind);
		same_fields(as, &event, back, batch);
		nt_text_buffer_fini(&out);
		nt_batch_free(batch);
		nt_interner_free(interner);
		written++;
	}
	assert_true(written > 50);
}

static const struct nt_clr_desc *desc_of(const char *name)
{
	const struct nt_clr_desc *desc = nt_clr_by_lttng_name(name);
	assert_non_null(desc);
	struct nt_event event = made(desc);
	return nt_clr_payload_desc(&event);
}

static void nothing_is_made_up(void **state)
{
	(void)state;
	static const char *const never[] = { "GCPerHeapHistory_V3", "ThreadPoolMinMaxThreads", "ThreadPoolWorkerThreadAdjustmentStats",
					     "ExceptionFilterStart", "ExceptionFilterStop" };
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		assert_null(desc_of(never[i]));
	assert_string_equal(desc_of("GCStart_V2")->name, "GCStart_V1");
	assert_string_equal(desc_of("GCGlobalHeapHistory_V4")->name, "GCGlobalHeapHistory_V2");
	assert_string_equal(desc_of("GCHeapStats_V2")->name, "GCHeapStats_V2");
	assert_string_equal(desc_of("GCHeapStats_V1")->name, "GCHeapStats_V1");
	assert_null(nt_clr_payload_desc(&(struct nt_event){ .kind = NT_EV_SAMPLE }));
	assert_null(nt_clr_payload_desc(&(struct nt_event){ .kind = NT_EV_NONE }));
}

static void which_of_several(void **state)
{
	(void)state;
	struct nt_event event = { .kind = NT_EV_POOL_WORKERS, .u.pool_workers.op = NT_POOL_WAIT };
	assert_int_equal(nt_clr_payload_desc(&event)->id, 57);
	event = (struct nt_event){ .kind = NT_EV_METHOD_LOAD, .version = 2, .u.method.name = 1 };
	assert_string_equal(nt_clr_payload_desc(&event)->name, "MethodLoadVerbose_V2");
	event.u.method.name = 0;
	assert_string_equal(nt_clr_payload_desc(&event)->name, "MethodLoad_V2");
}

static size_t payload(const struct nt_event *event, struct nt_text_buffer *out)
{
	out->length = 0;
	nt_clr_payload_put(out, nt_clr_payload_desc(event), event, &all);
	return out->length;
}

static const char *long_text(const void *context, nt_str id, size_t *length)
{
	(void)id;
	*length = 100000;
	return context;
}

static void texts_that_are_none_and_long_ones(void **state)
{
	(void)state;
	struct nt_text_buffer out = { 0 };
	/* As EventPipe writes it: a word for a message that is null. */
	struct nt_event event = { .kind = NT_EV_EXCEPTION_THROWN, .version = 1, .u.exception.type = 3 };
	static const char wanted[] = "/\0s\0r\0v\0/\0s\0h\0o\0p\0.\0d\0l\0l\0\0\0N\0U\0L\0L\0\0";
	assert_int_equal(payload(&event, &out), sizeof(wanted) + 8 + 4 + 2 + 2);
	assert_memory_equal(out.bytes, wanted, sizeof(wanted));
	static char text[100000];
	memset(text, 'x', sizeof(text));
	const struct nt_clr_texts longs = { .get = long_text, .context = text };
	out.length = 0;
	event.u.exception.message = 3;
	nt_clr_payload_put(&out, nt_clr_payload_desc(&event), &event, &longs);
	assert_int_equal(out.length, 2 * (2 * NT_CLR_PAYLOAD_TEXT_MAX + 2) + 8 + 4 + 2 + 2);
	nt_text_buffer_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_comes_back),
		cmocka_unit_test(nothing_is_made_up),
		cmocka_unit_test(which_of_several),
		cmocka_unit_test(texts_that_are_none_and_long_ones),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
