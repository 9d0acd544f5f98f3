// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the decoder reads in a nettrace file, one line per event: `TIME_NS THREAD PROVIDER ID VERSION LEVEL PAYLOAD_BYTES STACK_DEPTH NAME`, then the sums.
 *
 * usage: nettrace_dump FILE            the lines
 *        nettrace_dump --speed N FILE  decode it N times into neutral events; prints how many and the least CPU time, ns, of one time
 */
#include "base/interner.h"
#include "decode/clr.h"
#include "decode/nettrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE = 64 * 1024, BATCH_EVENTS = 4096 };

struct sums {
	unsigned long long events, lost, bytes;
	struct nt_interner *interner;
	struct nt_batch *batch;
};

/* As the EventPipe source makes them. */
static void on_speed(void *context, const struct nt_nettrace_event *event)
{
	struct sums *sums = context;
	const struct nt_clr_desc *desc = event->meta->user;
	if (!desc)
		event->meta->user = desc = nt_clr_by_id(event->meta->provider, event->meta->id, event->meta->version);
	sums->events++;
	if (sums->batch->event_count >= BATCH_EVENTS) {
		nt_batch_reset(sums->batch);
		nt_interner_begin(sums->interner, sums->batch);
	}
	const struct nt_clr_at at = { sums->interner, sums->batch, event->time, 1, (uint32_t)event->thread };
	struct nt_clr_value values[NT_CLR_FIELDS_MAX];
	if (desc && nt_clr_values_from_packed(desc, event->payload, event->payload_length, values) == NT_OK)
		nt_clr_build(desc, values, &at);
}

static void on_event(void *context, const struct nt_nettrace_event *event)
{
	struct sums *sums = context;
	sums->events++;
	sums->bytes += event->payload_length;
	printf("%llu %llu %s %u %u %u %u %u %s\n", (unsigned long long)event->time, (unsigned long long)event->thread,
	       event->meta->provider, event->meta->id, event->meta->version, event->meta->level, event->payload_length, event->stack_count,
	       event->meta->name);
}

static void on_lost(void *context, const struct nt_nettrace_lost *lost)
{
	struct sums *sums = context;
	sums->lost += lost->count;
}

static uint8_t *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END) != 0) {
		perror(path);
		exit(1);
	}
	*length = (size_t)ftell(file);
	uint8_t *bytes = malloc(*length + 1);
	rewind(file);
	if (!bytes || fread(bytes, 1, *length, file) != *length) {
		perror(path);
		exit(1);
	}
	fclose(file);
	return bytes;
}

typedef void event_sink(void *context, const struct nt_nettrace_event *event);

static enum nt_status decode(const uint8_t *bytes, size_t length, event_sink *on_each, struct sums *sums)
{
	struct nt_nettrace_sink sink = { .context = sums, .event = on_each, .lost = on_lost };
	struct nt_nettrace *trace = nt_nettrace_new(&sink);
	struct nt_error err = { 0 };
	enum nt_status status = NT_OK;
	for (size_t at = 0; at < length && status == NT_OK; at += PIECE)
		status = nt_nettrace_feed(trace, bytes + at, length - at < PIECE ? length - at : PIECE, &err);
	nt_nettrace_settle(trace);
	nt_nettrace_free(trace);
	char text[2 * NT_ERROR_TEXT];
	if (status < 0)
		fprintf(stderr, "nettrace_dump: %s\n", nt_error_text(&err, text, sizeof(text)));
	return status;
}

static uint64_t cpu_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NT_NS_PER_S + (uint64_t)now.tv_nsec;
}

static int speed(const uint8_t *bytes, size_t length, int rounds)
{
	struct sums sums = { 0 };
	uint64_t least = UINT64_MAX;
	while (rounds-- > 0) {
		sums = (struct sums){ .interner = nt_interner_new(0), .batch = nt_batch_new(NT_SOURCE_EVENTPIPE) };
		nt_interner_begin(sums.interner, sums.batch);
		uint64_t start = cpu_ns();
		if (decode(bytes, length, on_speed, &sums) < 0)
			return 1;
		uint64_t took = cpu_ns() - start;
		least = took < least ? took : least;
		nt_batch_free(sums.batch);
		nt_interner_free(sums.interner);
	}
	printf("%llu events %llu ns\n", sums.events, (unsigned long long)least);
	return 0;
}

int main(int argc, char **argv)
{
	size_t length;
	if (argc == 4 && strcmp(argv[1], "--speed") == 0) {
		const uint8_t *file = read_file(argv[3], &length);
		return speed(file, length, atoi(argv[2]));
	}
	if (argc != 2) {
		fprintf(stderr, "usage: nettrace_dump [--speed N] FILE\n");
		return 2;
	}
	struct sums sums = { 0 };
	const uint8_t *file = read_file(argv[1], &length);
	enum nt_status status = decode(file, length, on_event, &sums);
	printf("%llu events, %llu lost, %llu bytes of payload, %s\n", sums.events, sums.lost, sums.bytes,
	       status == NT_END ? "whole" : "cut off");
	return status < 0;
}
