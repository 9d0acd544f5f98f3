// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/heap_look.h"

#include "base/alloc.h"
#include "base/index.h"
#include "model/heap/heap_holders.h"
#include "nettop/column.h"
#include "output/heap/heap_report.h"
#include "source/runtime/type_reader.h"
#include "target/needs/readonly.h"
#include "target/process/cgroup_memory.h"
#include "target/process/memory_left.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32, ROWS = 100, TELL_MS = 250, PATHS = 3 /* of so many types it is told who holds them */ };

/* Measured: a full collection of 1000 MB of small objects, and the walk over them (2 CPUs). What a heap has of large objects takes less. */
static const double pause_ns_per_byte = 1.75;

/* Likewise of the stream: 32 bytes for each object, and 12 for each reference. */
static const double stream_per_byte = 0.56, references_per_byte = 0.84;

/* ---- whether, and what it does ---- */

static enum nt_status check_room(uint32_t buffer_mb, struct nt_error *err)
{
	if (buffer_mb >= NT_HEAP_BUFFER_LEAST_MB)
		return NT_OK;
	nt_error_set(
		err, NT_ERR_FAILED,
		"the process has too little memory left for the events of its heap: it could have %u MB for them, a quarter of what its "
		"limit or the machine leaves it, and %d are the least",
		(unsigned)buffer_mb, NT_HEAP_BUFFER_LEAST_MB);
	nt_error_set_fix(err, "raise the memory limit of its cgroup");
	return NT_ERR_FAILED;
}

/* A quarter of what the machine has left, as of the process's own. */
static uint64_t graph_bytes(uint64_t machine_bytes)
{
	enum { PART = 4 };
	return machine_bytes / PART < NT_HEAP_GRAPH_BYTES_MAX ? machine_bytes / PART : NT_HEAP_GRAPH_BYTES_MAX;
}

uint64_t nt_heap_look_graph_bytes(void)
{
	char own[] = "/proc/self";
	const struct nt_target target = { .proc_dir = own };
	const struct nt_memory_left left = nt_memory_left_of(&target, NT_CGROUP_ROOT);
	return graph_bytes(left.machine_bytes < left.cgroup_bytes ? left.machine_bytes : left.cgroup_bytes);
}

static bool has_ended(const struct nt_target *target)
{
	struct pollfd end = { .fd = target->pidfd, .events = POLLIN };
	return target->pidfd >= 0 && poll(&end, 1, 0) > 0 && end.revents & POLLIN;
}

enum nt_status nt_heap_look_check(const struct nt_target *target, bool references, struct nt_heap_wish *wish,
				  char price[NT_HEAP_PRICE_BYTES], struct nt_error *err)
{
	const struct nt_memory_left left = nt_memory_left_of(target, NT_CGROUP_ROOT);
	char size[NUMBER], pause[NUMBER], ours[NUMBER], own[2 * NUMBER] = "";
	if (has_ended(target))
		return nt_error_set(err, NT_ERR_GONE, "%s (process %u) has ended, and its heap with it", target->name,
				    (unsigned)target->pid);
	if (target->deployment == NT_DEPLOYED_NATIVE_AOT)
		return nt_error_set(
			err, NT_ERR_UNSUPPORTED,
			"%s (process %u) was compiled ahead of time (Native AOT): what its runtime tells of the heap is not known",
			target->name, (unsigned)target->pid);
	if (!target->is_dotnet)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "%s (process %u) has no runtime of .NET", target->name, (unsigned)target->pid);
	*wish = (struct nt_heap_wish){ .buffer_mb = nt_heap_walk_buffer_mb(left.cgroup_bytes, left.machine_bytes,
									   references ? NT_HEAP_GRAPH_BUFFER_MB : NT_HEAP_BUFFER_MB),
				       .stream_bytes =
					       (uint64_t)((references ? references_per_byte : stream_per_byte) * (double)left.anon_bytes),
				       .graph_bytes = references ? graph_bytes(left.machine_bytes) : 0 };
	if (references)
		snprintf(own, sizeof(own), ", nettop itself up to %sB", nt_format_bytes(wish->graph_bytes, ours, sizeof(ours)));
	nt_format_bytes(left.anon_bytes, size, sizeof(size));
	nt_format_duration((nt_time)(pause_ns_per_byte * (double)left.anon_bytes), pause, sizeof(pause));
	snprintf(price, NT_HEAP_PRICE_BYTES,
		 "%s (process %u) stands still for a full collection and a look at each object: some %s, if all of its %sB are small "
		 "objects, "
		 "and has up to %u MB more memory meanwhile%s",
		 target->name, (unsigned)target->pid, left.anon_bytes ? pause : "time", left.anon_bytes ? size : "memory in ",
		 (unsigned)wish->buffer_mb, own);
	return check_room(wish->buffer_mb, err);
}

/* ---- whole names ---- */

