// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit_rows.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static const char other_methods[] = "(other methods)";
static const char no_name[] = "(name not said)";

enum { NAME_MAX_BYTES = 1024 }; /* of a dynamic method whose number is taken off; a longer name is cut */

void nt_jit_rows_init(struct nt_jit_rows *rows)
{
	*rows = (struct nt_jit_rows){ 0 };
}

void nt_jit_rows_fini(struct nt_jit_rows *rows)
{
	free(rows->items);
	nt_index_fini(&rows->by_name);
	*rows = (struct nt_jit_rows){ 0 };
}

/* ---- names ---- */

struct name {
	const char *text; /* not NUL-terminated; valid until the heap is asked again, but without a `ref` */
	size_t length;
	nt_text_ref ref; /* 0 = it is not in the heap */
	char buf[NAME_MAX_BYTES];
};

/* `lambda_method214(Closure, Row)` without its number. */
static void take_number_off(struct name *name)
{
	const char *arguments = memchr(name->text, '(', name->length);
	size_t method = arguments ? (size_t)(arguments - name->text) : name->length;
	size_t kept = method;
	while (kept && name->text[kept - 1] >= '0' && name->text[kept - 1] <= '9')
		kept--;
	size_t rest = name->length - method;
	if (kept == 0 || kept == method || kept > sizeof(name->buf))
		return;
	if (rest > sizeof(name->buf) - kept)
		rest = sizeof(name->buf) - kept;
	memcpy(name->buf, name->text, kept);
	memcpy(name->buf + kept, name->text + method, rest);
	name->text = name->buf;
	name->length = kept + rest;
	name->ref = 0;
}

static void name_of(const struct nt_jit_compilation *compilation, const struct nt_names *names, struct name *out)
{
	out->ref = compilation->name;
	out->text = nt_heap_get(names->heap, out->ref, &out->length);
	if (compilation->method->flags & NT_METHOD_DYNAMIC)
		take_number_off(out);
	if (!out->length) {
		out->text = no_name;
		out->length = strlen(no_name);
	}
}

/* ---- rows ---- */

static bool is_named(const struct nt_jit_method *item, const struct name *name, const struct nt_heap *heap)
{
	size_t length;
	if (name->ref)
		return nt_heap_same(heap, item->text, name->ref);
	const char *text = nt_heap_get(heap, item->text, &length);
	return length == name->length && memcmp(text, name->text, length) == 0;
}

static struct nt_jit_method *find(struct nt_jit_rows *rows, const struct name *name, uint64_t hash, const struct nt_heap *heap)
{
	for (uint32_t i = nt_index_get(&rows->by_name, hash); i != NT_INDEX_NONE; i = rows->items[i].next)
		if (is_named(&rows->items[i], name, heap))
			return &rows->items[i];
	return NULL;
}

static struct nt_jit_method *row_of(struct nt_jit_rows *rows, const struct name *name, const struct nt_names *names)
{
	uint64_t hash = nt_hash_bytes(name->text, name->length);
	struct nt_jit_method *item = find(rows, name, hash, names->heap);
	if (item) {
		if (name->ref)
			item->text = name->ref; /* what told of it before may be forgotten */
		return item;
	}
	if (rows->count >= NT_JIT_METHODS && name->text != other_methods) {
		const struct name other = { .text = other_methods, .length = strlen(other_methods) };
		return row_of(rows, &other, names);
	}
	rows->items = nt_grow(rows->items, &rows->capacity, rows->count + 1, sizeof(*rows->items));
	item = &rows->items[rows->count];
	*item = (struct nt_jit_method){ .text = name->ref ? name->ref : nt_heap_add_packed(names->heap, name->text, name->length),
					.born = rows->interval,
					.next = nt_index_get(&rows->by_name, hash) };
	nt_index_put(&rows->by_name, hash, (uint32_t)rows->count++);
	if (name->text == other_methods)
		rows->other = (uint32_t)rows->count;
	return item;
}

uint32_t nt_jit_rows_add(struct nt_jit_rows *rows, const struct nt_jit_compilation *compilation, const struct nt_names *names)
{
	const struct nt_ev_method *method = compilation->method;
	struct name name;
	name_of(compilation, names, &name);
	struct nt_jit_method *row = row_of(rows, &name, names);
	if (row->counted != rows->interval) {
		row->counted = rows->interval;
		row->count = row->time_ns = 0;
	}
	row->count++;
	row->count_all++;
	row->rejected_all += compilation->trigger == NT_JIT_REJECTED;
	row->time_ns += compilation->duration_ns;
	row->time_all_ns += compilation->duration_ns;
	if (compilation->duration_ns > row->max_ns)
		row->max_ns = compilation->duration_ns;
	row->address = method->start;
	row->il_bytes = compilation->il_bytes;
	row->native_bytes = method->size < UINT32_MAX ? (uint32_t)method->size : UINT32_MAX;
	row->tier = (uint8_t)nt_jit_tier(method);
	row->trigger = (uint8_t)compilation->trigger;
	uint32_t index = (uint32_t)(row - rows->items);
	row->module = index + 1 == rows->other ? NT_INDEX_NONE : compilation->module;
	return index;
}

