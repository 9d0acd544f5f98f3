// SPDX-License-Identifier: GPL-2.0-only
#include "translate/perf_data_tell.h"

#include "base/hash.h"
#include "decode/codemap/map_name.h"
#include "decode/unwind/frame_rule.h"
#include "source/perf/perf_events.h"
#include "source/perf/perf_queue.h"

#include <string.h>
#include <time.h>

enum {
	QUEUE_BYTES = 128 << 20, /* that wait for records of earlier times */
	BATCH_BYTES = 256 << 10,
	NO_CUT = NT_PERF_STACK_MAX, /* the file does not say how many frames the kernel took at most */
};

/* Registers of asm/perf_regs.h on x86-64. */
enum { X86_BP = 6, X86_SP = 7, X86_IP = 8 };

struct telling {
	struct nt_perf_data_file *file;
	const struct nt_perf_data_survey *survey;
	uint32_t pid;
	struct nt_translation *translation;
	struct nt_perf_data_told *told;
	struct nt_outbox perf, codemap;
	struct nt_perf_queue queue;
	struct nt_index images;      /* of which was said that they have no names */
	nt_time newest;              /* of the records so far */
	nt_time round;               /* of those up to the round before */
	nt_time at;                  /* what was told last */
	struct nt_code_names *names; /* owned; NULL = there are none */
	bool over;                   /* more seconds than there may be */
};

/* ---- what comes of a record ---- */

/* Names of native code are in files that are not part of this one. */
static void tell_image(struct telling *telling, const char *image, size_t length, uint64_t inode, enum nt_code_kind kind)
{
	uint64_t key = nt_hash_bytes(image, length) ^ inode;
	if (nt_index_get(&telling->images, key) != NT_INDEX_NONE)
		return;
	nt_index_put(&telling->images, key, 0);
	struct nt_outbox *box = &telling->codemap;
	struct nt_event *event = nt_outbox_add(box, NT_EV_NAME, telling->at, telling->pid, 0);
	event->u.name = (struct nt_ev_name){ .inode = inode,
					     .end = UINT64_MAX,
					     .image = nt_interner_str(box->interner, nt_outbox_batch(box), image, length),
					     .kind = kind,
					     .naming = NT_NAMING_NOT_IN_FILE };
}

static enum nt_code_kind kind_of_image(const char *image, size_t length)
{
	static const char assembly[] = ".dll", runtime[][16] = { "libcoreclr.so", "libclrjit.so" };
	if (length >= strlen(assembly) && memcmp(image + length - strlen(assembly), assembly, strlen(assembly)) == 0)
		return NT_CODE_R2R;
	for (size_t i = 0; i < sizeof(runtime) / sizeof(*runtime); i++)
		if (length >= strlen(runtime[i]) && memcmp(image + length - strlen(runtime[i]), runtime[i], strlen(runtime[i])) == 0)
			return NT_CODE_RUNTIME;
	return NT_CODE_NATIVE;
}

static void tell_map(struct telling *telling, const struct nt_perf_record *record)
{
	struct nt_map_name name = nt_map_name_read(record->map.name, record->map.name_length);
	nt_perf_add_map(&telling->perf, telling->pid, record);
	if (record->map.exec && name.image_length && !(name.flags & NT_MAP_JIT))
		tell_image(telling, name.image, name.image_length, record->map.inode, kind_of_image(name.image, name.image_length));
}

/* The chain as if the kernel had followed the frame pointers in the copy of the stack. It has room for a chain of the greatest length. */
static void walk_copy(struct telling *telling, const struct nt_perf_form *form, struct nt_perf_record *record, uint64_t chain[])
{
	static const struct nt_frame_rule by_frame_pointer = { .way = NT_FRAME_POINTER };
	const uint64_t user = (uint64_t)PERF_CONTEXT_USER;
	struct nt_frame_regs regs = { .known = 1 << NT_REG_BP | 1 << NT_REG_SP | 1 << NT_REG_PC };
	uint32_t count = record->sample.chain_count < NT_PERF_STACK_MAX / 2 ? record->sample.chain_count : NT_PERF_STACK_MAX / 2;
	if (!nt_perf_user_reg(form, record, X86_BP, &regs.value[NT_REG_BP]) ||
	    !nt_perf_user_reg(form, record, X86_SP, &regs.value[NT_REG_SP]) ||
	    !nt_perf_user_reg(form, record, X86_IP, &regs.value[NT_REG_PC]))
		return;
	const struct nt_stack_dump dump = { record->sample.stack, record->sample.stack_bytes, regs.value[NT_REG_SP] };
	if (count)
		memcpy(chain, record->sample.chain, count * sizeof(*chain));
	if (count && chain[count - 1] == user)
		count--;
	chain[count++] = user;
	do
		chain[count++] = regs.value[NT_REG_PC];
	while (count < NT_PERF_STACK_MAX && nt_frame_step(&by_frame_pointer, &dump, &regs) == NT_STEP_DONE && regs.value[NT_REG_PC]);
	record->sample.chain = (const uint8_t *)chain;
	record->sample.chain_count = count;
	telling->told->walked++;
}

