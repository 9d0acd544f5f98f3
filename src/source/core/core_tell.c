// SPDX-License-Identifier: GPL-2.0-only
/* What was read of a core, as events. */
#include "source/core/core_source_internal.h"

#include "base/alloc.h"
#include "base/file_name.h"
#include "decode/codemap/map_name.h"
#include "nettop/wait.h"
#include "source/common/wait_fact.h"
#include "source/image/image_names.h"

#include <stdlib.h>
#include <string.h>

static uint32_t pid_of(const struct nt_core_dump *dump)
{
	return dump->core.pid ? dump->core.pid : dump->thread_count ? dump->threads[0].said.tid : 1;
}

/* ---- what is said beside the events ---- */

/* The file in which the walk of a stack ended, when it is not read. */
static const struct nt_core_file *unread_of(const struct nt_core_dump *dump, const struct nt_core_told *thread)
{
	if (thread->said.whole || !thread->said.count)
		return NULL;
	const struct nt_core_file *file = nt_core_dump_file_at(dump, thread->frames[thread->said.count - 1]);
	return file && !dump->files[file->of].fits ? &dump->files[file->of] : NULL;
}

void nt_core_dump_about(const struct nt_core_dump *dump, struct nt_core_about *out)
{
	*out = (struct nt_core_about){ .pid = pid_of(dump),
				       .name = dump->name,
				       .runtime = dump->runtime,
				       .made_unix_ns = dump->made_unix_ns,
				       .signal = dump->core.signal,
				       .signal_tid = dump->core.signal_tid,
				       .no_managed = *dump->no_managed ? dump->no_managed : NULL,
				       .whole = dump->whole };
	if (out->no_managed && dump->clr && !dump->clr->fits) {
		out->runtime_file = nt_file_base_name(dump->clr->path);
		out->runtime_reason = dump->clr->reason;
		out->runtime_id = dump->clr->id;
	}
	for (size_t i = 0; i < dump->thread_count; i++) {
		const struct nt_core_file *unread = unread_of(dump, &dump->threads[i]);
		const struct nt_core_told *thread = &dump->threads[i];
		out->partial += !thread->said.whole;
		if (out->signal_tid && thread->said.tid == out->signal_tid) {
			out->exception = thread->exception;
			out->message = thread->message;
		}
		if (unread && *unread->reason && !out->unread)
			out->unread = unread->reason;
	}
}

/* ---- events ---- */

static void tell_process(struct nt_core_dump *dump, nt_time time)
{
	struct nt_outbox *box = &dump->boxes[NT_CORE_OF_PROCFS];
	struct nt_event *event = nt_outbox_add(box, NT_EV_TARGET, time, pid_of(dump), 0);
	event->u.target = (struct nt_ev_target){ .name = nt_outbox_str(box, dump->name),
						 .runtime = nt_outbox_str(box, dump->runtime),
						 .server_gc = 2 };
	nt_outbox_state(box, time, pid_of(dump), NT_STATE_DELIVERING, false, NULL, NULL);
	for (size_t i = 0; i < dump->thread_count; i++)
		nt_outbox_add(box, NT_EV_THREAD, time, pid_of(dump), dump->threads[i].said.tid)->u.thread =
			(struct nt_ev_thread){ .op = NT_THREAD_SEEN, .name = nt_outbox_str(box, dump->threads[i].name) };
}

static void tell_files(struct nt_core_dump *dump, nt_time time)
{
	struct nt_outbox *box = &dump->boxes[NT_CORE_OF_CODEMAP];
	nt_outbox_state(box, time, pid_of(dump), NT_STATE_DELIVERING, false, NULL, NULL);
	for (size_t i = 0; i < dump->file_count; i++) {
		const struct nt_core_file *file = &dump->files[i];
		struct nt_event *event = nt_outbox_add(box, NT_EV_MAP, time, pid_of(dump), 0);
		event->u.map = (struct nt_ev_map){ .start = file->start,
						   .length = file->end - file->start,
						   .file_offset = file->offset,
						   .inode = dump->files[file->of].inode,
						   .image = nt_outbox_str(box, file->path),
						   .flags = nt_map_name_read(file->path, strlen(file->path)).flags };
	}
}

static void tell_code(struct nt_core_dump *dump, nt_time time)
{
	struct nt_outbox *box = &dump->boxes[NT_CORE_OF_CODEMAP];
	for (size_t i = 0; i < dump->name_count; i++) {
		const struct nt_core_name *name = &dump->names[i];
		size_t length = strlen(name->text);
		const struct nt_batch_line line = { .start = name->start,
						    .size = name->size,
						    .length = (uint16_t)(length < UINT16_MAX ? length : UINT16_MAX),
						    .kind = NT_CODE_JIT };
		struct nt_event *event = nt_outbox_add(box, NT_EV_CODE, time, pid_of(dump), 0);
		event->u.code = (struct nt_ev_code){ .first = (uint32_t)nt_outbox_batch(box)->line_count };
		nt_batch_add_lines(nt_outbox_batch(box), &line, 1, name->text);
	}
}

/* One that was in no system call ran until it was stopped for the core. */
static enum nt_wait_kind wait_of(const struct nt_reader_stack *said)
{
	return said->call < 0 ? NT_WAIT_STOPPED : nt_wait_of_call((long)said->call);
}

/* The frames of managed code alone; at most as many as there are. Returns how many. */
static uint32_t managed_of(const struct nt_core_told *thread, uint64_t *frames)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < thread->said.count; i++)
		if (thread->said.managed[i / 8] & 1u << i % 8)
			frames[count++] = thread->frames[i];
	return count;
}

