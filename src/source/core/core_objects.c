// SPDX-License-Identifier: GPL-2.0-only
/* The heap of a core, told object by object: nothing is kept here that grows with it. */
#include "decode/contract/contract_heap.h"
#include "decode/contract/contract_roots.h"
#include "decode/contract/contract_static_list.h"
#include "source/core/core_process_internal.h"

#include <string.h>

enum {
	NODES = NT_READER_NODES_MAX,
	WORDS = NT_READER_WORDS_MAX,
	STACK_MOST = 16 << 20, /* of a thread: what is further out is looked at no more */
	BELOW_THE_STACK = 128, /* that a function may use without saying so */
	BESIDE = 100,          /* pages that are not of the stack */
	ROOTS_MAX = 1 << 20,
	PAGES_OF_STATICS = 200000,
	MOST_STRIDE = 4096,
	WORD = 8
};

struct telling {
	struct nt_core_process *process;
	struct nt_contract_heap heap;
	struct nt_index known; /* words of stacks that were told of */
	size_t node_count, edge_count, root_count, pair_count, static_count;
	enum nt_reader_root root_kind;
	struct nt_reader_node nodes[NODES];
	uint64_t edges[WORDS], roots[WORDS], pairs[WORDS];
	bool whole; /* of what keeps objects alive */
};

/* ---- objects and references ---- */

static void send_nodes(struct telling *telling)
{
	const struct nt_reader_list told = { .what = NT_READER_NODES, .count = (uint32_t)telling->node_count };
	if (telling->node_count)
		nt_core_process_say(telling->process, &told, sizeof(told), telling->nodes, telling->node_count * sizeof(telling->nodes[0]));
	telling->node_count = 0;
}

static void send_words(struct telling *telling, enum nt_reader_what what, uint32_t kind, const uint64_t *words, size_t *count)
{
	const struct nt_reader_list told = { .what = what, .count = (uint32_t)*count, .kind = kind };
	if (*count)
		nt_core_process_say(telling->process, &told, sizeof(told), words, *count * sizeof(*words));
	*count = 0;
}

static void take_object(void *context, const struct nt_contract_object *object)
{
	struct telling *telling = context;
	if (telling->node_count == NODES)
		send_nodes(telling);
	telling->nodes[telling->node_count++] =
		(struct nt_reader_node){ .address = object->address,
					 .bytes = object->bytes,
					 .type = (uint32_t)object->type,
					 .references = object->references < UINT32_MAX ? (uint32_t)object->references : UINT32_MAX };
}

static void take_reference(void *context, uint64_t to)
{
	struct telling *telling = context;
	if (telling->edge_count == WORDS)
		send_words(telling, NT_READER_EDGES, 0, telling->edges, &telling->edge_count);
	telling->edges[telling->edge_count++] = to;
}

/* ---- what keeps them alive ---- */

static void put_root(struct telling *telling, enum nt_reader_root kind, uint64_t object)
{
	if (telling->root_count == WORDS || kind != telling->root_kind)
		send_words(telling, NT_READER_ROOTS, telling->root_kind, telling->roots, &telling->root_count);
	telling->root_kind = kind;
	telling->roots[telling->root_count++] = object;
}

static void take_root(void *context, enum nt_contract_root kind, uint64_t object)
{
	static const enum nt_reader_root kinds[] = { [NT_CONTRACT_ROOT_HANDLE] = NT_READER_ROOT_HANDLE,
						     [NT_CONTRACT_ROOT_FINALIZER] = NT_READER_ROOT_FINALIZER,
						     [NT_CONTRACT_ROOT_THREAD] = NT_READER_ROOT_THREAD };
	put_root(context, kinds[kind], object);
}

static void take_pair(void *context, uint64_t key, uint64_t value)
{
	struct telling *telling = context;
	if (telling->pair_count + 2 > WORDS)
		send_words(telling, NT_READER_PAIRS, 0, telling->pairs, &telling->pair_count);
	telling->pairs[telling->pair_count++] = key;
	telling->pairs[telling->pair_count++] = value;
}

