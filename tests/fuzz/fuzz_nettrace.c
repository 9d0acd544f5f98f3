// SPDX-License-Identifier: GPL-2.0-only
/* Input: a nettrace stream. Fed in one piece and in small ones, it must say the same. */
#include "fuzz.h"

#include "base/hash.h"
#include "decode/eventpipe/nettrace_fields.h"

#include <stdbool.h>

struct seen {
	uint64_t digest;
	nt_time newest;
};

static void on_event(void *context, const struct nt_nettrace_event *event)
{
	struct seen *seen = context;
	struct nt_nettrace_values values;
	nt_nettrace_values_read(event, &values);
	FUZZ_CHECK(values.count <= NT_NETTRACE_VALUES_MAX);
	/* All bytes that it refers to are there. */
	seen->digest = nt_hash_mix(seen->digest ^ nt_hash_bytes(event->payload, event->payload_length));
	if (event->stack)
		seen->digest = nt_hash_mix(seen->digest ^ nt_hash_bytes(event->stack->addresses, event->stack->count * sizeof(uint64_t)));
	seen->digest = nt_hash_mix(seen->digest ^ event->time);
	seen->digest ^= strlen(event->meta->provider) + strlen(event->meta->name);
}

static void on_lost(void *context, const struct nt_nettrace_lost *lost)
{
	FUZZ_CHECK(lost->count > 0);
	((struct seen *)context)->digest += lost->count;
}

static struct seen decode(const uint8_t *data, size_t size, size_t piece)
{
	struct seen seen = { 0 };
	struct nt_nettrace_sink sink = { .context = &seen, .event = on_event, .lost = on_lost };
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	for (size_t at = 0; at < size; at += piece)
		nt_nettrace_feed(trace, data + at, size - at < piece ? size - at : piece, NULL);
	nt_nettrace_settle(trace);
	FUZZ_CHECK(nt_nettrace_waiting(trace) == 0);
	nt_nettrace_free(trace);
	return seen;
}

/* An event of one byte may have NT_NETTRACE_VALUES_MAX fields that take none. */
FUZZ_STEPS(1 << 16, 1 << 12)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size)
		FUZZ_CHECK(decode(data, size, size).digest == decode(data, size, 7).digest);
	return 0;
}