static void tell_sample(struct telling *telling, const struct nt_perf_data_event *event, struct nt_perf_record *record)
{
	uint64_t weight_ns = nt_perf_data_event_weight_ns(event, record->sample.period), chain[NT_PERF_STACK_MAX];
	if (!weight_ns)
		return;
	if (event->user_chain_left_out)
		walk_copy(telling, &event->form, record, chain);
	nt_perf_add_sample(&telling->perf, telling->pid, record, weight_ns, 1, NO_CUT);
}

static void tell(struct telling *telling, struct nt_perf_record *record, const struct nt_perf_data_event *event)
{
	switch (record->kind) {
	case NT_PERF_SAMPLE:
		tell_sample(telling, event, record);
		break;
	case NT_PERF_SWITCH:
		nt_perf_add_switch(&telling->perf, telling->pid, record);
		break;
	case NT_PERF_MAP:
		tell_map(telling, record);
		break;
	case NT_PERF_FORK:
	case NT_PERF_EXIT:
	case NT_PERF_COMM:
		nt_perf_add_thread(&telling->perf, telling->pid, record);
		break;
	case NT_PERF_LOST: /* whose they were nobody knows */
		nt_perf_add_lost(&telling->perf, telling->pid, record->time, record->lost.count);
		telling->told->lost += record->lost.count;
		break;
	case NT_PERF_OTHER:
		break;
	}
}

/* ---- in order of time ---- */

/* Close what is over by then. */
static void go_to(struct telling *telling, nt_time time)
{
	struct nt_translation *translation = telling->translation;
	telling->told->late += time < telling->at;
	telling->at = time > telling->at ? time : telling->at;
	if (telling->names)
		nt_code_names_tell(telling->names, telling->at, translation, &telling->codemap);
	while (!telling->over && nt_translation_is_due(translation, telling->at)) {
		nt_outbox_add(&telling->perf, NT_EV_IDLE, translation->tick, telling->pid, 0);
		nt_translation_send(translation, &telling->codemap);
		nt_translation_send(translation, &telling->perf);
		telling->over = !nt_translation_tick(translation);
	}
	if (nt_outbox_bytes(&telling->perf) > BATCH_BYTES) {
		nt_translation_send(translation, &telling->codemap);
		nt_translation_send(translation, &telling->perf);
	}
}

/* What perf says of the time before it began has no time of its own. */
static nt_time time_of(const struct telling *telling, const struct nt_perf_record *record)
{
	nt_time start = telling->translation->start;
	return record->time == NT_TIME_UNKNOWN || record->time < start ? start : record->time;
}

static void tell_ready(struct telling *telling)
{
	const struct nt_perf_queued *queued;
	const uint8_t *bytes;
	while ((queued = nt_perf_queue_take(&telling->queue, &bytes)) != NULL) {
		const struct nt_perf_data_event *event;
		struct nt_perf_record record;
		enum nt_status status = nt_perf_data_parse(&telling->file->events, bytes, queued->length, &record, &event);
		nt_assert(status == NT_OK); /* it was parsed before it was put */
		record.time = time_of(telling, &record);
		go_to(telling, record.time);
		if (!telling->over)
			tell(telling, &record, event);
	}
}

static void release(struct telling *telling, nt_time until)
{
	nt_perf_queue_release(&telling->queue, until);
	tell_ready(telling);
}

static bool is_wanted(const struct telling *telling, const struct nt_perf_record *record)
{
	return record->kind != NT_PERF_OTHER && (record->pid == telling->pid || record->kind == NT_PERF_LOST);
}

static void take(struct telling *telling, const uint8_t *bytes, size_t length)
{
	const struct nt_perf_data_event *event;
	struct nt_perf_record record;
	if (nt_perf_data_parse(&telling->file->events, bytes, length, &record, &event) != NT_OK || !is_wanted(telling, &record))
		return;
	nt_time time = time_of(telling, &record);
	telling->newest = time > telling->newest ? time : telling->newest;
	nt_perf_queue_put(&telling->queue, time, 0, bytes, length);
	if (telling->queue.byte_count > QUEUE_BYTES) {
		telling->told->outgrew = true;
		release(telling, telling->newest);
	}
}

/* A round ends: what it has read may still be older than what the one before has. */
static void end_round(struct telling *telling)
{
	release(telling, telling->round);
	telling->round = telling->newest;
}

