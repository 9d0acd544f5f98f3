// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/looked_threads.h"

#include "base/alloc.h"
#include "base/text.h"
#include "decode/names/method_name.h"
#include "decode/names/type_name.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned copies_tried = 5, looks_tried = 5, again_most = 1024;

static void end_native(struct nt_looked_native *native)
{
	free(native->copy);
	free(native->frames);
	*native = (struct nt_looked_native){ 0 };
}

static void end(struct nt_looked_thread *thread)
{
	end_native(&thread->native);
	free(thread->frames);
	free(thread->type);
}

void nt_looked_threads_fini(struct nt_looked_threads *threads)
{
	for (size_t i = 0; i < threads->count; i++)
		end(&threads->items[i]);
	free(threads->items);
	nt_switches_fini(&threads->before);
	nt_switches_fini(&threads->after);
	nt_socket_names_fini(&threads->sockets);
	*threads = (struct nt_looked_threads){ .want_native = threads->want_native, .native = threads->native };
}

static struct nt_looked_thread *find(struct nt_looked_threads *threads, uint32_t tid)
{
	size_t low = 0, high = threads->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (threads->items[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < threads->count && threads->items[low].tid == tid ? &threads->items[low] : NULL;
}

/* The list becomes that of `before`: who has ended is dropped, who is new begins now. */
static void merge(struct nt_looked_threads *threads, nt_time now)
{
	size_t count = threads->before.thread_count, old = 0;
	struct nt_looked_thread *items = nt_alloc((count + 1) * sizeof(*items));
	threads->ran = count != threads->count;
	for (size_t i = 0; i < count; i++) {
		uint32_t tid = (uint32_t)threads->before.threads[i].tid;
		for (; old < threads->count && threads->items[old].tid < tid; old++)
			end(&threads->items[old]);
		if (old < threads->count && threads->items[old].tid == tid)
			items[i] = threads->items[old++];
		else
			items[i] = (struct nt_looked_thread){ .tid = tid, .told = now, .since = NT_TIME_UNKNOWN, .first = true };
	}
	for (; old < threads->count; old++)
		end(&threads->items[old]);
	free(threads->items);
	threads->items = items;
	threads->count = count;
}

static void forget(struct nt_looked_thread *thread)
{
	thread->count = thread->owner = 0;
	thread->object = 0;
	free(thread->type);
	thread->type = NULL;
	thread->known = thread->partial = thread->knows_lock = false;
	thread->anchor = (struct nt_wait_anchor){ 0 };
	end_native(&thread->native);
	thread->since = NT_TIME_UNKNOWN;
	thread->since_before = false;
	thread->tries = 0;
}

/* ---- frames of native code ---- */

void nt_looked_threads_native(struct nt_looked_threads *threads, bool wanted, struct nt_native_stacks *native)
{
	threads->want_native = wanted;
	threads->native = native;
	for (size_t i = 0; i < threads->count && !wanted; i++)
		end_native(&threads->items[i].native);
}

static bool wants_copy(const struct nt_looked_threads *threads, const struct nt_looked_thread *thread)
{
	const struct nt_looked_native *native = &thread->native;
	return threads->native && thread->fact.wait != NT_WAIT_RUNS && thread->fact.sp && !native->known && !native->number &&
	       native->tries < copies_tried;
}

static void take_walked(struct nt_looked_threads *threads)
{
	struct nt_native_result result;
	while (threads->native && nt_native_stacks_take(threads->native, &result)) {
		size_t i = 0;
		while (i < threads->count && threads->items[i].native.number != result.number)
			i++;
		if (i == threads->count) { /* it has run since, or ended */
			free(result.frames);
			continue;
		}
		struct nt_looked_native *native = &threads->items[i].native;
		native->number = 0;
		native->known = !result.later;
		native->whole = result.whole;
		native->frames = result.frames;
		native->count = result.count;
	}
}

size_t nt_looked_threads_copies(struct nt_looked_threads *threads, uint64_t *stack_pointers, size_t max)
{
	size_t asked = 0;
	for (size_t i = 0; i < threads->count && asked < max; i++) {
		struct nt_looked_thread *thread = &threads->items[i];
		if (!thread->asked || !wants_copy(threads, thread))
			continue;
		thread->native.asked = true;
		thread->native.tries++;
		stack_pointers[asked++] = thread->fact.sp;
	}
	return asked;
}

void nt_looked_threads_copied(struct nt_looked_threads *threads, const struct nt_reader_record *copied)
{
	for (size_t i = 0; i < threads->count; i++) {
		struct nt_looked_thread *thread = &threads->items[i];
		if (!thread->native.asked || thread->native.copy || thread->fact.sp != copied->copied.address)
			continue;
		thread->native.copied = copied->copied.length;
		thread->native.copy = nt_alloc(thread->native.copied + 1);
		memcpy(thread->native.copy, copied->bytes, thread->native.copied);
		return;
	}
}

/* It did not run while it was looked at: copy, registers and managed frames are of one moment. */
static void walk(const struct nt_looked_threads *threads, struct nt_looked_thread *thread)
{
	struct nt_looked_native *native = &thread->native;
	if (native->copy && native->copied && threads->native) {
		const struct nt_native_stack stack = { .pc = thread->fact.pc,
						       .dump = { native->copy, native->copied, thread->fact.sp },
						       .anchor = thread->anchor,
						       .managed = thread->frames,
						       .managed_count = thread->count };
		native->number = nt_native_stacks_give(threads->native, &stack);
	}
	free(native->copy);
	native->copy = NULL;
	native->asked = false;
}

/* ---- looks ---- */

/* Nobody has said where it is, or all of it: the reader had too much to read, or read while the runtime's lists changed. Of a thread that is no managed one nobody ever says. */
static bool wants_look(const struct nt_looked_thread *thread)
{
	return thread->fact.wait != NT_WAIT_RUNS && (!thread->known || thread->partial) && thread->tries < looks_tried;
}

/*
 * Who waits for a lock sleeps on while others get it and pass it on: who has it is asked each time. Where so many wait that a look would have no room for others they take turns: those behind thread `after` now, of
 * whom there are `again` so far.
 */
static bool is_asked_again(struct nt_looked_threads *threads, const struct nt_looked_thread *thread, uint32_t after, unsigned *again)
{
	if (!thread->knows_lock || thread->tid <= after || *again == again_most)
		return false;
	if (++*again == again_most)
		threads->again_after = thread->tid;
	return true;
}

size_t nt_looked_threads_begin(struct nt_looked_threads *threads, const char *proc_dir, nt_time now, uint32_t *tids, size_t max)
{
	size_t asked = 0;
	unsigned again = 0;
	uint32_t after = threads->again_after;
	threads->again_after = 0;
	if (!nt_switches_read(&threads->before, proc_dir))
		threads->before.thread_count = 0;
	merge(threads, now);
	take_walked(threads);
	for (size_t i = 0; i < threads->count; i++) {
		struct nt_looked_thread *thread = &threads->items[i];
		const struct nt_switches_thread *read = &threads->before.threads[i];
		bool ran = read->cpu_ns != thread->cpu_ns || read->count != thread->switches, first = thread->first;
		threads->ran |= ran || first || thread->fact.wait == NT_WAIT_RUNS;
		thread->asked = thread->first = false;
		bool stays = !ran && thread->fact.wait != NT_WAIT_RUNS && thread->since != NT_TIME_UNKNOWN;
		if (stays && !is_asked_again(threads, thread, after, &again) && !wants_look(thread) && !wants_copy(threads, thread))
			continue;
		if (!stays) {
			forget(thread);
			thread->cpu_ns = read->cpu_ns;
			thread->switches = read->count;
			nt_wait_fact_read(proc_dir, thread->tid, &thread->fact);
		}
		bool waits = thread->fact.wait != NT_WAIT_RUNS;
		if (waits && !stays) {
			thread->since = now;
			thread->since_before = first;
		}
		if ((!waits && thread->introduced) || asked == max)
			continue;
		thread->asked = waits;
		thread->tries += waits && (!thread->known || thread->partial);
		thread->introduced = true;
		tids[asked++] = thread->tid;
	}
	return asked;
}

/* In the words of C#. What the reader says may have any bytes. */
static char *type_of(const struct nt_reader_record *saw)
{
	char raw[NT_READER_TYPE_MAX + 1], shown[NT_METHOD_NAME_MAX];
	if (!saw->thread.type_length)
		return NULL;
	size_t length = nt_text_escape(saw->name, saw->thread.type_length, raw, sizeof(raw));
	nt_type_name_show((struct nt_slice){ raw, length }, shown, sizeof(shown));
	return nt_strdup(shown);
}

void nt_looked_threads_saw(struct nt_looked_threads *threads, uint32_t tid, uint32_t owner, const struct nt_reader_record *saw)
{
	struct nt_looked_thread *thread = find(threads, tid);
	if (thread)
		thread->managed_id = saw->thread.managed_id;
	if (!thread || !thread->asked || saw->thread.how == NT_READER_RUNS)
		return;
	thread->count = saw->thread.count;
	thread->frames = nt_realloc(thread->frames, thread->count + 1, sizeof(*thread->frames));
	if (thread->count)
		memcpy(thread->frames, saw->frames, thread->count * sizeof(*thread->frames));
	thread->partial = saw->thread.how == NT_READER_PARTIAL;
	thread->anchor = (struct nt_wait_anchor){ 0 };
	if (thread->count)
		thread->anchor = (struct nt_wait_anchor){ thread->frames[0], saw->thread.sp, saw->thread.frame_pointer };
	thread->owner = owner;
	thread->object = saw->thread.object;
	thread->knows_lock |= thread->object != 0;
	free(thread->type);
	thread->type = type_of(saw);
	thread->known = true;
}

static void find_sockets(struct nt_looked_threads *threads, const char *proc_dir, nt_time now)
{
	uint64_t *inodes = nt_alloc((threads->count + 1) * sizeof(*inodes));
	size_t count = 0;
	for (size_t i = 0; i < threads->count; i++)
		if (threads->items[i].fact.socket)
			inodes[count++] = threads->items[i].fact.socket;
	int dir_fd = count ? open(proc_dir, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	if (dir_fd >= 0) {
		nt_socket_names_find(&threads->sockets, dir_fd, inodes, count, now, false);
		close(dir_fd);
	}
	free(inodes);
}

/* What it waits at, where people know that by a name: a path, or who is at the other end of a socket. NULL or "": they do not. */
static const char *waits_at(const struct nt_looked_threads *threads, const struct nt_looked_thread *thread)
{
	return thread->fact.socket ? nt_socket_names_get(&threads->sockets, thread->fact.socket) : thread->fact.what;
}

static void tell_moment(const struct nt_looked_thread *thread, nt_time now, nt_stack stack, const struct nt_look_told *told)
{
	struct nt_event *event = nt_outbox_add(told->box, NT_EV_MOMENT, now, told->pid, thread->tid);
	event->stack = stack;
	event->u.moment = (struct nt_ev_moment){ .weight = now - thread->told, .what = told->what, .count = 1 };
}

static void tell(const struct nt_looked_threads *threads, struct nt_looked_thread *thread, nt_time now, const struct nt_look_told *told)
{
	struct nt_outbox *box = told->box;
	const struct nt_looked_native *native = &thread->native;
	nt_stack stack = nt_interner_stack(box->interner, nt_outbox_batch(box), native->known ? native->frames : thread->frames, 0,
					   native->known ? native->count : thread->count);
	bool whole = threads->want_native ? native->known && native->whole : thread->known && !thread->partial;
	if (told->as_moments && now > thread->told && thread->fact.wait != NT_WAIT_RUNS)
		tell_moment(thread, now, stack, told);
	struct nt_event *event = nt_outbox_add(box, NT_EV_STACK, now, told->pid, thread->tid);
	/* Who waits at a descriptor waits for no lock, whichever it knows. */
	bool locks = !*thread->fact.what && !thread->fact.socket;
	nt_str what = nt_outbox_str(box, locks && thread->type ? thread->type : waits_at(threads, thread));
	event->stack = stack;
	event->u.found = (struct nt_ev_stack){ .weight_ns = now > thread->told ? now - thread->told : 0,
					       .since = thread->since,
					       .object = locks ? thread->object : 0,
					       .owner_tid = locks ? thread->owner : 0,
					       .what = what,
					       .wait = thread->fact.wait,
					       .looks = 1,
					       .managed_id = thread->managed_id,
					       .since_before = thread->since_before,
					       .partial = !whole };
	thread->told = now;
}

void nt_looked_threads_end(struct nt_looked_threads *threads, const char *proc_dir, nt_time now, const struct nt_look_told *told)
{
	size_t at = 0;
	if (!nt_switches_read(&threads->after, proc_dir))
		threads->after.thread_count = 0;
	find_sockets(threads, proc_dir, now);
	for (size_t i = 0; i < threads->count; i++) {
		struct nt_looked_thread *thread = &threads->items[i];
		while (at < threads->after.thread_count && (uint32_t)threads->after.threads[at].tid < thread->tid)
			at++;
		bool there = at < threads->after.thread_count && (uint32_t)threads->after.threads[at].tid == thread->tid;
		if (!there)
			continue; /* it has ended: the next look finds it gone */
		const struct nt_switches_thread *read = &threads->after.threads[at];
		if (read->count != thread->switches || read->cpu_ns != thread->cpu_ns) {
			forget(thread);
			thread->fact = (struct nt_wait_fact){ .wait = NT_WAIT_RUNS };
		}
		walk(threads, thread);
		tell(threads, thread, now, told);
	}
}
