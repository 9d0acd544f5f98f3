// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: a nettrace stream; its first byte says which patterns are asked for. Whatever comes, a line of text has nothing in it that a terminal obeys, and a line of JSON is JSON.
 */
#include "fuzz.h"
#include "shown.h"

#include "decode/clr/clr.h"
#include "output/events/event_line.h"
#include "source/eventpipe/event_teller.h"

#include <stdlib.h>
#include <string.h>

/* Each event is written in two ways, with allocations of a library's for each field. */
FUZZ_STEPS(1 << 16, 8192)

static void check_line(const char *line, size_t length)
{
	FUZZ_CHECK(length && line[length - 1] == '\n' && !memchr(line, '\n', length - 1));
	fuzz_check_text(line, length - 1);
}

static char *written(const struct nt_told_event *event, bool as_json)
{
	struct nt_event_lines lines;
	nt_event_lines_init(&lines, as_json, 0);
	nt_event_lines_add(&lines, event);
	check_line(lines.out.bytes, lines.out.length);
	char *text = nt_text_buffer_take(&lines.out);
	nt_event_lines_fini(&lines);
	return text;
}

static void on_event(void *context, const struct nt_told_event *event)
{
	(void)context;
	free(written(event, false));
	char *text = written(event, true);
	json_t *read = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	FUZZ_CHECK(read && json_object_size(json_object_get(read, "fields")) <= event->field_count);
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
