// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that go on compiling: code whose memory was used again is forgotten with all that was said of it, and what is left is bounded. A snapshot that
 * somebody keeps loses nothing.
 */
#include "sampled_world.h"

#include <malloc.h>

/* Methods live at so many places, each of them for some seconds. */
enum { PLACES = 4096, PER_INTERVAL = 1000, PLACE_BYTES = 0x80, SAMPLED_EACH = 4 };
enum { CYCLES = 1000000, WARM_UP = 60, SETTLED = 250, KEPT = 100, MOST_BYTES = 24 << 20 };

static size_t heap_bytes(void)
{
	struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd; /* 0 under a sanitizer */
}

static uint64_t place_of(uint32_t number)
{
	return 0x100000 + (uint64_t)(number % PLACES) * PLACE_BYTES;
}

/* As it is shown; the runtime writes it with its class. */
static void name_of(uint32_t number, char out[64])
{
	snprintf(out, 64, "compiled_%u()", number);
}

/* What the runtime and the perf map say of one, and a sample of some. */
static void compile(struct world *w, struct feed *runtime, uint32_t number, double at)
{
	char name[64], line[128];
	name_of(number, name);
	snprintf(line, sizeof(line), "dynamicClass.%s", name);
	if (number >= PLACES) {
		struct nt_ev_method *unload = &event(runtime, NT_EV_METHOD_UNLOAD, at, 1)->u.method;
		*unload = (struct nt_ev_method){ .method_id = number - PLACES, .start = place_of(number), .size = PLACE_BYTES };
	}
	nt_str id = text(runtime, name);
	jit_start(runtime, at, 1, number, 50);
	struct nt_ev_method *load = method_load(runtime, at + 0.1, 1, number, NT_TIER_1);
	load->name = id;
	load->start = place_of(number);
	load->size = PLACE_BYTES - 16;
	load->flags |= 1;
	code_line(&w->codemap, at + 0.1, place_of(number), PLACE_BYTES - 16, line, NT_TIER_1);
	if (number % SAMPLED_EACH == 0)
		sample_at(&w->perf, at + 0.3, 1, place_of(number) + 8);
}

static struct nt_snapshot *interval(struct world *w, struct feed *runtime, uint32_t number)
{
	for (uint32_t i = 0; i < PER_INTERVAL; i++)
		compile(w, runtime, number * PER_INTERVAL + i, 1000.0 * number + (double)i * 0.9);
	feed_send(runtime);
	event(&w->codemap, NT_EV_IDLE, 1000.0 * (number + 1), 0);
	return close_all(w, 1000.0 * (number + 1));
}

static void check_kept(const struct nt_snapshot *kept)
{
	char name[64];
	name_of((KEPT - 1) * PER_INTERVAL, name);
	const struct nt_method_row *row = row_named(kept, name);
	assert_non_null(row);
	assert_int_equal(row->self_samples_all, 1);
}

static void test_endless_compilations(void **state_)
{
	(void)state_;
	struct world w = { .model = new_model_with(0) };
	struct feed runtime;
	feed_init(&w.perf, w.model, NT_SOURCE_PERF);
	feed_init(&w.codemap, w.model, NT_SOURCE_CODEMAP);
	feed_init(&runtime, w.model, NT_SOURCE_EVENTPIPE);
	delivering(&w.perf);
	delivering(&w.codemap);
	delivering(&runtime);
	map_image(&w.perf, 0, 0x100000, (uint64_t)PLACES * PLACE_BYTES, "/memfd:doublemapper", NT_MAP_JIT);
	struct nt_snapshot *kept = NULL;
	size_t early = 0, late = 0;
	uint64_t newest_id = 0;
	for (uint32_t i = 0; i < CYCLES / PER_INTERVAL; i++) {
		struct nt_snapshot *s = interval(&w, &runtime, i);
		size_t bytes = heap_bytes();
		size_t *most = i < SETTLED ? &early : &late;
		if (i >= WARM_UP && bytes > *most)
			*most = bytes;
		char name[64];
		name_of(i * PER_INTERVAL, name);
		const struct nt_method_row *row = row_named(s, name);
		assert_non_null(row);
		assert_true(row->id > newest_id); /* no id comes again, whatever was forgotten */
		newest_id = row->id;
		if (i + 1 == KEPT)
			kept = nt_snapshot_retain(s);
		nt_snapshot_release(s);
	}
	check_kept(kept);
	nt_snapshot_release(kept);
	struct nt_snapshot *last = nt_model_close(w.model, ms(CYCLES), true);
	const struct nt_process_snapshot *process = &last->processes[0];
	assert_known(process->total.cpu.samples, CYCLES / SAMPLED_EACH);
	assert_int_equal(process->samples_all, CYCLES / SAMPLED_EACH);
	uint64_t samples = 0;
	for (size_t i = 0; i < process->method_count; i++)
		samples += process->methods[i].self_samples_all;
	assert_int_equal(samples, CYCLES / SAMPLED_EACH); /* none is lost with the rows */
	nt_snapshot_release(last);
	feed_fini(&runtime);
	end(&w);
	if (getenv("NT_SOAK_INTERVALS"))
		printf("at most %zu kB in intervals %d to %d, %zu kB later\n", early >> 10, WARM_UP, SETTLED, late >> 10);
	assert_true(late <= early + early / 10);
	assert_true(early <= MOST_BYTES);
}

