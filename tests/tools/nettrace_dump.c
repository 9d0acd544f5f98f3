// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the decoder reads in a nettrace file, one line per event: `TIME_NS THREAD PROVIDER ID VERSION LEVEL PAYLOAD_BYTES STACK_DEPTH NAME`, then the sums.
 *
 * usage: nettrace_dump FILE            the lines
 *        nettrace_dump --methods FILE  the methods of the rundown, one line each: `ADDRESS SIZE TOKEN FLAGS TYPE<tab>METHOD<tab>SIGNATURE`
 *        nettrace_dump --il FILE       which IL their code was made of: `ADDRESS SIZE FLAGS`, then NATIVE:IL offsets
 *        nettrace_dump --stacks FILE   of each event with a call stack: `THREAD PROVIDER ID ADDRESS...`, leaf first
 *        nettrace_dump --speed N FILE  decode it N times into neutral events, as the EventPipe source does; prints how many events the file has and the
 *                                      least CPU time, ns, of one time
 */
#include "decode/clr/il_map.h"
#include "decode/common/reader.h"
#include "source/eventpipe/eventpipe_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	PIECE = 64 * 1024,
	LOOK = 1 << 20, /* bytes that the source reads before it hands over what it has */
};

struct sums {
	unsigned long long events, lost, bytes;
	struct nt_nettrace_sink source;
	uint8_t *il_map; /* owned: the last one */
	size_t il_map_bytes;
};

enum { METHOD_DC_END_VERBOSE = 144, IL_MAP_DC_END = 150 };

static bool is_of_rundown(const struct nt_nettrace_event *event, unsigned id)
{
	return event->meta->id == id && strcmp(event->meta->provider, "Microsoft-Windows-DotNETRuntimeRundown") == 0;
}

static void on_speed(void *context, const struct nt_nettrace_event *event)
{
	struct sums *sums = context;
	sums->events++;
	sums->source.event(sums->source.context, event);
}

static void on_event(void *context, const struct nt_nettrace_event *event)
{
	struct sums *sums = context;
	sums->events++;
	sums->bytes += event->payload_length;
	printf("%llu %llu %s %u %u %u %u %u %s\n", (unsigned long long)event->time, (unsigned long long)event->thread,
	       event->meta->provider, event->meta->id, event->meta->version, event->meta->level, event->payload_length,
	       event->stack ? event->stack->count : 0, event->meta->name);
}

static void print_text(struct nt_reader *reader, char end)
{
	char text[1 << 14];
	size_t units;
	const uint8_t *bytes = nt_reader_utf16(reader, &units);
	nt_utf16_to_utf8(bytes, units, text, sizeof(text));
	printf("%s%c", text, end);
}

/* MethodDCEndVerbose: what the runtime itself says of its methods. */
static void on_method(void *context, const struct nt_nettrace_event *event)
{
	struct sums *sums = context;
	if (!is_of_rundown(event, METHOD_DC_END_VERBOSE))
		return;
	sums->events++;
	struct nt_reader reader = nt_reader_of(event->payload, event->payload_length);
	nt_reader_u64(&reader); /* method */
	nt_reader_u64(&reader); /* module */
	printf("%llx ", (unsigned long long)nt_reader_u64(&reader));
	for (unsigned i = 0; i < 3; i++) /* size, token, flags */
		printf("%x ", nt_reader_u32(&reader));
	print_text(&reader, '\t');
	print_text(&reader, '\t');
	print_text(&reader, '\n');
}

static void print_offsets(const struct nt_il_map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		uint32_t il, native;
		memcpy(&il, map->il_offsets + i * sizeof(il), sizeof(il));
		memcpy(&native, map->native_offsets + i * sizeof(native), sizeof(native));
		printf(" %x:%x", native, il);
	}
	putchar('\n');
}