static void tell_threads(struct nt_core_dump *dump, nt_time time, const struct nt_core_wish *wish)
{
	struct nt_outbox *box = &dump->boxes[NT_CORE_OF_RUNTIME];
	uint32_t pid = pid_of(dump);
	bool native = wish->native || *dump->no_managed; /* in place of nothing */
	nt_outbox_state(box, time, pid, NT_STATE_DELIVERING, false, NULL, NULL);
	for (size_t i = 0; i < dump->thread_count; i++) {
		const struct nt_core_told *thread = &dump->threads[i];
		uint64_t frames[NT_READER_STACK_MOST];
		uint32_t count = native ? thread->said.count : managed_of(thread, frames);
		nt_stack stack = nt_interner_stack(box->interner, nt_outbox_batch(box), native ? thread->frames : frames, 0, count);
		struct nt_event *event = nt_outbox_add(box, NT_EV_STACK, time, pid, thread->said.tid);
		event->stack = stack;
		event->u.found = (struct nt_ev_stack){ .since = NT_TIME_UNKNOWN,
						       .wait = wait_of(&thread->said),
						       .looks = 1,
						       .managed_id = thread->said.managed_id,
						       .partial = !(native ? thread->said.whole : thread->said.managed_whole) };
		if (!wish->as_moments || !count)
			continue;
		event = nt_outbox_add(box, NT_EV_MOMENT, time, pid, thread->said.tid);
		event->stack = stack;
		event->u.moment = (struct nt_ev_moment){ .weight = 1, .count = 1 };
	}
}

void nt_core_dump_tell(struct nt_core_dump *dump, nt_time time, const struct nt_core_wish *wish)
{
	tell_process(dump, time);
	tell_files(dump, time);
	tell_code(dump, time);
	tell_threads(dump, time, wish);
}

/* ---- names of native code ---- */

struct answering {
	struct nt_core_dump *dump;
	nt_time time;
};

static struct nt_ev_name *begin_answer(struct nt_core_dump *dump, nt_time time, const char *image, uint64_t inode)
{
	struct nt_outbox *box = &dump->boxes[NT_CORE_OF_CODEMAP];
	struct nt_event *event = nt_outbox_add(box, NT_EV_NAME, time, pid_of(dump), 0);
	event->u.name = (struct nt_ev_name){ .inode = inode, .image = nt_outbox_str(box, image) };
	return &event->u.name;
}

static void put_answer(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	struct answering *answering = context;
	struct nt_outbox *box = &answering->dump->boxes[NT_CORE_OF_CODEMAP];
	const struct nt_decoder_answer *answer = reply->answer;
	const char *text = *answer->text ? answer->text : NULL;
	struct nt_ev_name *said = begin_answer(answering->dump, answering->time, request->of.image, request->of.inode);
	said->start = answer->start;
	said->end = answer->end;
	said->kind = answer->kind;
	said->naming = answer->naming;
	said->name = nt_outbox_str(box, answer->has_name ? text : NULL);
	said->reason = nt_outbox_str(box, answer->has_name ? NULL : text);
}

static const struct nt_core_file *file_of(const struct nt_core_dump *dump, const char *path)
{
	for (size_t i = 0; i < dump->file_count; i++)
		if (dump->files[i].of == i && strcmp(dump->files[i].path, path) == 0)
			return &dump->files[i];
	return NULL;
}

/* It is not read: that is so for all of it. */
static void refuse(struct nt_core_dump *dump, nt_time time, const struct nt_question *question, const struct nt_core_file *file)
{
	struct nt_outbox *box = &dump->boxes[NT_CORE_OF_CODEMAP];
	struct nt_ev_name *said = begin_answer(dump, time, question->image, question->inode);
	said->end = UINT64_MAX;
	said->kind = nt_image_kind(file->path);
	said->naming = NT_NAMING_IMAGE_UNREADABLE;
	said->reason = nt_outbox_str(box, file->reason);
}

size_t nt_core_dump_answer(struct nt_core_dump *dump, nt_time time, const struct nt_question *questions, size_t count)
{
	struct answering answering = { .dump = dump, .time = time };
	struct nt_decoder_request *requests = nt_realloc(NULL, count + 1, sizeof(*requests));
	size_t asked = 0, refused = 0;
	for (size_t i = 0; i < count; i++) {
		const struct nt_core_file *file = file_of(dump, questions[i].image);
		if (!file)
			continue;
		if (!file->fits) {
			refuse(dump, time, &questions[i], file);
			refused++;
			continue;
		}
		requests[asked++] = (struct nt_decoder_request){
			.verb = NT_DECODE_NAME,
			.of = { .inode = file->inode, .offset = questions[i].offset, .image = file->path },
		};
	}
	nt_decoder_ask(dump->decoder, requests, asked, put_answer, &answering);
	free(requests);
	return asked + refused;
}

/* ---- batches ---- */

struct nt_batch *nt_core_dump_take(struct nt_core_dump *dump)
{
	for (unsigned i = 0; i < NT_CORE_BOXES; i++) {
		struct nt_batch *batch = nt_outbox_take(&dump->boxes[i]);
		if (batch)
			return batch;
	}
	return NULL;
}

void nt_core_dump_give_back(struct nt_core_dump *dump, struct nt_batch *batch)
{
	for (unsigned i = 0; i < NT_CORE_BOXES; i++)
		if (dump->boxes[i].id == batch->source) {
			nt_outbox_give_back(&dump->boxes[i], batch);
			return;
		}
}
