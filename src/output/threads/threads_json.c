// SPDX-License-Identifier: GPL-2.0-only
#include "output/threads/threads_write.h"

#include "output/frame/json_value.h"
#include "output/threads/thread_groups.h"

enum { SCHEMA = 1 };

/* What differs between threads of a group. */
static json_t *of_thread(const struct nt_thread_row *row)
{
	json_t *object = json_object();
	json_object_set_new(object, "tid", json_integer(row->tid));
	json_object_set_new(object, "managed_id", row->managed_id ? json_integer(row->managed_id) : json_null());
	json_object_set_new(object, "name", nt_json_text_if_any(row->name));
	json_object_set_new(object, "role", nt_json_text_if_any(nt_role_name(row->role)));
	json_object_set_new(object, "wait_ns", row->waits ? nt_json_u64(row->wait_ns) : json_null());
	json_object_set_new(object, "wait_at_least", row->waits ? json_boolean(row->wait_at_least) : json_null());
	json_object_set_new(object, "what", row->waits ? nt_json_text_if_any(row->wait_what) : json_null());
	json_object_set_new(object, "owner_tid", row->wait_owner_tid ? json_integer(row->wait_owner_tid) : json_null());
	return object;
}

/* null: not known, as of a thread that runs; empty: no managed code. */
static json_t *of_stack(const struct nt_thread_row *row)
{
	const struct nt_call_stack *stack = row->wait_from;
	if (!row->waits || (!stack && row->wait_partial))
		return json_null();
	json_t *array = json_array();
	for (uint32_t i = 0; stack && i < stack->count; i++) {
		json_t *frame = json_object();
		json_object_set_new(frame, "method", nt_json_text(stack->frames[i].name));
		json_object_set_new(frame, "module", nt_json_text(stack->frames[i].module));
		json_object_set_new(frame, "native", json_boolean(stack->frames[i].native));
		json_array_append_new(array, frame);
	}
	return array;
}

static json_t *of_group(const struct nt_thread_group *group)
{
	const struct nt_thread_row *row = group->rows[0];
	const struct nt_call_stack *stack = row->wait_from;
	json_t *object = json_object(), *threads = json_array();
	for (size_t i = 0; i < group->count; i++)
		json_array_append_new(threads, of_thread(group->rows[i]));
	json_object_set_new(object, "doing", nt_json_text(nt_thread_doing_name(group->doing)));
	json_object_set_new(object, "count", json_integer((json_int_t)group->count));
	json_object_set_new(object, "for", row->waits ? nt_json_text(nt_wait_kind_name(row->wait)) : json_null());
	json_object_set_new(object, "means", row->waits ? nt_json_text(row->wait_means) : json_null());
	json_object_set_new(object, "site", row->waits && stack ? json_integer(stack->site) : json_null());
	json_object_set_new(object, "frames", of_stack(row));
	json_object_set_new(object, "cut", row->waits && stack ? json_boolean(stack->cut) : json_null());
	json_object_set_new(object, "partial", row->waits ? json_boolean(row->wait_partial || (stack && stack->cut)) : json_null());
	json_object_set_new(object, "threads", threads);
	return object;
}

static json_t *of_core(const struct nt_threads_core *core)
{
	json_t *object = json_object();
	json_object_set_new(object, "path", nt_json_text(core->path));
	json_object_set_new(object, "signal", core->signal ? json_integer(core->signal) : json_null());
	json_object_set_new(object, "signal_tid", core->signal_tid ? json_integer(core->signal_tid) : json_null());
	json_object_set_new(object, "exception", nt_json_text_if_any(core->exception));
	json_object_set_new(object, "message", nt_json_text_if_any(core->message));
	json_object_set_new(object, "no_managed", nt_json_text_if_any(core->no_managed));
	return object;
}

void nt_threads_write_json(FILE *out, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns, const struct nt_threads_core *core)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	struct nt_thread_groups groups = nt_thread_groups_make(process, !core || !core->no_managed);
	json_t *object = json_object(), *list = json_array(), *counts = json_object();
	for (size_t i = 0; i < groups.count; i++)
		json_array_append_new(list, of_group(&groups.items[i]));
	for (enum nt_thread_doing doing = 0; doing < NT_THREAD_DOINGS; doing++)
		json_object_set_new(counts, nt_thread_doing_name(doing), json_integer((json_int_t)groups.doing[doing]));
	json_object_set_new(object, "type", nt_json_text("threads"));
	json_object_set_new(object, "schema", json_integer(SCHEMA));
	json_object_set_new(object, "pid", json_integer(process->target.pid));
	json_object_set_new(object, "name", nt_json_text(process->target.name));
	json_object_set_new(object, "runtime", nt_json_text(process->target.runtime));
	json_object_set_new(object, "time_unix_ns", json_integer((json_int_t)snapshot->t1 + realtime_offset_ns));
	if (core)
		json_object_set_new(object, "core", of_core(core));
	json_object_set_new(object, "thread_count", json_integer((json_int_t)groups.row_count));
	json_object_set_new(object, "doing_count", counts);
	json_object_set_new(object, "groups", list);
	json_dumpf(object, out, JSON_COMPACT);
	fputc('\n', out);
	json_decref(object);
	nt_thread_groups_fini(&groups);
}
