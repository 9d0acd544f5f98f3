// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: a nettrace stream; its first byte says which patterns are asked for. Whatever comes, a line of text has nothing in it that a terminal obeys, and a line of JSON is JSON.
 */
#include "fuzz.h"
#include "shown.h"

#include "decode/clr/clr.h"
#include "output/events/event_line.h"
#include "source/eventpipe/event_teller.h"

#include <stdio.h>
#include <string.h>

/* Each event is written in two ways, with allocations of a library's for each field. */
FUZZ_STEPS(1 << 16, 8192)

static void check_line(const char *line, size_t length)
{
	FUZZ_CHECK(length && line[length - 1] == '\n' && !memchr(line, '\n', length - 1));
	fuzz_check_text(line, length - 1);
}

static void on_event(void *context, const struct nt_told_event *event)
{
	char *text = NULL;
	size_t length = 0;
	(void)context;
	FILE *out = open_memstream(&text, &length);
	nt_event_line_text(out, event, 0);
	fclose(out);
	check_line(text, length);
	free(text);
	out = open_memstream(&text, &length);
	nt_event_line_json(out, event, 0);
	fclose(out);
	check_line(text, length);
	json_t *read = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	FUZZ_CHECK(json_object_size(json_object_get(read, "fields")) <= event->field_count); /* a name may be that of a number */
	fuzz_check_json(read);
	json_decref(read);
	free(text);
}

static void on_loss(void *context, uint64_t count, nt_time time)
{
	(void)context;
	(void)count;
	(void)time;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct nt_event_pattern patterns[] = { { .provider = NT_CLR_PROVIDER, .event = "*" },
							    { .provider = "Shop-Shaped", .event = "*" },
							    { .provider = "System.Runtime", .event = "*" } };
	const struct nt_event_sink sink = { .event = on_event, .lost = on_loss };
	if (!size)
		return 0;
	struct nt_event_teller *teller = nt_event_teller_new(patterns, 2 + (data[0] & 1), data[0] & 2, &sink);
	const struct nt_nettrace_sink stream = nt_event_teller_sink(teller);
	struct nt_nettrace *trace = nt_nettrace_new(&stream, NULL);
	if (nt_nettrace_feed(trace, data + 1, size - 1, NULL) == NT_OK)
		nt_nettrace_settle(trace);
	nt_nettrace_free(trace);
	nt_event_teller_free(teller);
	return 0;
}
