// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/aot_types.h"

#include "base/alloc.h"
#include "decode/assembly/native_format.h"
#include "decode/common/reader.h"

#include <stdlib.h>

enum { DEPTH_MAX = 64, OWNERS_MAX = 1 << 20 };

/* Through all types. */
struct walk {
	const struct nt_aot_metadata *metadata;
	struct nt_aot_types *out;
	size_t left; /* handles that may still be followed or kept */
	unsigned depth;
};

static struct nt_reader record(const struct nt_aot_metadata *metadata, uint32_t offset)
{
	if (!offset || offset >= metadata->size)
		return (struct nt_reader){ .bad = true };
	return nt_reader_of(metadata->bytes + offset, metadata->size - offset);
}

static void skip(struct nt_reader *reader, unsigned count)
{
	while (count--)
		nt_native_unsigned(reader);
}

/* Calls `visit` for each of a list of records. False: that is enough, or the list is broken. */
static bool each(struct walk *walk, struct nt_reader *list, bool (*visit)(struct walk *walk, uint32_t offset))
{
	if (walk->depth == DEPTH_MAX)
		return false;
	walk->depth++;
	bool ok = true;
	for (uint32_t count = nt_native_unsigned(list); ok && count; count--) {
		uint32_t offset = nt_native_unsigned(list);
		ok = !list->bad && walk->left;
		walk->left -= ok;
		ok = ok && visit(walk, offset);
	}
	walk->depth--;
	return ok && !list->bad;
}

/* A list that is of no interest. */
static bool skip_list(struct walk *walk, struct nt_reader *list)
{
	uint32_t count = nt_native_unsigned(list);
	if (list->bad || count > walk->left)
		return false;
	walk->left -= count;
	skip(list, count);
	return !list->bad;
}

/*
 * The type whose methods are gone through is the last one that was begun: its number stands in `type` of an owner that is not counted
 * yet.
 */
static bool keep_method(struct walk *walk, uint32_t offset)
{
	struct nt_aot_types *out = walk->out;
	uint32_t type = out->owners[out->count].type;
	if (out->count == OWNERS_MAX)
		return false;
	out->owners[out->count++].method = offset;
	out->owners = nt_grow(out->owners, &out->capacity, out->count + 1, sizeof(*out->owners));
	out->owners[out->count].type = type;
	return true;
}

static bool see_type(struct walk *walk, uint32_t offset)
{
	struct nt_reader reader = record(walk->metadata, offset);
	skip(&reader, 7); /* flags, base type, namespace, name, size, packing, outer type */
	if (!each(walk, &reader, see_type))
		return false;
	struct nt_aot_types *out = walk->out;
	out->owners = nt_grow(out->owners, &out->capacity, out->count + 1, sizeof(*out->owners));
	out->owners[out->count].type = offset;
	return each(walk, &reader, keep_method);
}

static bool see_namespace(struct walk *walk, uint32_t offset)
{
	struct nt_reader reader = record(walk->metadata, offset);
	skip(&reader, 2); /* what it is in, name */
	return each(walk, &reader, see_type) && skip_list(walk, &reader) /* forwarders */ && each(walk, &reader, see_namespace);
}

static bool see_assembly(struct walk *walk, uint32_t offset)
{
	struct nt_reader reader = record(walk->metadata, offset);
	skip(&reader, 7);                                      /* flags, name, hash, four numbers of the version */
	nt_reader_bytes(&reader, nt_native_unsigned(&reader)); /* public key */
	skip(&reader, 1);                                      /* culture */
	uint32_t root = nt_native_unsigned(&reader);
	return !reader.bad && see_namespace(walk, root);
}

static int by_method(const void *a, const void *b)
{
	const struct nt_aot_owner *first = a, *second = b;
	return first->method < second->method ? -1 : first->method > second->method;
}

void nt_aot_types_read(const struct nt_aot_metadata *metadata, struct nt_aot_types *out)
{
	struct walk walk = { .metadata = metadata, .out = out, .left = metadata->size };
	struct nt_reader assemblies = record(metadata, sizeof(uint32_t)); /* behind the magic number */
	*out = (struct nt_aot_types){ 0 };
	each(&walk, &assemblies, see_assembly);
	if (out->count)
		qsort(out->owners, out->count, sizeof(*out->owners), by_method);
}

void nt_aot_types_fini(struct nt_aot_types *types)
{
	free(types->owners);
	*types = (struct nt_aot_types){ 0 };
}

bool nt_aot_types_method(const struct nt_aot_types *types, const struct nt_aot_metadata *metadata, uint32_t record_at,
			 struct nt_aot_method *out)
{
	const struct nt_aot_owner wanted = { .method = record_at };
	const struct nt_aot_owner *owner = types->count ? bsearch(&wanted, types->owners, types->count, sizeof(wanted), by_method) : NULL;
	if (!owner)
		return false;
	struct nt_reader reader = record(metadata, record_at);
	*out = (struct nt_aot_method){ .type = nt_aot_handle(metadata, NT_AOT_TYPE_DEFINITION, owner->type) };
	skip(&reader, 2); /* flags, flags of the implementation */
	out->name = nt_native_unsigned(&reader);
	out->signature = nt_native_unsigned(&reader);
	return !reader.bad && out->name && out->signature;
}
