// SPDX-License-Identifier: GPL-2.0-only
/* Input: the payload of an event of a single request, one that is served or one that is made. */
#include "fuzz.h"

#include "base/interner.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/request_events.h"

/* All texts of a batch lie in it, and a path is as long as is said. */
static void check(const struct nt_batch *batch)
{
	const struct nt_event *event = &batch->events[0];
	bool made = event->kind == NT_EV_REQUEST_MADE;
	uint32_t op = made ? event->u.request_made.op : event->u.request.op, status = made ? 0 : event->u.request.status;
	FUZZ_CHECK(made || event->kind == NT_EV_REQUEST);
	FUZZ_CHECK(op == NT_REQUEST_BEGUN || op == NT_REQUEST_DONE);
	FUZZ_CHECK(!status || (status >= 100 && status <= 999));
	for (size_t i = 0; i < batch->str_count; i++) {
		FUZZ_CHECK(batch->strs[i].length <= NT_REQUEST_PATH_BYTES);
		FUZZ_CHECK(batch->strs[i].offset + batch->strs[i].length <= batch->byte_count);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_nettrace_meta meta = { .provider = NT_DIAGNOSTIC_SOURCE_PROVIDER, .name = "Activity1/Start" };
	const struct nt_nettrace_event event = { .meta = &meta, .time = 1, .payload = data, .payload_length = (uint32_t)size };
	struct nt_interner *interner = nt_interner_new(0);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_EVENTPIPE);
	nt_interner_begin(interner, batch);
	const struct nt_clr_at at = { .interner = interner, .batch = batch, .time = 1, .pid = 2, .tid = 3 };
	bool built = nt_request_event_build(&event, &at) == NT_OK;
	FUZZ_CHECK(nt_request_event_is(&meta) && batch->event_count == built);
	if (built)
		check(batch);
	nt_batch_free(batch);
	nt_interner_free(interner);
	return 0;
}