/* ---- lines that stay in the map file ---- */

enum { MAP = 3, FIRST_OFFSET = 8 << 20, LINE_BYTES = 64, LINE_INTERVALS = 400, LINES_EACH = 250 };

/* Answer what is asked for. Returns how many questions there were. */
static size_t answer_lines(struct world *w, const struct nt_snapshot *s, double at)
{
	const struct nt_process_snapshot *process = &s->processes[0];
	nt_str image = text(&w->codemap, NT_MAP_IMAGE);
	for (size_t i = 0; i < process->question_count; i++) {
		uint64_t offset = process->questions[i].offset;
		char line[128];
		snprintf(line, sizeof(line), "void [Shop] dynamicClass::read_%llu()[OptimizedTier1]",
			 (unsigned long long)(offset - FIRST_OFFSET) / LINE_BYTES);
		nt_str name = text(&w->codemap, line);
		event(&w->codemap, NT_EV_NAME, at, 0)->u.name = (struct nt_ev_name){
			.inode = MAP, .start = offset, .end = offset + 1, .image = image, .name = name, .kind = NT_CODE_JIT
		};
	}
	feed_send(&w->codemap);
	return process->question_count;
}

static void test_texts_of_lines_read_again(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	map_image(&w.perf, 0, 0x100000, (uint64_t)PLACES * PLACE_BYTES, "/memfd:doublemapper", NT_MAP_JIT);
	size_t early = 0, late = 0, asked = 0;
	for (uint32_t i = 0; i < LINE_INTERVALS; i++) {
		event(&w.codemap, NT_EV_CODE, 1000.0 * i, 0)->u.code =
			(struct nt_ev_code){ .from = ms(1000.0 * i), .map = MAP, .kind = NT_CODE_JIT };
		for (uint32_t k = 0; k < LINES_EACH; k++) {
			uint32_t number = i * LINES_EACH + k;
			const struct nt_batch_place place = { .start = place_of(number),
							      .size = PLACE_BYTES - 16,
							      .offset = FIRST_OFFSET + number * LINE_BYTES };
			nt_batch_add_places(w.codemap.batch, &place, 1);
			sample_at(&w.perf, 1000.0 * i + k + 1, 1, place.start + 8);
		}
		event(&w.codemap, NT_EV_IDLE, 1000.0 * (i + 1), 0);
		struct nt_snapshot *s = close_all(&w, 1000.0 * (i + 1));
		asked += answer_lines(&w, s, 1000.0 * (i + 1));
		nt_snapshot_release(s);
		size_t bytes = heap_bytes(), *most = i < LINE_INTERVALS / 2 ? &early : &late;
		*most = bytes > *most ? bytes : *most;
	}
	struct nt_snapshot *last = nt_model_close(w.model, ms(1000.0 * LINE_INTERVALS), true);
	assert_non_null(row_named(last, "read_99999()"));
	assert_int_equal(asked, LINE_INTERVALS * LINES_EACH); /* each once: no text was forgotten that was needed */
	nt_snapshot_release(last);
	end(&w);
	if (getenv("NT_SOAK_INTERVALS"))
		printf("lines of the file: at most %zu kB, %zu kB later\n", early >> 10, late >> 10);
	assert_true(late <= early + early / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_endless_compilations),
		cmocka_unit_test(test_texts_of_lines_read_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
