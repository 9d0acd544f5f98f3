// SPDX-License-Identifier: GPL-2.0-only
/* Collections of old are in memory once, however many snapshots have them. */
#include "build.h"
#include "dump.h"

#include "base/row_block.h"
#include "model/gc/gc.h"

enum { SNAPSHOTS = 100, AT_FIRST = 1990, PER_INTERVAL = 5, LIMIT = 2000 };

struct world {
	struct nt_model *model;
	struct feed lttng;
	unsigned number;
	double at_ms;
};

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model(), .at_ms = 1 };
	feed_init(&w->lttng, w->model, NT_SOURCE_LTTNG);
	delivering(&w->lttng);
}

static void end(struct world *w)
{
	feed_fini(&w->lttng);
	nt_model_free(w->model);
}

static void collect(struct world *w, unsigned count)
{
	for (unsigned i = 0; i < count; i++, w->at_ms += 0.1) {
		w->number++;
		suspend(&w->lttng, w->at_ms, 9, 1);
		gc_start(&w->lttng, w->at_ms + 0.01, 9, w->number, w->number % 3, 0);
		gc_end(&w->lttng, w->at_ms + 0.02, 9, w->number, w->number % 3);
		restart(&w->lttng, w->at_ms + 0.03, 9);
	}
	feed_send(&w->lttng);
}

static struct nt_snapshot *close_now(struct world *w)
{
	w->at_ms += 1000;
	return close_at(w->model, w->at_ms - 500);
}

/* Every row, newest first, with its number. */
static void assert_rows(const struct nt_snapshot *snapshot, unsigned newest, size_t count)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	assert_int_equal(process->collection_count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(process->collections[i]->id, newest - i);
		assert_int_equal(process->collections[i]->generation, (newest - i) % 3);
		assert_true(process->collections[i]->finished);
	}
}

static size_t shared_blocks(const struct nt_snapshot *a, const struct nt_snapshot *b)
{
	size_t count = 0;
	for (size_t i = 0; i < a->processes[0].collection_block_count; i++)
		for (size_t k = 0; k < b->processes[0].collection_block_count; k++)
			count += a->processes[0].collection_blocks[i] == b->processes[0].collection_blocks[k];
	return count;
}

static void blocks_are_shared(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	collect(&w, 10 * NT_GC_BLOCK_ROWS);
	struct nt_snapshot *a = close_now(&w);
	collect(&w, 3);
	struct nt_snapshot *b = close_now(&w);
	assert_rows(a, 640, 640);
	assert_rows(b, 643, 643);
	assert_int_equal(shared_blocks(a, b), 9); /* all but the newest rows, which have their stacks */
	assert_ptr_equal(a->processes[0].collections[639], b->processes[0].collections[642]);
	assert_ptr_not_equal(a->processes[0].collections[0], b->processes[0].collections[3]);
	nt_snapshot_release(a);
	assert_rows(b, 643, 643);
	end(&w);
	nt_snapshot_release(b); /* it outlives the model */
}

/* Something is told late of a collection long past: who has a snapshot of before sees what it saw. */
static void what_changes_is_not_shared(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	collect(&w, 4 * NT_GC_BLOCK_ROWS);
	struct nt_snapshot *a = close_now(&w);
	enum { NUMBER = 70, BACK = 4 * NT_GC_BLOCK_ROWS - NUMBER };
	assert_int_equal(a->processes[0].collections[BACK]->id, NUMBER);
	assert_unknown(a->processes[0].collections[BACK]->before_bytes);
	nt_time start = a->processes[0].collections[BACK]->start;
	struct nt_event *told = event(&w.lttng, NT_EV_GC_HEAP_HISTORY, 0, 9);
	told->time = start;
	told->beside = true;
	told->u.gc_heap_history = (struct nt_ev_gc_heap_history){ .before_gross_bytes = { 4096 }, .after_gross_bytes = 1024 };
	feed_send(&w.lttng);
	struct nt_snapshot *b = close_now(&w);
	assert_known(b->processes[0].collections[BACK]->before_bytes, 4096);
	assert_unknown(a->processes[0].collections[BACK]->before_bytes);
	assert_int_equal(shared_blocks(a, b), 2); /* of three */
	nt_snapshot_release(a);
	nt_snapshot_release(b);
	end(&w);
}

static void add_block(const struct nt_row_block **seen, size_t *count, const struct nt_row_block *block)
{
	for (size_t i = 0; i < *count; i++)
		if (seen[i] == block)
			return;
	seen[(*count)++] = block;
}

/* A hundred of them weigh little more than one: each has its newest rows, and pointers to the others. */
static void many_snapshots_can_be_kept(void **state_)
{
	(void)state_;
	static struct nt_snapshot *kept[SNAPSHOTS];
	static const struct nt_row_block *seen[SNAPSHOTS * 64];
	struct world w;
	size_t count = 0, bytes = 0;
	begin(&w);
	collect(&w, AT_FIRST);
	for (size_t i = 0; i < SNAPSHOTS; i++) {
		kept[i] = close_now(&w);
		const struct nt_process_snapshot *process = &kept[i]->processes[0];
		for (size_t b = 0; b < process->collection_block_count; b++)
			add_block(seen, &count, process->collection_blocks[b]);
		collect(&w, PER_INTERVAL);
	}
	for (size_t i = 0; i < count; i++)
		bytes += seen[i]->bytes;
	size_t of_all = LIMIT * sizeof(struct nt_gc_row);
	assert_in_range(bytes, of_all, of_all + SNAPSHOTS * 3 * NT_GC_BLOCK_ROWS * sizeof(struct nt_gc_row));
	assert_true(bytes < SNAPSHOTS / 8 * of_all); /* if each had all of them: SNAPSHOTS times that */
	for (size_t i = 0; i < SNAPSHOTS; i++) {
		unsigned newest = AT_FIRST + (unsigned)i * PER_INTERVAL;
		assert_rows(kept[i], newest, newest < LIMIT ? newest : LIMIT);
		nt_snapshot_release(kept[i]);
	}
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_shared),
		cmocka_unit_test(what_changes_is_not_shared),
		cmocka_unit_test(many_snapshots_can_be_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
