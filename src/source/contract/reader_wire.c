// SPDX-License-Identifier: GPL-2.0-only
#include "source/contract/reader_wire.h"

#include "decode/contract/contract_heap.h"
#include "decode/core/core_file.h"

#include <string.h>

static bool fits(const void *packet, size_t length, void *record, size_t size)
{
	if (length < size)
		return false;
	memcpy(record, packet, size);
	return true;
}

static size_t take_state(const uint8_t *packet, size_t length, struct nt_reader_state *out)
{
	if (!fits(packet, length, out, sizeof(*out)) || out->threads > 1 || out->stacks > 1 || out->names > 1)
		return 0;
	out->reason[NT_READER_REASON - 1] = '\0';
	return sizeof(*out);
}

static size_t take_thread(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_thread *thread = &out->thread;
	if (!fits(packet, length, thread, sizeof(*thread)) || thread->how >= NT_READER_HOW_COUNT || thread->count > NT_READER_FRAMES ||
	    thread->count * sizeof(uint64_t) > length - sizeof(*thread))
		return 0;
	size_t taken = sizeof(*thread) + thread->count * sizeof(uint64_t);
	if (thread->type_length > NT_READER_TYPE_MAX || thread->type_length > length - taken)
		return 0;
	out->frames = packet + sizeof(*thread);
	out->name = (const char *)packet + taken;
	return taken + thread->type_length;
}

/* It is of code around the address that was asked for, and not of half the memory. */
static bool is_around(uint64_t start, uint64_t size, uint64_t address)
{
	uint64_t end;
	return size <= NT_READER_CODE_MAX && !__builtin_add_overflow(start, size, &end) && address >= start && address < end;
}

static size_t take_name(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_named *named = &out->named;
	if (!fits(packet, length, named, sizeof(*named)) || named->naming >= NT_READER_NAMING_COUNT || named->length > NT_READER_NAME_MAX ||
	    named->length > length - sizeof(*named))
		return 0;
	out->name = (const char *)packet + sizeof(*named);
	return sizeof(*named) + named->length;
}

static size_t take_named(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	const struct nt_reader_named *named = &out->named;
	size_t taken = take_name(packet, length, out);
	bool told = named->naming == NT_READER_NAME_TOLD, now = named->naming == NT_READER_NAME_NOW;
	if (!taken || (told && !named->length) || (!told && !now && named->length))
		return 0;
	if ((told || now || named->naming == NT_READER_NAME_PASSING) && !is_around(named->start, named->size, named->address))
		return 0;
	return taken;
}

/* There are fewer things to be said of a type. */
static size_t take_typed(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	const struct nt_reader_named *named = &out->named;
	size_t taken = take_name(packet, length, out);
	bool told = named->naming == NT_READER_NAME_TOLD;
	if (!taken || (!told && named->naming != NT_READER_NAME_NONE && named->naming != NT_READER_NAME_LATER) ||
	    told != (named->length != 0) || named->length > NT_READER_TYPE_MAX)
		return 0;
	return taken;
}

static size_t take_static(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	size_t taken = take_name(packet, length, out);
	return out->named.naming == NT_READER_NAME_TOLD && out->named.length && out->named.length <= NT_READER_TYPE_MAX ? taken : 0;
}

static size_t take_pooled(const uint8_t *packet, size_t length, struct nt_reader_pooled *out)
{
	if (!fits(packet, length, out, sizeof(*out)) || out->known > 1 || out->queued_known > out->known)
		return 0;
	bool nothing = !out->working && !out->existing && !out->goal && !out->min && !out->max;
	bool agrees = out->working <= out->existing && out->existing <= NT_READER_WORKERS && out->goal <= NT_READER_WORKERS &&
		      out->min <= out->max && out->max <= NT_READER_WORKERS;
	return agrees && (out->known || nothing) && (out->queued_known || !out->queued) ? sizeof(*out) : 0;
}

