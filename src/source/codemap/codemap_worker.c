// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_worker.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "source/codemap/codemap_code.h"
#include "source/codemap/codemap_maps.h"
#include "source/codemap/codemap_names.h"
#include "source/codemap/codemap_out.h"
#include "source/codemap/codemap_perfmap.h"
#include "source/codemap/codemap_source_lines.h"
#include "source/codemap/codemap_stubs.h"
#include "source/codemap/codemap_switch.h"
#include "source/codemap/codemap_tail.h"
#include "source/common/hand.h"
#include "source/decoder/decoder.h"
#include "source/decoder/decoder_process.h"
#include "target/process/target.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Questions answered before the map is looked at again: it is more urgent, because intervals wait for it. */
enum { ANSWERS_PER_TURN = NT_CODEMAP_PIECES_MAX };

/* Batches in flight; each is small (codemap_out.c). */
enum { CHANNEL_BATCHES = 4 };

struct nt_codemap_worker {
	struct nt_files_target target;
	const struct nt_source_config *config; /* borrowed */
	struct nt_channel *channel;
	struct nt_codemap_inbox *inbox;
	struct nt_codemap_out out; /* the thread's */
	struct nt_hand *hand;
	struct nt_decoder *decoder, *code_decoder;
	pthread_t thread;
	_Atomic uint64_t cpu_ns;
	atomic_bool ended;
};

static void note_cpu(struct nt_codemap_worker *worker)
{
	atomic_store_explicit(&worker->cpu_ns, nt_clock_thread_cpu(), memory_order_relaxed);
}

/* True: there may be more questions. Those of a kind are answered together: each visit to a file wakes a thread, those for images a process. */
static bool answer_some(struct nt_codemap_worker *worker, struct nt_codemap_names *names, struct nt_codemap_maps *maps,
			struct nt_codemap_perfmap *perfmap)
{
	struct nt_image_question lines[ANSWERS_PER_TURN], stubs[ANSWERS_PER_TURN], named[ANSWERS_PER_TURN];
	unsigned count = 0, line_count = 0, stub_count = 0, named_count = 0;
	for (struct nt_image_question question; count < ANSWERS_PER_TURN && nt_codemap_inbox_take(worker->inbox, &question); count++) {
		if (strcmp(question.image, NT_MAP_IMAGE) == 0)
			lines[line_count++] = question;
		else if (strcmp(question.image, NT_STUB_IMAGE) == 0)
			stubs[stub_count++] = question;
		else if (strcmp(question.image, NT_CODE_IMAGE) == 0)
			nt_codemap_code_answer(&worker->target, worker->hand, worker->code_decoder, perfmap, &question, &worker->out);
		else if (strcmp(question.image, NT_LINES_IMAGE) == 0)
			nt_codemap_source_lines_answer(&worker->target, worker->hand, worker->decoder, &question, &worker->out);
		else if (strcmp(question.image, NT_MAPPINGS_IMAGE) == 0)
			nt_codemap_maps_want(maps, question.offset);
		else if (!nt_question_is_for_runtime(question.image)) {
			named[named_count++] = question; /* its text, too: until all are answered */
			continue;
		}
		nt_image_question_fini(&question);
	}
	nt_codemap_names_answer(names, named, named_count, &worker->out);
	while (named_count)
		nt_image_question_fini(&named[--named_count]);
	nt_codemap_perfmap_answer(perfmap, lines, line_count);
	nt_codemap_stubs_answer(&worker->target, worker->hand, worker->decoder, stubs, stub_count, &worker->out);
	nt_codemap_out_flush(&worker->out);
	return count == ANSWERS_PER_TURN;
}

static nt_time earliest(nt_time a, nt_time b)
{
	return a < b ? a : b;
}

static void *work(void *argument)
{
	struct nt_codemap_worker *worker = argument;
	struct nt_codemap_switch *map_switch = nt_codemap_switch_new(&worker->target, worker->config, worker->hand);
	struct nt_codemap_perfmap *perfmap = nt_codemap_perfmap_new(&worker->target, map_switch, worker->hand, &worker->out);
	struct nt_codemap_maps *maps = nt_codemap_maps_new(&worker->target, worker->hand);
	struct nt_codemap_names *names = nt_codemap_names_new(&worker->target, worker->decoder);
	/* Mappings first: they are few, and without them no address means anything. */
	nt_codemap_maps_poll(maps, &worker->out);
	nt_time next_perfmap = 0, next_switch = 0;
	nt_codemap_out_flush(&worker->out);
	while (!nt_codemap_inbox_stopped(worker->inbox)) {
		nt_time now = nt_clock_now();
		if (nt_codemap_switch_need(map_switch, nt_codemap_inbox_needs(worker->inbox)))
			next_switch = now;
		if (now >= next_switch) {
			next_switch = nt_codemap_switch_try(map_switch);
			next_perfmap = next_perfmap == NT_TIME_UNKNOWN ? next_perfmap : now;
		}
		if (now >= next_perfmap)
			next_perfmap = nt_codemap_perfmap_poll(perfmap);
		if (now >= nt_codemap_maps_due(maps))
			nt_codemap_maps_poll(maps, &worker->out);
		if (now >= nt_codemap_names_due(names))
			nt_codemap_names_again(names, &worker->out);
		bool more = answer_some(worker, names, maps, perfmap);
		note_cpu(worker);
		if (!more)
			nt_codemap_inbox_wait(worker->inbox,
					      earliest(nt_codemap_names_due(names),
						       earliest(next_switch, earliest(next_perfmap, nt_codemap_maps_due(maps)))));
	}
	/* Told to stop: what is written and asked until now belongs to the end. */
	if (next_perfmap != NT_TIME_UNKNOWN)
		nt_codemap_perfmap_poll(perfmap);
	while (answer_some(worker, names, maps, perfmap))
		;
	if (nt_codemap_maps_are_wanted(maps))
		nt_codemap_maps_poll(maps, &worker->out);
	nt_codemap_switch_end(map_switch);
	nt_codemap_perfmap_end(perfmap);
	nt_codemap_names_free(names);
	nt_codemap_maps_free(maps);
	nt_codemap_perfmap_free(perfmap);
	nt_codemap_switch_free(map_switch);
	nt_codemap_out_flush(&worker->out);
	note_cpu(worker);
	atomic_store(&worker->ended, true);
	return NULL;
}