/* A word of a stack, or of a register: it may be an object's address, or only look like it. Whether one begins there says who has all objects. */
static void take_word(struct telling *telling, uint64_t word)
{
	if (word % WORD || !nt_contract_heap_has(&telling->heap, word) || telling->known.used == ROOTS_MAX ||
	    nt_index_get(&telling->known, word) != NT_INDEX_NONE)
		return;
	nt_index_put(&telling->known, word, 0);
	put_root(telling, NT_READER_ROOT_STACK, word);
}

/* From where managed code may have references to where the core has no more of it. False: it has nothing. */
static bool take_stack(struct telling *telling, const struct nt_core_thread *thread, const struct nt_contract_thread *managed)
{
	struct nt_core_process *process = telling->process;
	uint64_t words[MOST_STRIDE / WORD], sp = thread->regs.value[NT_REG_SP];
	nt_memory_allow(&process->memory, STACK_MOST / NT_PAGE_BYTES + BESIDE);
	uint64_t at = process->has_runtime ? nt_contract_stack_begin(&process->contract, managed, sp) : sp;
	size_t taken = 0, got;
	if (at == sp) {
		at = (at - BELOW_THE_STACK) & ~(uint64_t)(WORD - 1);
		for (unsigned i = 0; i < NT_CORE_WORDS; i++)
			take_word(telling, thread->words[i]);
	}
	do {
		got = nt_memory_copy(&process->memory, at + taken, (uint8_t *)words, sizeof(words));
		for (size_t i = 0; i < got / WORD; i++)
			take_word(telling, words[i]);
		taken += got;
	} while (got == sizeof(words) && taken < STACK_MOST);
	return taken > BELOW_THE_STACK;
}

/* Of threads that the runtime knows: others have no objects. */
static void take_stacks(struct telling *telling)
{
	const struct nt_core *core = &telling->process->view.core;
	for (size_t i = 0; i < core->thread_count; i++) {
		uint32_t managed = nt_index_get(&telling->process->by_tid, core->threads[i].tid);
		if (managed != NT_INDEX_NONE)
			telling->whole &= take_stack(telling, &core->threads[i], &telling->process->threads[managed]);
	}
	telling->whole &= telling->known.used < ROOTS_MAX;
}

static void tell_roots(struct telling *telling)
{
	struct nt_core_process *process = telling->process;
	const struct nt_contract_root_sink sink = { .context = telling, .root = take_root, .pair = take_pair };
	telling->whole = nt_contract_roots_read(&process->contract, process->threads, process->thread_count, &sink);
	take_stacks(telling);
	send_words(telling, NT_READER_ROOTS, telling->root_kind, telling->roots, &telling->root_count);
	send_words(telling, NT_READER_PAIRS, 0, telling->pairs, &telling->pair_count);
}

/* ---- static fields ---- */

/* 0 = not known. What is no object of a type that was found is told of nowhere. */
static uint64_t bytes_of(const struct telling *telling, uint64_t object, uint64_t *table)
{
	const struct nt_contract_heap *heap = &telling->heap;
	*table = nt_contract_type_of(&telling->process->contract, object);
	uint32_t at = nt_index_get(&heap->type_of, *table);
	bool bad = false;
	if (at == NT_INDEX_NONE || !nt_contract_heap_has(heap, object))
		return 0;
	uint32_t elements = nt_memory_u32(&telling->process->memory, object + WORD, &bad);
	return bad ? 0 : nt_contract_heap_object_bytes(&heap->types[at], elements);
}

