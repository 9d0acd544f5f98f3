// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a sample's address to the name of its method among many symbols of generated code: the tables of src/symbol alone, without what the model counts.
 *
 *   bench_symbols SYMBOLS < SAMPLES
 *
 * SAMPLES are those of a real program, in their order: lines `METHOD OFFSET`, two numbers. Its methods are spread over all symbols, and the samples taken again and
 * again until there are as many as symbols. Each is looked up by itself, the first ones included.
 *
 * Prints one JSON object: ns_per_sample, of these; ns_while_compiling, of the same when a method is compiled in every second, so that what was found lately is looked
 * up anew; ns_at_random, of samples that are hardly ever in a method that was seen before; bsearch_ns, of libc's bsearch() for the first, which takes turns with them: how fast the machine's
 * caches are changes within seconds; named, how many of a hundred of the first have a name; samples and methods,
 * how many were read; and, besides the name, bytes_per_symbol of a symbol whose name is still in the map file, late_bytes_per_symbol of one that came later, and
 * load_bytes_per_symbol of what METHOD_LOAD says of one.
 */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "symbol/resolver.h"

enum { MAP = 1, SIZE = 0x1a0, SPACING = 0x200, LINE_BYTES = 100, CHUNK = 1000 };
enum {
	SAMPLES_MAX = 1 << 17,
	LEAST = 1000,
	ASKED = 1024,
	INTERVAL = 2000 /* samples a second */,
	TURN = 25 * INTERVAL,
	LOOK = 500 /* lines */
};
#define FIRST UINT64_C(0x100000000000)
#define NEW   UINT64_C(0x200000000000)

/* What was sampled. */
struct samples {
	struct {
		uint32_t method, offset;
	} items[SAMPLES_MAX];
	size_t count, methods;
};

