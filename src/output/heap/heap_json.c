// SPDX-License-Identifier: GPL-2.0-only
#include "output/heap/heap_report.h"

#include "base/alloc.h"
#include "base/text.h"
#include "output/frame/json_value.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1, TYPES_MAX = 4 << 20 };

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *time_or_null(nt_time ns)
{
	return ns == NT_TIME_UNKNOWN ? json_null() : integer((uint64_t)ns);
}

/* ---- writing ---- */

static json_t *of_types(const struct nt_heap_found *heap)
{
	json_t *array = json_array();
	for (size_t i = 0; i < heap->type_count; i++) {
		json_t *object = json_object();
		json_object_set_new(object, "type", nt_json_text(heap->types[i].name));
		json_object_set_new(object, "count", integer(heap->types[i].count));
		json_object_set_new(object, "bytes", integer(heap->types[i].bytes));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *of_statics(const struct nt_heap_found *heap)
{
	json_t *array = json_array();
	for (size_t i = 0; i < heap->static_count; i++) {
		const struct nt_heap_static *field = &heap->statics[i];
		json_t *object = json_object();
		json_object_set_new(object, "field", nt_json_text(field->field));
		json_object_set_new(object, "class", field->owner ? nt_json_text(field->owner) : json_null());
		json_object_set_new(object, "type", nt_json_text(field->type));
		json_object_set_new(object, "bytes", field->bytes_known ? integer(field->bytes) : json_null());
		json_object_set_new(object, "held_bytes", heap->statics_held ? integer(field->held_bytes) : json_null());
		json_object_set_new(object, "held_count", heap->statics_held ? integer(field->held_count) : json_null());
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *of_steps(const struct nt_heap_paths *paths)
{
	json_t *array = json_array();
	for (size_t i = 0; i < paths->step_count; i++) {
		const struct nt_heap_step *step = &paths->steps[i];
		json_t *object = json_object();
		json_object_set_new(object, "depth", integer(step->depth));
		json_object_set_new(object, "by", nt_json_text(step->name));
		json_object_set_new(object, "root", json_boolean(step->is_root));
		json_object_set_new(object, "repeats", json_boolean(step->repeats));
		json_object_set_new(object, "cut", json_boolean(step->is_cut));
		json_object_set_new(object, "count", integer(step->count));
		json_object_set_new(object, "bytes", integer(step->bytes));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *of_paths(const struct nt_heap_found *heap)
{
	json_t *array = json_array();
	for (size_t i = 0; i < heap->path_count; i++) {
		const struct nt_heap_paths *paths = heap->paths[i];
		json_t *object = json_object();
		json_object_set_new(object, "type", nt_json_text(paths->type));
		json_object_set_new(object, "count", integer(paths->count));
		json_object_set_new(object, "bytes", integer(paths->bytes));
		json_object_set_new(object, "lost", integer(paths->lost));
		json_object_set_new(object, "steps", of_steps(paths));
		json_object_set_new(object, "left_out", integer(paths->left_out));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *of_changes(const struct nt_heap_report *now, const struct nt_heap_report *before)
{
	size_t count;
	struct nt_heap_pair *pairs = nt_heap_pairs(now->heap, before->heap, &count);
	json_t *array = json_array();
	for (size_t i = 0; i < count; i++) {
		json_t *object = json_object();
		json_object_set_new(object, "type", nt_json_text(pairs[i].name));
		json_object_set_new(object, "count", integer(pairs[i].count));
		json_object_set_new(object, "bytes", integer(pairs[i].bytes));
		json_object_set_new(object, "count_before", integer(pairs[i].count_before));
		json_object_set_new(object, "bytes_before", integer(pairs[i].bytes_before));
		json_array_append_new(array, object);
	}
	free(pairs);
	return array;
}

void nt_heap_write_json(FILE *out, const struct nt_heap_report *now, const struct nt_heap_report *before)
{
	const struct nt_heap_found *heap = now->heap;
	json_t *object = json_object();
	json_object_set_new(object, "type", nt_json_text("heap"));
	json_object_set_new(object, "schema", json_integer(SCHEMA));
	json_object_set_new(object, "pid", now->pid ? integer(now->pid) : json_null());
	json_object_set_new(object, "name", nt_json_text(now->name));
	json_object_set_new(object, "runtime", nt_json_text(now->runtime));
	json_object_set_new(object, "time_unix_ns", now->time_unix_ns ? json_integer(now->time_unix_ns) : json_null());
	json_object_set_new(object, "pause_ns", time_or_null(heap->pause_ns));
	json_object_set_new(object, "took_ns", time_or_null(heap->took_ns));
	json_object_set_new(object, "stream_bytes", heap->stream_bytes ? integer(heap->stream_bytes) : json_null());
	json_object_set_new(object, "partial", json_boolean(heap->partial));
	/* Of what was lost at the very end nobody knows how much it was. */
	json_object_set_new(object, "came_pct", heap->partial && heap->came_pct >= 100 ? json_null() : json_real(heap->came_pct));
	json_object_set_new(object, "object_count", integer(heap->object_count));
	json_object_set_new(object, "bytes", integer(heap->bytes));
	json_object_set_new(object, "types", of_types(heap));
	json_object_set_new(object, "statics_partial", json_boolean(heap->statics_partial));
	json_object_set_new(object, "statics", of_statics(heap));
	json_object_set_new(object, "no_references", heap->no_graph ? nt_json_text(heap->no_graph) : json_null());
	json_object_set_new(object, "paths", of_paths(heap));
	json_object_set_new(object, "before_unix_ns", before && before->time_unix_ns ? json_integer(before->time_unix_ns) : json_null());
	json_object_set_new(object, "changes", before ? of_changes(now, before) : json_null());
	json_dumpf(object, out, JSON_COMPACT);
	fputc('\n', out);
	json_decref(object);
}

/* ---- reading ---- */

static bool read_count(const json_t *object, const char *key, uint64_t *out)
{
	const json_t *value = json_object_get(object, key);
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*out = (uint64_t)json_integer_value(value);
	return true;
}

/* What may be null: 0. */
static bool read_known(const json_t *object, const char *key, uint64_t *out)
{
	*out = 0;
	return json_is_null(json_object_get(object, key)) || read_count(object, key, out);
}

/* Control characters in a file are a stranger's, too. */
static char *read_text(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	return json_is_string(value) ? nt_text_escaped(json_string_value(value), json_string_length(value)) : NULL;
}

static bool read_types(const json_t *array, struct nt_heap_found *heap)
{
	size_t count = json_array_size(array);
	if (!json_is_array(array) || count > TYPES_MAX)
		return false;
	heap->types = nt_realloc(NULL, count + 1, sizeof(*heap->types));
	for (size_t i = 0; i < count; i++) {
		const json_t *object = json_array_get(array, i);
		struct nt_heap_type type = { .name = read_text(object, "type") };
		if (!type.name)
			return false;
		heap->types[heap->type_count++] = type;
		if (!read_count(object, "count", &heap->types[i].count) || !read_count(object, "bytes", &heap->types[i].bytes))
			return false;
	}
	return true;
}

static bool read_report(const json_t *object, struct nt_heap_file *file)
{
	const json_t *type = json_object_get(object, "type"), *came = json_object_get(object, "came_pct");
	uint64_t time;
	if (!json_is_string(type) || strcmp(json_string_value(type), "heap") != 0 || (!json_is_number(came) && !json_is_null(came)) ||
	    !read_known(object, "time_unix_ns", &time) || !read_known(object, "pid", &file->report.pid) ||
	    !read_count(object, "object_count", &file->heap->object_count) || !read_count(object, "bytes", &file->heap->bytes))
		return false;
	file->report.time_unix_ns = (int64_t)time;
	file->heap->partial = json_is_true(json_object_get(object, "partial"));
	file->heap->came_pct = json_is_null(came) ? 100 : json_number_value(came);
	file->heap->pause_ns = file->heap->took_ns = NT_TIME_UNKNOWN;
	file->name = read_text(object, "name");
	file->runtime = read_text(object, "runtime");
	return file->name && read_types(json_object_get(object, "types"), file->heap);
}

enum nt_status nt_heap_read(const char *path, struct nt_heap_file *out, struct nt_error *err)
{
	json_error_t wrong;
	json_t *object = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
	if (!object && json_error_code(&wrong) == json_error_cannot_open_file)
		return nt_error_set(err, NT_ERR_USAGE, "cannot read the heap to compare with: %s", wrong.text);
	*out = (struct nt_heap_file){ .heap = nt_alloc(sizeof(*out->heap)) };
	bool good = object && read_report(object, out);
	if (!object)
		nt_error_set(err, NT_ERR_USAGE, "%s is not JSON, line %d: %s", path, wrong.line, wrong.text);
	else if (!good)
		nt_error_set(err, NT_ERR_USAGE, "%s is not what nettop heap --json wrote", path);
	json_decref(object);
	if (!good) {
		nt_heap_file_fini(out);
		return NT_ERR_USAGE;
	}
	out->report.name = out->name;
	out->report.runtime = out->runtime;
	out->report.heap = out->heap;
	return NT_OK;
}

void nt_heap_file_fini(struct nt_heap_file *file)
{
	nt_heap_found_free(file->heap);
	free(file->name);
	free(file->runtime);
	*file = (struct nt_heap_file){ 0 };
}