static void take_static(void *context, const struct nt_contract_static *found)
{
	static char owner[NT_READER_TYPE_MAX + 1], name[NT_READER_TYPE_MAX + 1], texts[2 * (NT_READER_TYPE_MAX + 1)];
	struct telling *telling = context;
	struct nt_core_process *process = telling->process;
	struct nt_reader_field told = { .what = NT_READER_FIELD, .place = found->slot.address, .object = found->object };
	struct nt_text_out out = { .buf = name, .size = sizeof(name) };
	told.bytes = bytes_of(telling, found->object, &told.type);
	nt_contract_put_field(&process->modules, &found->slot, &out);
	told.name_length = out.full ? 0 : (uint32_t)out.length;
	told.owner_length = nt_core_process_name_type(process, found->slot.table, owner);
	if (!told.bytes || !told.name_length || telling->static_count++ >= NT_READER_STATICS_MAX)
		return;
	memcpy(texts, owner, told.owner_length);
	memcpy(texts + told.owner_length, name, told.name_length);
	nt_core_process_say(process, &told, sizeof(told), texts, (size_t)told.owner_length + told.name_length);
}

static void tell_statics(struct telling *telling)
{
	struct nt_core_process *process = telling->process;
	nt_memory_allow(&process->memory, PAGES_OF_STATICS);
	bool whole = process->fields && process->contract.layout.has[NT_CONTRACT_MODULES] &&
		     nt_contract_each_static_object(&process->modules, take_static, telling) &&
		     telling->static_count <= NT_READER_STATICS_MAX;
	const struct nt_reader_rooted told = { .what = NT_READER_ROOTED, .roots_whole = telling->whole, .statics_whole = whole };
	nt_core_process_say(process, &told, sizeof(told), NULL, 0);
}

/* ---- all of it ---- */

static uint64_t memory_bytes(const struct nt_core *core)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < core->segment_count; i++)
		bytes += core->segments[i].end - core->segments[i].start;
	return bytes;
}

static void tell_type(struct nt_core_process *process, const struct nt_contract_heap_type *type, size_t number)
{
	static char text[NT_READER_TYPE_MAX + 1];
	nt_memory_allow(&process->memory, NT_CORE_PAGES_OF_A_THREAD);
	const struct nt_reader_objects told = { .what = NT_READER_OBJECTS,
						.length = process->contract.layout.has[NT_CONTRACT_NAMES]
								  ? nt_core_process_name_type(process, type->table, text)
								  : 0,
						.type = type->table,
						.count = type->count,
						.bytes = type->bytes,
						.number = (uint32_t)number };
	nt_core_process_say(process, &told, sizeof(told), text, told.length);
}

/* Of another version of the runtime nobody knows what its collector tells. */
void nt_core_process_tell_heap(struct nt_core_process *process, bool references)
{
	static struct telling telling; /* too large for the stack */
	const struct nt_contract_heap_sink sink = { .context = &telling, .reference = take_reference, .object = take_object };
	struct nt_reader_heaped told = { .what = NT_READER_HEAPED, .result = NT_CONTRACT_HEAP_UNDESCRIBED };
	struct nt_contract_heap *heap = &telling.heap;
	telling.process = process;
	if (process->modules.contract && process->is_inside_known)
		told.result = nt_contract_heap_read(&process->contract, process->threads, process->thread_count,
						    memory_bytes(&process->view.core), references ? &sink : NULL, heap);
	send_nodes(&telling);
	send_words(&telling, NT_READER_EDGES, 0, telling.edges, &telling.edge_count);
	told.read_bytes = heap->read_bytes;
	told.of_bytes = heap->of_bytes;
	nt_core_process_say(process, &told, sizeof(told), NULL, 0);
	if (told.result == NT_CONTRACT_HEAP_READ) {
		for (size_t i = 0; i < heap->type_count; i++)
			if (heap->types[i].count)
				tell_type(process, &heap->types[i], i);
		if (references)
			tell_roots(&telling);
		tell_statics(&telling);
		nt_core_process_say_end(process, true);
	}
	nt_contract_heap_fini(heap);
	nt_index_fini(&telling.known);
}