static void take_name(void *context, size_t place, const char *name)
{
	struct nt_heap_found *heap = context;
	free((void *)(uintptr_t)heap->types[place].name);
	heap->types[place].name = nt_strdup(name);
}

/* Their objects are in the heap, so their types are among those that there are. */
static void name_statics(struct nt_heap_found *heap)
{
	struct nt_index type_of = { 0 };
	for (size_t i = 0; i < heap->type_count; i++)
		nt_index_put(&type_of, heap->types[i].id, (uint32_t)i);
	for (size_t i = 0; i < heap->static_count; i++) {
		uint32_t type = nt_index_get(&type_of, heap->statics[i].type_id);
		if (type == NT_INDEX_NONE)
			continue;
		free((void *)(uintptr_t)heap->statics[i].type);
		heap->statics[i].type = nt_strdup(heap->types[type].name);
	}
	nt_index_fini(&type_of);
}

static void take_owner(void *context, size_t place, const char *type)
{
	struct nt_heap_found *heap = context;
	free((void *)(uintptr_t)heap->statics[place].owner);
	heap->statics[place].owner = nt_strdup(type);
}

static void find_owners(const struct nt_target *target, struct nt_heap_found *heap)
{
	struct nt_static_slot *slots = nt_realloc(NULL, heap->static_count + 1, sizeof(*slots));
	for (size_t i = 0; i < heap->static_count; i++)
		slots[i] = (struct nt_static_slot){ .address = heap->statics[i].place, .field = heap->statics[i].field };
	nt_type_reader_statics(target, heap->modules, heap->module_count, slots, heap->static_count, take_owner, heap);
	free(slots);
}

void nt_heap_look_name(const struct nt_target *target, struct nt_heap_found *heap)
{
	uint64_t *ids = nt_realloc(NULL, heap->type_count + 1, sizeof(*ids));
	for (size_t i = 0; i < heap->type_count; i++)
		ids[i] = heap->types[i].id;
	nt_type_reader_read(target, ids, heap->type_count, take_name, heap);
	free(ids);
	name_statics(heap);
	find_owners(target, heap);
	nt_heap_found_name_graph(heap);
	nt_heap_found_join(heap);
}

const char *nt_heap_progress_text(uint64_t objects, uint64_t bytes, uint64_t expected, bool still, char text[NT_HEAP_PRICE_BYTES])
{
	enum { CELLS = 20 };
	char count[NUMBER], size[NUMBER], all[NUMBER], bar[CELLS + 4] = "", of[2 * NUMBER] = "";
	if (expected) {
		/* It is an estimate: what comes beyond it moves the bar no more, and the last cell is for the end. */
		size_t cells = bytes < expected ? (size_t)((CELLS - 1) * (double)bytes / (double)expected) : CELLS - 1;
		memset(bar, '.', CELLS + 1);
		memset(bar, '#', cells + 1);
		bar[0] = '[';
		memcpy(bar + CELLS + 1, "] ", 3);
		snprintf(of, sizeof(of), " of some %sB", nt_format_bytes(expected, all, sizeof(all)));
	}
	snprintf(text, NT_HEAP_PRICE_BYTES, "%s%s objects, %sB%s read%s", bar, nt_format_whole(objects, count, sizeof(count)),
		 nt_format_bytes(bytes, size, sizeof(size)), of, still ? "; the process stands still" : "");
	return text;
}

const char *nt_heap_look_progress(const struct nt_heap_walk *walk, char text[NT_HEAP_PRICE_BYTES])
{
	return nt_heap_progress_text(nt_heap_walk_count(walk), nt_heap_walk_bytes(walk), nt_heap_walk_expected(walk),
				     nt_heap_walk_is_collecting(walk), text);
}

/* ---- on the screen ---- */

static struct nt_heap_report report_of(const struct nt_heap_look *look, const struct nt_heap_found *heap, int64_t time_unix_ns)
{
	const struct nt_target *target = look->setup->target;
	return (struct nt_heap_report){
		.pid = target->pid, .name = target->name, .runtime = target->runtime, .time_unix_ns = time_unix_ns, .heap = heap
	};
}

static void say(struct nt_heap_look *look, const char *text, bool can_begin)
{
	look->frame->effects |= nt_ui_heap(look->frame->ui, text, can_begin);
}

/* A sentence, and below it what was seen last: beside what was seen first, then alone. */
static void say_with_what_was_seen(struct nt_heap_look *look, const char *sentence, bool can_begin)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	if (!out)
		return;
	fputs(sentence, out);
	fputs(*sentence ? ".\n" : "", out);
	if (look->newest) {
		const struct nt_heap_report newest = report_of(look, look->newest, look->newest_unix_ns),
					    first = report_of(look, look->first, look->first_unix_ns);
		fputs(*sentence ? "\n" : "", out);
		if (look->first != look->newest) {
			nt_heap_write_text(out, &newest, &first, ROWS);
			fputc('\n', out);
		}
		nt_heap_write_text(out, &newest, NULL, ROWS);
	}
	fclose(out);
	say(look, text, can_begin);
	free(text);
}