static size_t take_il_map(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_il_map *map = &out->il_map;
	if (!fits(packet, length, map, sizeof(*map)) || map->how >= NT_READER_IL_HOW_COUNT || map->count > NT_READER_IL_MOST)
		return 0;
	size_t bytes = map->count * 2 * sizeof(uint32_t);
	if (bytes > length - sizeof(*map) ||
	    (map->how == NT_READER_IL_TOLD ? !is_around(map->start, map->size, map->address) : map->count != 0))
		return 0;
	out->offsets = packet + sizeof(*map);
	return sizeof(*map) + bytes;
}

static size_t take_copied(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_copied *copied = &out->copied;
	if (!fits(packet, length, copied, sizeof(*copied)) || copied->length > NT_READER_COPY_BYTES ||
	    copied->length > length - sizeof(*copied))
		return 0;
	out->bytes = packet + sizeof(*copied);
	return sizeof(*copied) + copied->length;
}

static size_t take_ruled(const uint8_t *packet, size_t length, struct nt_reader_ruled *out)
{
	if (!fits(packet, length, out, sizeof(*out)) || out->known > 1 || out->cfa_reg >= NT_REG_COUNT || out->cfa_is_word_there > 1)
		return 0;
	bool alone = !out->known && !out->start && !out->end;
	return alone || is_around(out->start, out->end - out->start, out->address) ? sizeof(*out) : 0;
}

static size_t take_allocated(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_allocated *allocated = &out->allocated;
	size_t each = sizeof(struct nt_reader_thread_allocated);
	if (!fits(packet, length, allocated, sizeof(*allocated)) || allocated->count > NT_READER_ALLOCATED_MAX ||
	    allocated->count * each > length - sizeof(*allocated))
		return 0;
	out->bytes = packet + sizeof(*allocated);
	return sizeof(*allocated) + allocated->count * each;
}

/* ---- of a core dump ---- */

static size_t take_core(const uint8_t *packet, size_t length, struct nt_reader_core *out)
{
	if (!fits(packet, length, out, sizeof(*out)) || out->result >= NT_CORE_RESULTS || out->thread_count > NT_CORE_THREADS_MAX)
		return 0;
	out->name[sizeof(out->name) - 1] = '\0';
	return sizeof(*out);
}

static size_t take_file(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_file *file = &out->file;
	if (!fits(packet, length, file, sizeof(*file)) || file->start >= file->end || file->id_length > sizeof(file->id) ||
	    !file->path_length || file->path_length >= NT_CORE_PATH_MAX || file->path_length > length - sizeof(*file))
		return 0;
	out->name = (const char *)packet + sizeof(*file);
	return memchr(out->name, '\0', file->path_length) ? 0 : sizeof(*file) + file->path_length;
}

static size_t take_fits(const uint8_t *packet, size_t length, struct nt_reader_fits *out)
{
	bool good = fits(packet, length, out, sizeof(*out)) && out->fit < NT_READER_FIT_COUNT;
	return good ? sizeof(*out) : 0;
}

static size_t take_stack(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_stack *stack = &out->stack;
	if (!fits(packet, length, stack, sizeof(*stack)) || stack->count > NT_READER_STACK_MOST || stack->whole > 1 ||
	    stack->managed_whole > 1 || stack->count * sizeof(uint64_t) > length - sizeof(*stack))
		return 0;
	out->frames = packet + sizeof(*stack);
	return sizeof(*stack) + stack->count * sizeof(uint64_t);
}

static size_t take_person(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_person *person = &out->person;
	if (!fits(packet, length, person, sizeof(*person)) || person->name_length > NT_READER_THREAD_NAME ||
	    person->type_length > NT_READER_TYPE_MAX || person->message_length > NT_READER_MESSAGE)
		return 0;
	size_t texts = (size_t)person->name_length + person->type_length + person->message_length;
	out->name = (const char *)packet + sizeof(*person);
	return texts <= length - sizeof(*person) ? sizeof(*person) + texts : 0;
}

static size_t take_heaped(const uint8_t *packet, size_t length, struct nt_reader_heaped *out)
{
	bool good = fits(packet, length, out, sizeof(*out)) && out->result < NT_CONTRACT_HEAP_RESULTS && out->read_bytes <= out->of_bytes;
	return good ? sizeof(*out) : 0;
}