/* Its thread does not run. */
static void dispose(struct nt_codemap_worker *worker)
{
	nt_codemap_out_fini(&worker->out);
	nt_decoder_free(worker->decoder);
	nt_decoder_free(worker->code_decoder);
	nt_files_target_fini(&worker->target);
	nt_hand_free(worker->hand);
	nt_codemap_inbox_free(worker->inbox);
	nt_channel_free(worker->channel);
	free(worker);
}

enum nt_status nt_codemap_worker_new(const struct nt_target *target, const struct nt_source_config *config, struct nt_codemap_worker **out,
				     struct nt_error *err)
{
	struct nt_channel *channel = nt_channel_new(NT_SOURCE_CODEMAP, CHANNEL_BATCHES);
	if (!channel)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "no descriptor for the code map");
	struct nt_codemap_worker *worker = nt_alloc(sizeof(*worker));
	worker->config = config;
	worker->channel = channel;
	worker->inbox = nt_codemap_inbox_new();
	worker->hand = nt_hand_new();
	nt_files_target_init(&worker->target, target, config);
	worker->decoder = nt_decoder_new(&worker->target, worker->hand, NT_DECODER_WORD);
	worker->code_decoder = nt_decoder_new(&worker->target, worker->hand, NT_DECODER_CODE_WORD);
	nt_codemap_out_init(&worker->out, channel, worker->inbox, target->pid);
	int failed = nt_thread_start(&worker->thread, 0, work, worker);
	if (failed) {
		dispose(worker);
		return nt_error_errno(err, NT_ERR_FAILED, failed, "no thread for reading the perf map");
	}
	*out = worker;
	return NT_OK;
}

uint32_t nt_codemap_worker_pid(const struct nt_codemap_worker *worker)
{
	return worker->target.pid;
}

int nt_codemap_worker_fd(const struct nt_codemap_worker *worker)
{
	return nt_channel_fd(worker->channel);
}

size_t nt_codemap_worker_ask(struct nt_codemap_worker *worker, const struct nt_question *questions, size_t count)
{
	return nt_codemap_inbox_ask(worker->inbox, worker->target.pid, questions, count);
}

void nt_codemap_worker_need(struct nt_codemap_worker *worker, bool perf_map)
{
	nt_codemap_inbox_need(worker->inbox, perf_map);
}

struct nt_batch *nt_codemap_worker_take(struct nt_codemap_worker *worker)
{
	return nt_channel_take_full(worker->channel);
}

void nt_codemap_worker_give_back(struct nt_codemap_worker *worker, struct nt_batch *batch)
{
	nt_channel_give_back(worker->channel, batch);
	nt_codemap_inbox_poke(worker->inbox);
}

void nt_codemap_worker_stop(struct nt_codemap_worker *worker)
{
	nt_codemap_inbox_stop(worker->inbox);
}

uint64_t nt_codemap_worker_decoder_cpu_ns(const struct nt_codemap_worker *worker)
{
	return nt_decoder_cpu_ns(worker->decoder) + nt_decoder_cpu_ns(worker->code_decoder);
}

uint64_t nt_codemap_worker_decoder_bytes(const struct nt_codemap_worker *worker)
{
	return nt_decoder_bytes(worker->decoder) + nt_decoder_bytes(worker->code_decoder);
}

bool nt_codemap_worker_ended(const struct nt_codemap_worker *worker)
{
	return atomic_load(&worker->ended);
}

uint64_t nt_codemap_worker_cpu_ns(const struct nt_codemap_worker *worker)
{
	return atomic_load_explicit(&worker->cpu_ns, memory_order_relaxed) + nt_hand_cpu_ns(worker->hand);
}

void nt_codemap_worker_free(struct nt_codemap_worker *worker)
{
	if (!worker)
		return;
	nt_codemap_inbox_cancel(worker->inbox);
	nt_hand_cancel(worker->hand);
	nt_decoder_cancel(worker->decoder);
	nt_decoder_cancel(worker->code_decoder);
	pthread_join(worker->thread, NULL);
	dispose(worker);
}