/* The map comes before the code that it is of. */
static void on_il(void *context, const struct nt_nettrace_event *event)
{
	struct sums *sums = context;
	struct nt_il_map map;
	if (is_of_rundown(event, IL_MAP_DC_END)) {
		sums->il_map = realloc(sums->il_map, event->payload_length);
		memcpy(sums->il_map, event->payload, sums->il_map_bytes = event->payload_length);
	}
	if (!is_of_rundown(event, METHOD_DC_END_VERBOSE))
		return;
	struct nt_reader reader = nt_reader_of(event->payload, event->payload_length);
	uint64_t method = nt_reader_u64(&reader);
	if (nt_il_map_parse(sums->il_map, sums->il_map_bytes, &map) == NT_OK && map.method_id == method) {
		sums->events++;
		nt_reader_u64(&reader); /* module */
		printf("%llx ", (unsigned long long)nt_reader_u64(&reader));
		printf("%x ", nt_reader_u32(&reader)); /* size */
		nt_reader_u32(&reader);                /* token */
		printf("%x", nt_reader_u32(&reader));
		print_offsets(&map);
	}
	sums->il_map_bytes = 0;
}

static void on_stack(void *context, const struct nt_nettrace_event *event)
{
	struct sums *sums = context;
	if (!event->stack || !event->stack->count)
		return;
	sums->events++;
	printf("%llu %s %u", (unsigned long long)event->thread, event->meta->provider, event->meta->id);
	for (uint32_t i = 0; i < event->stack->count; i++) {
		uint64_t address;
		memcpy(&address, event->stack->addresses + i * sizeof(address), sizeof(address));
		printf(" %llx", (unsigned long long)address);
	}
	putchar('\n');
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

/* `box`: emptied after each look; NULL = none is filled. */
static enum nt_status decode(const uint8_t *bytes, size_t length, event_sink *on_each, struct sums *sums, struct nt_outbox *box)
{
	struct nt_nettrace_sink sink = { .context = sums, .event = on_each, .lost = on_lost };
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	struct nt_error err = { 0 };
	enum nt_status status = NT_OK;
	for (size_t at = 0; at < length && status == NT_OK; at += PIECE) {
		status = nt_nettrace_feed(trace, bytes + at, length - at < PIECE ? length - at : PIECE, &err);
		if (box && box->filling && at % LOOK == 0)
			nt_outbox_give_back(box, nt_outbox_take(box));
	}
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
	struct nt_batch *used = NULL; /* memory that the source has from its first second on */
	while (rounds-- > 0) {
		struct nt_outbox box;
		nt_outbox_init(&box, NT_SOURCE_EVENTPIPE);
		box.spare = used;
		struct nt_eventpipe_events events = { .box = &box, .tids = nt_inner_tids_new("/proc/self", true), .pid = 1 };
		sums = (struct sums){ .source = nt_eventpipe_events_sink(&events, false) };
		uint64_t start = cpu_ns();
		if (decode(bytes, length, on_speed, &sums, &box) < 0)
			return 1;
		uint64_t took = cpu_ns() - start;
		least = took < least ? took : least;
		nt_inner_tids_free(events.tids);
		if (box.filling)
			nt_outbox_give_back(&box, nt_outbox_take(&box));
		used = box.spare;
		box.spare = NULL;
		nt_outbox_fini(&box);
	}
	nt_batch_free(used);
	printf("%llu events %llu ns\n", sums.events, (unsigned long long)least);
	return 0;
}

int main(int argc, char **argv)
{
	size_t length;
	if (argc == 4 && strcmp(argv[1], "--speed") == 0) {
		uint8_t *file = read_file(argv[3], &length);
		int exit_status = speed(file, length, atoi(argv[2]));
		free(file);
		return exit_status;
	}
	bool methods = argc == 3 && strcmp(argv[1], "--methods") == 0;
	bool stacks = argc == 3 && strcmp(argv[1], "--stacks") == 0;
	bool il = argc == 3 && strcmp(argv[1], "--il") == 0;
	if (argc != 2 && !methods && !stacks && !il) {
		fprintf(stderr, "usage: nettrace_dump [--methods | --il | --stacks | --speed N] FILE\n");
		return 2;
	}
	struct sums sums = { 0 };
	uint8_t *file = read_file(argv[argc - 1], &length);
	enum nt_status status = decode(file, length, methods ? on_method : il ? on_il : stacks ? on_stack : on_event, &sums, NULL);
	free(file);
	free(sums.il_map);
	printf("%llu events, %llu lost, %llu bytes of payload, %s\n", sums.events, sums.lost, sums.bytes,
	       status == NT_END ? "whole" : "cut off");
	return status < 0;
}