static void say_error(struct nt_heap_look *look, const struct nt_error *err)
{
	char text[2 * NT_ERROR_TEXT];
	say_with_what_was_seen(look, nt_error_text(err, text, sizeof(text)), false);
}

/* False: it has been said why not. */
static bool is_possible(struct nt_heap_look *look, bool references, struct nt_heap_wish *wish, char price[NT_HEAP_PRICE_BYTES])
{
	struct nt_error err = { 0 };
	enum nt_status status = nt_readonly_check(look->setup->options->readonly, NT_CHANGE_HEAP, &err);
	if (status == NT_OK)
		status = nt_heap_look_check(look->setup->target, references, wish, price, &err);
	if (status != NT_OK)
		say_error(look, &err);
	return status == NT_OK;
}

static void open_page(struct nt_heap_look *look)
{
	struct nt_heap_wish wish, more;
	char price[NT_HEAP_PRICE_BYTES], other[NT_HEAP_PRICE_BYTES], both[2 * NT_HEAP_PRICE_BYTES], size[NUMBER];
	if (look->walk || !is_possible(look, false, &wish, price) || !is_possible(look, true, &more, other))
		return;
	snprintf(both, sizeof(both), "%s; with v up to %u MB more, and nettop itself up to %sB", price, (unsigned)more.buffer_mb,
		 nt_format_bytes(more.graph_bytes, size, sizeof(size)));
	say_with_what_was_seen(look, both, true);
}

static void end(struct nt_heap_look *look)
{
	if (look->watched)
		nt_loop_unwatch(look->frame->loop, nt_heap_walk_fd(look->walk));
	look->watched = false;
	nt_heap_walk_close(look->walk);
	look->walk = NULL;
}

static void begin(struct nt_heap_look *look, bool holders)
{
	struct nt_heap_wish wish;
	char price[NT_HEAP_PRICE_BYTES];
	struct nt_error err = { 0 };
	if (look->walk || !is_possible(look, holders, &wish, price))
		return;
	look->holders = holders;
	look->config = nt_session_config(look->setup);
	look->told = 0;
	if (nt_heap_walk_open(look->setup->target, &look->config, &wish, nt_clock_now(), &look->walk, &err) != NT_OK) {
		look->walk = NULL;
		say_error(look, &err);
	}
}

void nt_heap_look_carry_out(struct nt_heap_look *look)
{
	unsigned effects = look->frame->effects;
	look->frame->effects &= ~(unsigned)(NT_UI_HEAP | NT_UI_HEAP_BEGIN | NT_UI_HEAP_HOLDERS | NT_UI_HEAP_END);
	if (effects & NT_UI_HEAP_END)
		end(look);
	if (effects & NT_UI_HEAP)
		open_page(look);
	if (effects & NT_UI_HEAP_BEGIN)
		begin(look, effects & NT_UI_HEAP_HOLDERS);
}

static void take(struct nt_heap_look *look, struct nt_heap_found *heap)
{
	nt_heap_look_name(look->setup->target, heap);
	nt_heap_holders_find(heap, NULL, PATHS, NULL);
	if (look->newest != look->first)
		nt_heap_found_free(look->newest);
	look->newest = heap;
	look->newest_unix_ns = (int64_t)nt_clock_now() + look->frame->realtime_offset_ns;
	if (!look->first) {
		look->first = heap;
		look->first_unix_ns = look->newest_unix_ns;
	}
	say_with_what_was_seen(look, "", false);
}

bool nt_heap_look_go_on(struct nt_heap_look *look)
{
	char text[NT_HEAP_PRICE_BYTES];
	struct nt_error err = { 0 };
	struct nt_heap_found *heap = NULL;
	nt_time now = nt_clock_now();
	if (!look->walk)
		return false;
	enum nt_status status = nt_heap_walk_advance(look->walk, now, &heap, &err);
	if (status == NT_AGAIN) {
		if (!look->watched && nt_heap_walk_fd(look->walk) >= 0)
			look->watched = nt_loop_watch(look->frame->loop, nt_heap_walk_fd(look->walk), NULL) == NT_OK;
		if (now >= look->told + TELL_MS * NT_NS_PER_MS)
			say(look, nt_heap_look_progress(look->walk, text), false);
		look->told = now >= look->told + TELL_MS * NT_NS_PER_MS ? now : look->told;
		return true;
	}
	end(look);
	if (status == NT_OK)
		take(look, heap);
	else
		say_error(look, &err);
	return false;
}

void nt_heap_look_fini(struct nt_heap_look *look)
{
	if (look->walk)
		end(look);
	if (look->newest != look->first)
		nt_heap_found_free(look->newest);
	nt_heap_found_free(look->first);
	look->first = look->newest = NULL;
}