struct bench {
	struct nt_names names;
	struct nt_resolver *resolver;
	size_t count;
	uint64_t *starts; /* the peer's table; NULL = it takes no turns */
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
	*bench =
		(struct bench){ .names = { .heap = nt_heap_new(), .texts = nt_texts_new(&(struct nt_texts_config){ 0 }) }, .count = count };
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

static void add_line(struct bench *bench, size_t symbol, nt_text_ref text, nt_time now)
{
	const struct nt_batch_line line = { .start = address_of(symbol), .size = SIZE, .kind = NT_CODE_JIT };
	nt_resolver_add_code(bench->resolver, &line, text, now - now % NT_NS_PER_S);
}

static void add_load(struct bench *bench, size_t symbol, nt_text_ref text, nt_time now)
{
	const struct nt_ev_method method = { .start = address_of(symbol), .size = SIZE, .tier = NT_TIER_0 };
	nt_resolver_add_method(bench->resolver, &method, text, now);
}

/* Methods that are compiled while we watch, LOOK in every second. Returns the bytes of each that are kept besides its text. */
static double add_later(size_t count, void (*add)(struct bench *, size_t, nt_text_ref, nt_time))
{
	struct bench bench;
	char text[128];
	begin(&bench, count);
	double before = used_bytes();
	for (size_t i = 0; i < count; i++) {
		size_t length = write_line(i, text);
		nt_time now = NT_NS_PER_S + i * (NT_NS_PER_S / LOOK);
		add(&bench, i, nt_heap_add_packed(bench.names.heap, text, length), now);
		if (i % LOOK == LOOK - 1)
			nt_resolver_settle(bench.resolver, now);
	}
	double bytes = (used_bytes() - before - (double)nt_heap_bytes(bench.names.heap)) / (double)count;
	end(&bench);
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

static bool read_samples(struct samples *samples)
{
	while (samples->count < SAMPLES_MAX &&
	       scanf("%" SCNu32 " %" SCNu32, &samples->items[samples->count].method, &samples->items[samples->count].offset) == 2) {
		if (samples->items[samples->count].method >= samples->methods)
			samples->methods = samples->items[samples->count].method + (size_t)1;
		samples->count++;
	}
	return samples->count != 0;
}

/* Methods longer than ours are several. */
static uint64_t sampled_address(const struct bench *bench, const struct samples *samples, size_t index)
{
	size_t i = index % samples->count, method = samples->items[i].method, offset = samples->items[i].offset;
	size_t symbol = method * bench->count / samples->methods + offset / SIZE;
	return address_of(symbol % bench->count) + offset % SIZE;
}

static uint64_t any_address(const struct bench *bench, const struct samples *samples, size_t index)
{
	(void)samples;
	uint64_t random = (index + 1) * UINT64_C(6364136223846793005); /* Knuth's MMIX */
	random ^= random >> 32;
	return address_of(random % bench->count) + random / bench->count % SIZE;
}

/* ---- the peer: libc's bsearch() in an array of the same starts, of the same samples ---- */

static int compare(const void *key, const void *item)
{
	const uint64_t *address = key, *start = item;
	return *address < *start ? -1 : *address >= *start + SPACING;
}

static void invite_peer(struct bench *bench)
{
	bench->starts = nt_realloc(NULL, bench->count, sizeof(*bench->starts));
	for (size_t i = 0; i < bench->count; i++)
		bench->starts[i] = address_of(i);
}

/* The samples of a turn that ends before `end`: what it took, in ns. */
static uint64_t search(const struct bench *bench, const struct samples *samples, size_t end)
{
	uint64_t took = 0, addresses[INTERVAL];
	size_t found = 0, first = (end - 1) / TURN * TURN;
	for (size_t i = first; i < end; i += INTERVAL) {
		size_t count = end - i < INTERVAL ? end - i : INTERVAL;
		for (size_t k = 0; k < count; k++)
			addresses[k] = sampled_address(bench, samples, i + k);
		uint64_t start = cpu_ns();
		for (size_t k = 0; k < count; k++)
			found += bsearch(&addresses[k], bench->starts, bench->count, sizeof(*bench->starts), compare) != NULL;
		took += cpu_ns() - start;
	}
	nt_assert(found == end - first);
	return took;
}

/* ---- ours ---- */

struct looked_up {
	double ns, bsearch_ns, named_pct;
};

static struct looked_up look_up(struct bench *bench, const struct samples *samples,
				uint64_t (*choose)(const struct bench *, const struct samples *, size_t), bool compiling)
{
	size_t named = 0;
	uint64_t took = 0, searched = 0, addresses[INTERVAL];
	for (size_t i = 0; i < bench->count; i += INTERVAL) {
		size_t count = bench->count - i < INTERVAL ? bench->count - i : INTERVAL;
		for (size_t k = 0; k < count; k++)
			addresses[k] = choose(bench, samples, i + k);
		uint64_t start = cpu_ns();
		for (size_t k = 0; k < count; k++) {
			struct nt_resolved found = nt_resolver_resolve(bench->resolver, addresses[k], false, 1, 1);
			named += !nt_resolver_key(bench->resolver, found.key)->reason;
		}
		took += cpu_ns() - start;
		if (bench->starts && ((i + count) % TURN == 0 || i + count == bench->count))
			searched += search(bench, samples, i + count);
		if (compiling) {
			const struct nt_batch_line line = { .start = NEW + i * SPACING, .size = SIZE, .kind = NT_CODE_JIT };
			nt_resolver_add_code(bench->resolver, &line, nt_heap_add_packed(bench->names.heap, "void [A] B::C()", 15), 1);
		}
		if (choose == sampled_address)
			answer(bench);
	}
	return (struct looked_up){ .ns = (double)took / (double)bench->count,
				   .bsearch_ns = (double)searched / (double)bench->count,
				   .named_pct = 100 * (double)named / (double)bench->count };
}

int main(int argc, char **argv)
{
	static struct samples samples;
	size_t count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	if (count < LEAST || !read_samples(&samples)) {
		fprintf(stderr, "usage: bench_symbols SYMBOLS < SAMPLES     (at least %d)\n", LEAST);
		return 2;
	}
	struct bench bench;
	begin(&bench, count);
	double before = used_bytes();
	add_places(&bench);
	double kept = (used_bytes() - before) / (double)count;
	invite_peer(&bench);
	struct looked_up real = look_up(&bench, &samples, sampled_address, false);
	free(bench.starts);
	bench.starts = NULL;
	struct looked_up compiling = look_up(&bench, &samples, sampled_address, true);
	struct looked_up any = look_up(&bench, &samples, any_address, false);
	end(&bench);
	double late = add_later(count, add_line), load = add_later(count, add_load);
	printf("{\"ns_per_sample\": %.1f, \"ns_while_compiling\": %.1f, \"ns_at_random\": %.1f, \"bsearch_ns\": %.1f, \"named\": %.2f, "
	       "\"samples\": %zu, "
	       "\"methods\": %zu, "
	       "\"bytes_per_symbol\": %.2f, \"late_bytes_per_symbol\": %.2f, \"load_bytes_per_symbol\": %.2f}\n",
	       real.ns, compiling.ns, any.ns, real.bsearch_ns, real.named_pct, samples.count, samples.methods, kept, late, load);
	return 0;
}
