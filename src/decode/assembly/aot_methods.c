// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/aot_methods.h"

#include "base/alloc.h"
#include "decode/assembly/aot_types.h"
#include "decode/assembly/native_format.h"

#include <stdlib.h>
#include <string.h>

/* Programs have some thousands to some hundred thousand. */
enum { METHODS_MAX = 1 << 20 };

/* StackTraceDataCommand. */
enum { TYPE = 1, NAME = 2, SIGNATURE = 4, GENERIC_SIGNATURE = 8, HIDDEN = 16, ALL = TYPE | NAME | SIGNATURE | GENERIC_SIGNATURE | HIDDEN };

/* Sets what the command says is another one than that of the method before. */
static bool read_command(struct nt_reader *reader, struct nt_aot_method *method)
{
	unsigned command = nt_reader_u8(reader);
	if (command & TYPE)
		method->type = nt_reader_u32(reader);
	if (command & NAME)
		method->name = nt_native_unsigned(reader);
	if (command & (SIGNATURE | GENERIC_SIGNATURE))
		method->signature = nt_native_unsigned(reader);
	if (command & GENERIC_SIGNATURE)
		nt_native_unsigned(reader); /* what its type parameters are called, which is not shown */
	return !(command & ~(unsigned)ALL) && !reader->bad;
}

static int by_address(const void *a, const void *b)
{
	const struct nt_aot_method *first = a, *second = b;
	return first->address < second->address ? -1 : first->address > second->address;
}

static bool same(const struct nt_aot_method *a, const struct nt_aot_method *b)
{
	return a->type == b->type && a->name == b->name && a->signature == b->signature;
}

void nt_aot_methods_finish(struct nt_aot_methods *methods)
{
	size_t kept = 0, next;
	if (methods->count)
		qsort(methods->items, methods->count, sizeof(*methods->items), by_address);
	for (size_t i = 0; i < methods->count; i = next) {
		bool unclear = false;
		for (next = i + 1; next < methods->count && methods->items[next].address == methods->items[i].address; next++)
			unclear |= !same(&methods->items[i], &methods->items[next]);
		if (!unclear)
			methods->items[kept++] = methods->items[i];
	}
	methods->count = kept;
}

static void add(struct nt_aot_methods *out, const struct nt_aot_method *method)
{
	if (out->count == METHODS_MAX)
		return;
	out->items = nt_grow(out->items, &out->capacity, out->count + 1, sizeof(*out->items));
	out->items[out->count++] = *method;
}

void nt_aot_methods_read_traced(const struct nt_aot_blob *table, struct nt_aot_methods *out)
{
	struct nt_reader reader = nt_reader_of(table->bytes, table->size);
	struct nt_aot_method method = { 0 };
	nt_reader_u32(&reader); /* how many; so it says */
	while (nt_reader_left(&reader) && read_command(&reader, &method)) {
		uint64_t here = table->address + (table->size - nt_reader_left(&reader)); /* the distance is that from its own place */
		method.address = here + (uint64_t)(int64_t)nt_reader_i32(&reader);
		/* One that is hidden from stack traces need not have a name. */
		if (!reader.bad && method.type && method.name && method.signature)
			add(out, &method);
	}
}

/* ---- those that reflection finds ---- */

static bool read_blob(void *context, uint64_t offset, void *buf, size_t size)
{
	const struct nt_aot_blob *blob = context;
	memcpy(buf, blob->bytes + offset, size);
	return true;
}

/* InvokeTableFlags. HAS_METADATA only before .NET 10, where all have. */
enum { HAS_METADATA = 4, HAS_CODE = 0x20 };

/* Reads one entry: flags, method, type, code; the last two are numbers of references. False: it has no code, or is broken. */
static bool read_entry(const struct nt_aot_metadata *metadata, struct nt_reader *reader, uint32_t *record, uint32_t *code)
{
	unsigned flags = nt_native_unsigned(reader);
	*record = nt_native_unsigned(reader);
	nt_native_unsigned(reader);
	*code = nt_native_unsigned(reader);
	return !reader->bad && flags & HAS_CODE && (flags & HAS_METADATA || !nt_aot_metadata_marks(metadata));
}

static void add_reflected(const struct nt_aot_metadata *metadata, const struct nt_aot_types *types, struct nt_reader *entry,
			  const struct nt_aot_blob *references, struct nt_aot_methods *out)
{
	struct nt_aot_method method;
	uint32_t record, code;
	int32_t distance;
	if (!read_entry(metadata, entry, &record, &code) || code >= references->size / sizeof(distance) ||
	    !nt_aot_types_method(types, metadata, record, &method))
		return;
	memcpy(&distance, references->bytes + code * sizeof(distance), sizeof(distance));
	method.address = references->address + code * sizeof(distance) + (uint64_t)(int64_t)distance;
	add(out, &method);
}

void nt_aot_methods_read_reflected(const struct nt_aot_metadata *metadata, const struct nt_aot_blob *invoked,
				   const struct nt_aot_blob *references, struct nt_aot_methods *out)
{
	struct nt_aot_blob blob = *invoked;
	struct nt_window *window = nt_window_new(&(struct nt_window_source){ .read = read_blob, .context = &blob, .size = invoked->size });
	struct nt_native_table table;
	struct nt_aot_types types = { 0 };
	uint64_t offset;
	if (invoked->size <= UINT32_MAX && nt_native_table_read(window, 0, (uint32_t)invoked->size, &table)) {
		nt_aot_types_read(metadata, &types);
		/* Each entry takes two bytes. */
		for (size_t left = invoked->size / 2; left && nt_native_table_next(&table, &offset); left--) {
			struct nt_reader entry = nt_reader_of(invoked->bytes + offset, invoked->size - (size_t)offset);
			add_reflected(metadata, &types, &entry, references, out);
		}
		nt_aot_types_fini(&types);
	}
	nt_window_free(window);
}

const struct nt_aot_method *nt_aot_methods_at(const struct nt_aot_methods *methods, uint64_t address)
{
	const struct nt_aot_method wanted = { .address = address };
	return methods->count ? bsearch(&wanted, methods->items, methods->count, sizeof(wanted), by_address) : NULL;
}