void nt_jit_rows_add_cpu(struct nt_jit_rows *rows, uint32_t row, uint64_t cpu_ns)
{
	rows->items[row].cpu_count_all++;
	rows->items[row].cpu_all_ns += cpu_ns;
}

/* ---- showing ---- */

static void fill_row(const struct nt_jit_rows *rows, size_t index, struct nt_jit_row *out)
{
	const struct nt_jit_method *method = &rows->items[index];
	bool now = method->counted == rows->interval;
	*out = (struct nt_jit_row){ .id = index + 1,
				    .tier = (enum nt_tier)method->tier,
				    .trigger = (enum nt_jit_trigger)method->trigger,
				    .count = now ? method->count : 0,
				    .count_all = method->count_all,
				    .time_ns = now ? method->time_ns : 0,
				    .time_all_ns = method->time_all_ns,
				    .max_ns = method->max_ns,
				    .rejected_all = method->rejected_all,
				    .cpu_count_all = method->cpu_count_all,
				    .cpu_all_ns = method->cpu_all_ns,
				    .il_bytes = method->il_bytes,
				    .native_bytes = method->native_bytes,
				    .fresh = method->born == rows->interval };
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_jit_row *x = a, *y = b;
	if (x->time_all_ns != y->time_all_ns)
		return x->time_all_ns > y->time_all_ns ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void name_rows(struct nt_jit_rows *rows, const struct nt_names *names, struct nt_jit_row *shown, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct nt_jit_method *method = &rows->items[shown[i].id - 1];
		if (!method->name)
			method->name = nt_names_keep(names, method->text);
		shown[i].name = method->name ? method->name : no_name; /* the heap was full */
	}
}

/* First all ask, then all are named: any method of a module will do. */
static void name_modules(const struct nt_jit_rows *rows, struct nt_jit_group_table *modules, struct nt_resolver *resolver,
			 struct nt_jit_row *shown, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct nt_jit_method *method = &rows->items[shown[i].id - 1];
		struct nt_jit_group *module = method->module != NT_INDEX_NONE ? &modules->items[method->module] : NULL;
		if (module && !module->name)
			module->name = nt_resolver_module(resolver, method->address, shown[i].name, module->asked ? NULL : &module->asked);
	}
	for (size_t i = 0; i < count; i++) {
		const struct nt_jit_method *method = &rows->items[shown[i].id - 1];
		shown[i].module = method->module != NT_INDEX_NONE ? modules->items[method->module].name : NULL;
	}
}

void nt_jit_rows_close(struct nt_jit_rows *rows, struct nt_jit_group_table *modules, struct nt_resolver *resolver,
		       const struct nt_names *names, bool final, struct nt_process_snapshot *process)
{
	uint64_t least_ns = final ? 0 : rows->least_ns;
	size_t limit = final ? rows->count : NT_JIT_SHOWN, count = 0, capacity = 0;
	struct nt_jit_row *shown = NULL;
	for (size_t i = 0; i < rows->count; i++) {
		if (rows->items[i].time_all_ns < least_ns)
			continue;
		shown = nt_grow(shown, &capacity, count + 1, sizeof(*shown));
		fill_row(rows, i, &shown[count++]);
	}
	if (count)
		qsort(shown, count, sizeof(*shown), compare_rows);
	if (count > limit) {
		count = limit;
		shown = nt_realloc(shown, count, sizeof(*shown));
	}
	if (count == NT_JIT_SHOWN && !final)
		rows->least_ns = shown[count - 1].time_all_ns;
	name_rows(rows, names, shown, count);
	name_modules(rows, modules, resolver, shown, count);
	process->jit_methods = shown;
	process->jit_method_count = count;
	process->jit_methods_hidden = rows->count - count;
	rows->interval++;
}

void nt_jit_rows_each_ref(struct nt_jit_rows *rows, nt_ref_visit *visit, void *context)
{
	for (size_t i = 0; i < rows->count; i++)
		visit(&rows->items[i].text, context);
}