static size_t take_objects(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_objects *objects = &out->objects;
	if (!fits(packet, length, objects, sizeof(*objects)) || !objects->count || objects->bytes < objects->count ||
	    objects->number >= NT_READER_OBJECT_TYPES || objects->length > NT_READER_TYPE_MAX ||
	    objects->length > length - sizeof(*objects))
		return 0;
	out->name = (const char *)packet + sizeof(*objects);
	return sizeof(*objects) + objects->length;
}

static size_t take_list(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_list *list = &out->list;
	if (!fits(packet, length, list, sizeof(*list)))
		return 0;
	bool nodes = list->what == NT_READER_NODES;
	size_t each = nodes ? sizeof(struct nt_reader_node) : sizeof(uint64_t);
	if (list->count > (nodes ? NT_READER_NODES_MAX : NT_READER_WORDS_MAX) || list->count * each > length - sizeof(*list) ||
	    (list->what == NT_READER_PAIRS && list->count % 2) || list->kind >= NT_READER_ROOT_KINDS)
		return 0;
	out->bytes = packet + sizeof(*list);
	return sizeof(*list) + list->count * each;
}

static size_t take_field(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	struct nt_reader_field *field = &out->field;
	if (!fits(packet, length, field, sizeof(*field)) || field->owner_length > NT_READER_TYPE_MAX || !field->name_length ||
	    field->name_length > NT_READER_TYPE_MAX || !field->object || !field->bytes)
		return 0;
	size_t texts = (size_t)field->owner_length + field->name_length;
	out->name = (const char *)packet + sizeof(*field);
	return texts <= length - sizeof(*field) ? sizeof(*field) + texts : 0;
}

static size_t take_rooted(const uint8_t *packet, size_t length, struct nt_reader_rooted *out)
{
	bool good = fits(packet, length, out, sizeof(*out)) && out->roots_whole <= 1 && out->statics_whole <= 1;
	return good ? sizeof(*out) : 0;
}

size_t nt_reader_take(const uint8_t *packet, size_t length, struct nt_reader_record *out)
{
	if (!fits(packet, length, &out->what, sizeof(out->what)))
		return 0;
	switch (out->what) {
	case NT_READER_STATE:
		return take_state(packet, length, &out->state);
	case NT_READER_THREAD:
		return take_thread(packet, length, out);
	case NT_READER_END:
		return fits(packet, length, &out->end, sizeof(out->end)) ? sizeof(out->end) : 0;
	case NT_READER_NAMED:
		return take_named(packet, length, out);
	case NT_READER_TYPED:
		return take_typed(packet, length, out);
	case NT_READER_STATIC:
		return take_static(packet, length, out);
	case NT_READER_POOLED:
		return take_pooled(packet, length, &out->pooled);
	case NT_READER_IL_MAP:
		return take_il_map(packet, length, out);
	case NT_READER_COPIED:
		return take_copied(packet, length, out);
	case NT_READER_ALLOCATED:
		return take_allocated(packet, length, out);
	case NT_READER_RULED:
		return take_ruled(packet, length, &out->ruled);
	case NT_READER_CORE:
		return take_core(packet, length, &out->core);
	case NT_READER_FILE:
		return take_file(packet, length, out);
	case NT_READER_FITS:
		return take_fits(packet, length, &out->fits);
	case NT_READER_STACK:
		return take_stack(packet, length, out);
	case NT_READER_PERSON:
		return take_person(packet, length, out);
	case NT_READER_HEAPED:
		return take_heaped(packet, length, &out->heaped);
	case NT_READER_OBJECTS:
		return take_objects(packet, length, out);
	case NT_READER_NODES:
	case NT_READER_EDGES:
	case NT_READER_ROOTS:
	case NT_READER_PAIRS:
		return take_list(packet, length, out);
	case NT_READER_FIELD:
		return take_field(packet, length, out);
	case NT_READER_ROOTED:
		return take_rooted(packet, length, &out->rooted);
	default:
		return 0;
	}
}