/* ---- begin and end ---- */

/* Of the first event that samples CPU time; 0 = as often as a fixed period comes round. */
static uint32_t rate_hz(const struct nt_perf_data_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		const struct nt_perf_data_event *event = &events->items[i];
		if (event->by_frequency && event->period <= UINT32_MAX && nt_perf_data_event_weight_ns(event, 0))
			return (uint32_t)event->period;
	}
	return 0;
}

/* Known before the first record: of a pipe, which says it in records, it is not. */
static bool has_clock_of_jitdumps(const struct nt_perf_data_events *events)
{
	return events->count && events->items[0].clock == CLOCK_MONOTONIC;
}

static void begin(struct telling *telling, const struct nt_perf_data_process *process, int names)
{
	nt_time start = telling->translation->start;
	struct nt_outbox *box = &telling->perf;
	struct nt_event *event = nt_outbox_add(box, NT_EV_TARGET, start, telling->pid, 0);
	event->u.target =
		(struct nt_ev_target){ .name = nt_interner_str(box->interner, nt_outbox_batch(box), process->comm, strlen(process->comm)),
				       .cpu_count = telling->file->facts.cpu_count,
				       .server_gc = 2 };
	event = nt_outbox_state(box, start, telling->pid, NT_STATE_DELIVERING, true, NULL, NULL);
	event->u.source_state.rate_hz = rate_hz(&telling->file->events);
	nt_outbox_add(box, NT_EV_COVER, start, telling->pid, 0)->u.cover = (struct nt_ev_cover){ .what = 1, .covered = 1 };
	if (telling->survey->has_switches)
		nt_outbox_add(box, NT_EV_COVER, start, telling->pid, 0)->u.cover =
			(struct nt_ev_cover){ .what = NT_WANT_SWITCHES, .covered = 1 };
	if (names < 0) {
		event = nt_outbox_state(&telling->codemap, start, telling->pid, NT_STATE_ABSENT, false,
					"a file of perf record has addresses, and not the names of what lies there",
					"nettop replay FILE --perf-map /tmp/perf-PID.map");
		event->u.source_state.naming = NT_NAMING_NOT_IN_FILE;
	} else {
		nt_outbox_state(&telling->codemap, start, telling->pid, NT_STATE_DELIVERING, false, NULL, NULL);
		telling->names = nt_code_names_open(names, has_clock_of_jitdumps(&telling->file->events));
	}
	tell_image(telling, "[kernel]", strlen("[kernel]"), 0, NT_CODE_KERNEL);
}

static void end(struct telling *telling)
{
	go_to(telling, telling->survey->last + 1);
	nt_time end = telling->over ? telling->translation->tick : telling->survey->last + 1;
	telling->told->over = telling->over;
	nt_outbox_add(&telling->perf, NT_EV_COVER, end, telling->pid, 0)->u.cover = (struct nt_ev_cover){ .what = 1 };
	nt_outbox_add(&telling->perf, NT_EV_IDLE, end, telling->pid, 0);
	nt_translation_send(telling->translation, &telling->codemap);
	nt_translation_send(telling->translation, &telling->perf);
	nt_translation_end(telling->translation, end, telling->file->end == NT_PERF_DATA_WHOLE);
}

void nt_perf_data_tell(struct nt_perf_data_file *file, const struct nt_perf_data_survey *survey, const struct nt_perf_data_process *process,
		       int names, struct nt_translation *translation, struct nt_perf_data_told *told)
{
	struct telling telling = {
		.file = file, .survey = survey, .pid = process->pid, .translation = translation, .told = told, .at = translation->start
	};
	const uint8_t *bytes;
	size_t length;
	uint32_t type;
	*told = (struct nt_perf_data_told){ 0 };
	nt_outbox_init(&telling.perf, NT_SOURCE_PERF);
	nt_outbox_init(&telling.codemap, NT_SOURCE_CODEMAP);
	begin(&telling, process, names);
	while (!telling.over && nt_perf_data_file_next(file, &bytes, &length, &type)) {
		if (type == NT_PERF_DATA_ROUND)
			end_round(&telling);
		else if (type < NT_PERF_DATA_ATTR)
			take(&telling, bytes, length);
		told->throttled += type == PERF_RECORD_THROTTLE;
	}
	release(&telling, NT_TIME_UNKNOWN);
	end(&telling);
	if (telling.names)
		told->names = nt_code_names_said(telling.names);
	nt_code_names_free(telling.names);
	nt_perf_queue_fini(&telling.queue);
	nt_index_fini(&telling.images);
	nt_outbox_fini(&telling.perf);
	nt_outbox_fini(&telling.codemap);
}
