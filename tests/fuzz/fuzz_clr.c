// SPDX-License-Identifier: GPL-2.0-only
/* Input: event id u16, version u16, then the packed payload. Both ways of building from it must say the same. */
#include "fuzz.h"

#include "base/interner.h"
#include "decode/clr/clr.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 4)
		return 0;
	const struct nt_clr_desc *desc = nt_clr_by_id(NT_CLR_PROVIDER, data[0] | (uint32_t)data[1] << 8, data[2] | (uint32_t)data[3] << 8);
	if (!desc)
		return 0;
	struct nt_interner *interner = nt_interner_new(0);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_LTTNG);
	nt_interner_begin(interner, batch);
	const struct nt_clr_at at = { .interner = interner, .batch = batch, .time = 1, .pid = 2, .tid = 3 };
	struct nt_clr_value values[NT_CLR_FIELDS_MAX];
	struct nt_event *packed;
	bool good = nt_clr_values_from_packed(desc, data + 4, size - 4, values) == NT_OK;
	enum nt_status status = nt_clr_build_packed(desc, data + 4, size - 4, &at, &packed);
	FUZZ_CHECK(desc->kind == NT_EV_NONE || good == (status == NT_OK));
	FUZZ_CHECK(batch->event_count == (packed ? 1 : 0));
	if (good) {
		struct nt_event first = packed ? *packed : (struct nt_event){ 0 };
		const struct nt_event *event = nt_clr_build(desc, values, &at);
		FUZZ_CHECK(!event == !packed);
		FUZZ_CHECK(!event || (event->kind == desc->kind && memcmp(event, &first, sizeof(first)) == 0));
	}
	nt_batch_free(batch);
	nt_interner_free(interner);
	return 0;
}
