// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a sample's address to the name of its method among many symbols of generated code: the tables of src/symbol alone, without what the model counts.
 *
 *   bench_symbols SYMBOLS
 *
 * Prints one JSON object: ns_per_sample, of samples that are distributed as in programs, each looked up by itself and the first ones included, as many as
 * there are symbols; ns_at_random, of samples that are hardly ever in a method that was seen before; named, how many of a hundred have a name; and
 * bytes_per_symbol, what is kept of a symbol whose name is still in the map file, and late_bytes_per_symbol, of one that came later, besides its name.
 */
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "symbol/resolver.h"

enum { MAP = 1, SIZE = 0x1a0, SPACING = 0x200, LINE_BYTES = 100, CHUNK = 1000 };
enum { HOT = 1000, LEAST = HOT, ASKED = 1024, INTERVAL = 2000 /* samples */ };
#define FIRST UINT64_C(0x100000000000)

struct bench {
	struct nt_names names;
	struct nt_resolver *resolver;
	size_t count;
};

static uint64_t cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NT_NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Memory of this program that was written to. */
static double used_bytes(void)
{
	unsigned long long kb = 0;
	char line[256];
	malloc_trim(0);
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof(line), status) && sscanf(line, "RssAnon: %llu kB", &kb) != 1)
		;
	if (status)
		fclose(status);
	return (double)kb * 1024;
}

static void begin(struct bench *bench, size_t count)
{
	*bench = (struct bench){ .names = { .heap = nt_heap_new(), .texts = nt_texts_new(0) }, .count = count };
	bench->resolver = nt_resolver_new(&bench->names);
	nt_resolver_set_source(bench->resolver, true, &(struct nt_map_fault){ 0 }, 1);
}

static void end(struct bench *bench)
{
	nt_resolver_free(bench->resolver);
	nt_heap_free(bench->names.heap);
	nt_texts_free(bench->names.texts);
}

static uint64_t address_of(size_t symbol)
{
	return FIRST + symbol * SPACING;
}

/* The map that is there at the start: where its lines are. */
static void add_places(struct bench *bench)
{
	const struct nt_ev_code code = { .kind = NT_CODE_JIT, .map = MAP };
	for (size_t i = 0; i < bench->count; i += CHUNK) {
		struct nt_batch_place places[CHUNK];
		size_t n = bench->count - i < CHUNK ? bench->count - i : CHUNK;
		for (size_t k = 0; k < n; k++)
			places[k] = (struct nt_batch_place){ .start = address_of(i + k),
							     .size = SIZE,
							     .offset = (uint32_t)((i + k + 1) * LINE_BYTES) };
		nt_resolver_add_places(bench->resolver, &code, places, n);
	}
	nt_resolver_settle(bench->resolver, 1);
}

static size_t write_line(size_t symbol, char text[128])
{
	return (size_t)snprintf(text, 128, "instance void [Bench.Ns%03zu] Bench.Module%04zu::Method%06zu(int32)[OptimizedTier1]",
				symbol % 200, symbol / 100, symbol);
}

/* Lines that are appended to the map while it is watched. Returns the bytes of their texts. */
static size_t add_lines(struct bench *bench)
{
	char text[128];
	size_t bytes = 0;
	for (size_t i = 0; i < bench->count; i++) {
		size_t length = write_line(i, text);
		const struct nt_batch_line line = { .start = address_of(i), .size = SIZE, .kind = NT_CODE_JIT };
		nt_resolver_add_code(bench->resolver, &line, nt_heap_add(bench->names.heap, text, length), 1);
		bytes += length;
	}
	nt_resolver_settle(bench->resolver, 1);
	return bytes;
}

/* What the code map source answers when it is asked for the line of a symbol. */
static void answer(struct bench *bench)
{
	size_t count;
	struct nt_question *questions = nt_resolver_ask(bench->resolver, 1, 1, ASKED, &count);
	nt_text_ref image = nt_heap_add(bench->names.heap, NT_MAP_IMAGE, strlen(NT_MAP_IMAGE));
	for (size_t i = 0; i < count; i++) {
		char text[128];
		size_t length = write_line((size_t)(questions[i].offset / LINE_BYTES - 1), text);
		const struct nt_ev_name name = {
			.inode = MAP, .start = questions[i].offset, .end = questions[i].offset + 1, .kind = NT_CODE_JIT
		};
		nt_resolver_add_name(bench->resolver, &name, image, nt_heap_add(bench->names.heap, text, length), 0);
	}
	free(questions);
	nt_resolver_settle(bench->resolver, 1);
}

/* Addresses in hot methods, which lie anywhere: that the k-th hottest is hit 1/k as often as the first is what profiles look like. */
static uint64_t hot_address(const struct bench *bench, uint64_t random)
{
	size_t k = (size_t)pow(HOT, (double)(random % 65536) / 65536);
	return address_of(k * (bench->count / HOT) - 1) + random / 65536 % SIZE;
}

static uint64_t any_address(const struct bench *bench, uint64_t random)
{
	return address_of(random % bench->count) + random / bench->count % SIZE;
}

struct looked_up {
	double ns, named_pct;
};

static struct looked_up look_up(struct bench *bench, uint64_t (*choose)(const struct bench *, uint64_t))
{
	uint64_t *addresses = malloc(bench->count * sizeof(*addresses)), random = 1;
	size_t named = 0;
	for (size_t i = 0; addresses && i < bench->count; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407; /* Knuth's MMIX */
		addresses[i] = choose(bench, random >> 20);
	}
	uint64_t took = 0;
	for (size_t i = 0; addresses && i < bench->count; i += INTERVAL) {
		uint64_t start = cpu_ns();
		for (size_t k = i; k < i + INTERVAL && k < bench->count; k++) {
			struct nt_resolved found = nt_resolver_resolve(bench->resolver, addresses[k], false, 1, 1);
			named += !nt_resolver_key(bench->resolver, found.key)->reason;
		}
		took += cpu_ns() - start;
		if (choose == hot_address)
			answer(bench);
	}
	double ns = (double)took / (double)bench->count;
	free(addresses);
	return (struct looked_up){ .ns = ns, .named_pct = 100 * (double)named / (double)bench->count };
}

int main(int argc, char **argv)
{
	size_t count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	if (count < LEAST) {
		fprintf(stderr, "usage: bench_symbols SYMBOLS     (at least %d)\n", LEAST);
		return 2;
	}
	struct bench bench;
	begin(&bench, count);
	double before = used_bytes();
	add_places(&bench);
	double kept = (used_bytes() - before) / (double)count;
	struct looked_up hot = look_up(&bench, hot_address), any = look_up(&bench, any_address);
	end(&bench);

	begin(&bench, count);
	before = used_bytes();
	size_t texts = add_lines(&bench);
	double late = (used_bytes() - before - (double)texts) / (double)count;
	end(&bench);
	printf("{\"ns_per_sample\": %.1f, \"named\": %.2f, \"ns_at_random\": %.1f, \"bytes_per_symbol\": %.2f, \"late_bytes_per_symbol\": "
	       "%.2f}\n",
	       hot.ns, hot.named_pct, any.ns, kept, late);
	return 0;
}
