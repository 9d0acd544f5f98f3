/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of a process with a runtime that there never was: an ELF image with a description of its data, made from contract_layout.def (each field has an offset of its own), three threads, two methods of
 * generated code and a precompiled one, a call stack through all of them, a monitor that is waited for, and a thread pool. For tests that read it, and that let it lie.
 */
#ifndef TEST_MADE_RUNTIME_H
#define TEST_MADE_RUNTIME_H

#include "decode/contract/contract_threads.h"
#include "made_memory.h"
#include "made_pool.h"

#include <elf.h>
#include <jansson.h>
#include <stdio.h>

/* ---- the description ---- */

static inline void made_say_field(json_t *types, const char *type, const char *field, uint64_t value)
{
	json_t *fields = json_object_get(types, type);
	if (!fields) {
		fields = json_object();
		json_object_set_new(types, type, fields);
	}
	json_object_set_new(fields, field, json_pack("[Is]", (json_int_t)value, "any"));
}

static inline char *made_description(void)
{
	json_t *contracts = json_object(), *types = json_object(), *globals = json_pack("{s[ss]}", "Architecture", "x64", "string");
#define CONTRACT(feature, name, least, most) json_object_set_new(contracts, name, json_integer(most));
#define FIELD(feature, id, type, field)      made_say_field(types, type, field, made_offset(NT_OFF_##id));
#define SIZE(feature, id, type)              made_say_field(types, type, "!", MADE_THING);
#define GLOBAL(feature, id, name)            json_object_set_new(globals, name, json_pack("[[i]s]", NT_GLOBAL_##id, "pointer"));
#include "decode/contract/contract_layout.def"
	json_t *all = json_pack("{s:i,s:o,s:o,s:o}", "version", 0, "contracts", contracts, "types", types, "globals", globals);
	char *text = json_dumps(all, JSON_COMPACT);
	json_decref(all);
	return text;
}

/* An image at MADE_BASE whose symbol leads to the description with these pointers. */
static inline void made_image(struct made_runtime *made, const uint64_t *globals)
{
	static const char strings[] = "\0DotNetRuntimeContractDescriptor";
	uint64_t elf = made_room(made, sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr)), dynamic = made_room(made, 4 * sizeof(Elf64_Dyn));
	uint64_t hash = made_room(made, 24), symbols = made_room(made, 2 * sizeof(Elf64_Sym)), names = made_room(made, sizeof(strings));
	uint64_t descriptor = made_room(made, 40), pointers = made_room(made, NT_LAYOUT_GLOBALS * sizeof(uint64_t));
	char *text = made_description();
	uint64_t json = made_room(made, strlen(text));
	made->text = json - MADE_BASE;
	made->text_length = strlen(text);
	const Elf64_Ehdr head = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64 },
				  .e_phoff = sizeof(head),
				  .e_phentsize = sizeof(Elf64_Phdr),
				  .e_phnum = 2 };
	const Elf64_Phdr segments[] = { { .p_type = PT_LOAD },
					{ .p_type = PT_DYNAMIC, .p_vaddr = dynamic - MADE_BASE, .p_memsz = 4 * sizeof(Elf64_Dyn) } };
	const Elf64_Dyn entries[] = { { DT_GNU_HASH, { hash } }, { DT_SYMTAB, { symbols } }, { DT_STRTAB, { names } } };
	uint32_t number = 5381;
	for (const char *name = strings + 1; *name; name++)
		number = number * 33 + (uint8_t)*name;
	const uint32_t table[] = { 1, 1, 0, 0, 1, number | 1 }; /* one bucket, from symbol 1 on, no filter */
	const Elf64_Sym symbol = { .st_name = 1, .st_value = descriptor - MADE_BASE, .st_shndx = 1 };
	made_put(made, elf, &head, sizeof(head));
	made_put(made, elf + sizeof(head), segments, sizeof(segments));
	made_put(made, dynamic, entries, sizeof(entries));
	made_put(made, hash, table, sizeof(table));
	made_put(made, symbols + sizeof(symbol), &symbol, sizeof(symbol));
	made_put(made, names, strings, sizeof(strings));
	made_u64(made, descriptor, UINT64_C(0x0043414443434e44));
	made_u32(made, descriptor + 8, 1);
	made_u32(made, descriptor + 12, (uint32_t)strlen(text));
	made_u64(made, descriptor + 16, json);
	made_u32(made, descriptor + 24, NT_LAYOUT_GLOBALS);
	made_u64(made, descriptor + 32, pointers);
	made_put(made, pointers, globals, NT_LAYOUT_GLOBALS * sizeof(*globals));
	made_put(made, json, text, strlen(text));
	free(text);
}

/* ---- code ---- */

/* A section with a fragment, and UNWIND_INFO at its end: push rbp. */
static inline uint64_t made_section(struct made_runtime *made, uint64_t *fragments, uint32_t flags, uint64_t *section)
{
	static const uint8_t push_rbp[] = { 1, 0, 1, 0, 0, 0x50 };
	uint64_t code = made_room(made, MADE_CODE), fragment = made_room(made, MADE_THING);
	*section = made_room(made, MADE_THING);
	made_put(made, code + MADE_CODE - 64, push_rbp, sizeof(push_rbp));
	made_field(made, *section, NT_OFF_SECTION_BEGIN, code);
	made_field(made, *section, NT_OFF_SECTION_END, code + MADE_CODE);
	made_field(made, *section, NT_OFF_SECTION_FLAGS, flags);
	made_field(made, fragment, NT_OFF_FRAGMENT_SECTION, *section);
	made_field(made, fragment, NT_OFF_FRAGMENT_NEXT, *fragments);
	made->fragment = *fragments = fragment;
	return code;
}

static inline void made_function(struct made_runtime *made, uint64_t function, uint32_t begin, uint32_t end)
{
	made_field(made, function, NT_OFF_FUNCTION_BEGIN, begin);
	made_field(made, function, NT_OFF_FUNCTION_END, end);
	made_field(made, function, NT_OFF_FUNCTION_UNWIND, MADE_CODE - 64);
}

/* A dynamic method, the only one of its chunk, of a type that is in no module. */
static inline uint64_t made_described(struct made_runtime *made)
{
	static const char name[] = MADE_NAME;
	uint64_t chunk = made_room(made, (size_t)2 * MADE_THING), method = chunk + MADE_THING, table = made_room(made, MADE_THING);
	uint64_t text = made_room(made, sizeof(name));
	made_field(made, chunk, NT_OFF_CHUNK_TABLE, table);
	made_field(made, method, NT_OFF_METHOD_FLAGS, 7);
	made_field(made, method, NT_OFF_DYNAMIC_NAME, text);
	made_put(made, text, name, sizeof(name));
	return method;
}

/* A method of 96 bytes in generated code; its MethodDesc. */
static inline uint64_t made_method(struct made_runtime *made, uint64_t code, uint32_t begin)
{
	uint64_t header = made_room(made, 2 * MADE_THING), method = made_described(made);
	made_u64(made, code + begin - 8, header);
	made_field(made, header, NT_OFF_HEADER_METHOD, method);
	made_field(made, header, NT_OFF_HEADER_UNWIND_COUNT, 1);
	made_function(made, header + made_offset(NT_OFF_HEADER_UNWIND), begin, begin + 96);
	return method;
}

static inline void made_generated(struct made_runtime *made, uint64_t *fragments)
{
	uint64_t section, code = made_section(made, fragments, 2, &section);
	uint64_t heap = made_room(made, MADE_THING), map = made_room(made, MADE_CODE / 64);
	made_field(made, section, NT_OFF_SECTION_HEAP, heap);
	made_field(made, heap, NT_OFF_HEAP_START, code);
	made_field(made, heap, NT_OFF_HEAP_END, code + MADE_CODE);
	made_field(made, heap, NT_OFF_HEAP_MAP_BASE, code);
	made_field(made, heap, NT_OFF_HEAP_MAP, map);
	made->method = made_method(made, code, 32);
	made_method(made, code, 256 + 64);
	made_u32(made, map, 1 << 24);
	made_u32(made, map + 4, 1 << 20);
	made->pcs[0] = code + 32 + 10;
	made->pcs[1] = code + 256 + 64 + 20;
}

static inline void made_precompiled(struct made_runtime *made, uint64_t *fragments)
{
	enum { BEGIN = 64, BUCKET = 64, BUCKETS = 3 };
	uint64_t section, code = made_section(made, fragments, 0, &section);
	uint64_t module = made_room(made, MADE_THING), info = made_room(made, 2 * MADE_THING), function = made_room(made, MADE_THING);
	uint64_t buckets = made_room(made, (BUCKETS + 1) * BUCKET), entry = code + BEGIN, method = made_room(made, 16);
	uint64_t bucket = buckets + ((uint32_t)(entry >> 2) % BUCKETS + 1) * BUCKET;
	made_field(made, section, NT_OFF_SECTION_MODULE, module);
	made_field(made, module, NT_OFF_MODULE_R2R, info);
	made_field(made, info, NT_OFF_R2R_FUNCTION_COUNT, 1);
	made_field(made, info, NT_OFF_R2R_FUNCTIONS, function);
	made_function(made, function, BEGIN, 256);
	made_field(made, info + made_offset(NT_OFF_R2R_ENTRY_POINTS), NT_OFF_HASH_BUCKETS, buckets);
	made_u32(made, buckets, BUCKETS);
	made_u64(made, bucket, entry);
	made_u64(made, bucket + 32, method >> 1);
	made->pcs[2] = code + 100;
}

static inline uint64_t made_sections(struct made_runtime *made)
{
	enum { LEVELS = 5 };
	uint64_t child = 0;
	made_generated(made, &child);
	made_precompiled(made, &child);
	for (unsigned i = 0; i < LEVELS; i++) {
		uint64_t node = made_room(made, MADE_NODE);
		made_u64(made, node + 8 * i, child | 1);
		child = node;
	}
	return made->tree = child;
}

/* ---- threads ---- */

/* An object whose monitor MADE_OWNER has. Returns the cell that leads to the table. */
static inline uint64_t made_monitor(struct made_runtime *made)
{
	uint64_t cell = made_room(made, 8), table = made_room(made, (size_t)2 * MADE_THING), block = made_room(made, 32);
	uint64_t entry = table + MADE_THING;
	made->monitor = block;
	made->object = made_room(made, 32) + 16;
	made_u32(made, made->object - 4, 1 << 27 | 1);
	made_u64(made, cell, table);
	made_field(made, entry, NT_OFF_SYNC_ENTRY_BLOCK, block);
	made_u64(made, entry + 8, made->object);
	made_u32(made, block, 1 | 1 << 6); /* held, one waits */
	made_u64(made, block + 16, MADE_OWNER);
	made_u32(made, block + 28, 1);
	return cell;
}

/* A stack that leads through all methods to native code, from a call out of the first one. */
static inline uint64_t made_stack(struct made_runtime *made)
{
	uint64_t frame = made_room(made, MADE_THING), sp = made_room(made, 128);
	made->frame = frame;
	made_field(made, frame, NT_OFF_FRAME_NEXT, UINT64_MAX);
	made_field(made, frame, NT_OFF_INLINED_PC, made->pcs[0]);
	made_field(made, frame, NT_OFF_INLINED_SP, sp);
	made_field(made, frame, NT_OFF_INLINED_FP, sp + 64);
	made_u64(made, frame + 8, made->object); /* in no field of a frame */
	for (unsigned i = 1; i <= MADE_FRAMES; i++) {
		made_u64(made, sp + 16 * (i - 1), sp + 64);
		made_u64(made, sp + 16 * (i - 1) + 8, i < MADE_FRAMES ? made->pcs[i] : 0x1234);
	}
	return frame;
}

/* What each thread has allocated: so much, and a room of which half is left. */
enum { MADE_SMALL = 0x4000, MADE_LARGE = 0x100000, MADE_LEFT = 0x800 };

static inline void made_allocated(struct made_runtime *made, uint64_t thread)
{
	uint64_t locals = made_room(made, 3 * MADE_THING);
	uint64_t context = locals + made_offset(NT_OFF_LOCALS_ALLOCATION) + made_offset(NT_OFF_ALLOCATION_GC);
	uint64_t limit = context + made_offset(NT_OFF_ALLOCATION_LIMIT);
	made_field(made, thread, NT_OFF_THREAD_LOCALS, locals);
	made_field(made, context, NT_OFF_ALLOCATION_POINTER, 0x20000);
	made_u64(made, limit, 0x20000 + MADE_LEFT);
	made_u64(made, limit + 8, MADE_SMALL);
	made_u64(made, limit + 16, MADE_LARGE);
}

static inline uint64_t made_threads(struct made_runtime *made, const uint64_t *globals)
{
	static const uint32_t tids[MADE_THREADS] = { MADE_WAITS, MADE_OWNER, MADE_RUNS };
	uint64_t cell = made_room(made, 8), store = made_room(made, MADE_THING), next = 0;
	made->store = store;
	made_u64(made, cell, store);
	made_field(made, store, NT_OFF_STORE_COUNT, MADE_THREADS);
	for (unsigned i = MADE_THREADS; i-- > 0;) {
		uint64_t thread = made_room(made, MADE_THING);
		made_field(made, thread, NT_OFF_THREAD_OS_ID, tids[i]);
		made_field(made, thread, NT_OFF_THREAD_ID, i + 1);
		made_field(made, thread, NT_OFF_THREAD_STATE, i ? 0 : NT_CLR_THREAD_WAIT_SLEEP_JOIN);
		made_field(made, thread, NT_OFF_THREAD_COOPERATIVE, tids[i] == MADE_RUNS);
		made_field(made, thread, NT_OFF_THREAD_FRAME, UINT64_MAX);
		made_allocated(made, thread);
		if (tids[i] == MADE_WAITS) {
			uint64_t frame = made_stack(made);
			made_u64(made, frame, globals[NT_GLOBAL_FRAME_INLINED_CALL]);
			made_field(made, thread, NT_OFF_THREAD_FRAME, frame);
		}
		made_field(made, thread, NT_OFF_THREAD_LINK, next);
		next = thread + made_offset(NT_OFF_THREAD_LINK);
		if (i == MADE_THREADS - 1)
			made->last_link = next;
	}
	made_field(made, store, NT_OFF_STORE_FIRST, next);
	return cell;
}

static inline void made_runtime_fill(struct made_runtime *made)
{
	uint64_t globals[NT_LAYOUT_GLOBALS];
	memset(made, 0, sizeof(*made));
	for (unsigned i = 0; i < NT_LAYOUT_GLOBALS; i++) /* each frame's identifier is another one */
		globals[i] = MADE_BASE + MADE_BYTES + 16 * i;
	globals[NT_GLOBAL_STUB_KIND_LAST] = MADE_STUB_LAST;
	globals[NT_GLOBAL_HASH_VALUE_MASK] = UINT64_MAX >> 1;
	globals[NT_GLOBAL_METHOD_ALIGNMENT] = 8;
	globals[NT_GLOBAL_TOKEN_BITS] = 12;
	globals[NT_GLOBAL_STATICS_MASK] = ~UINT64_C(1);
	globals[NT_GLOBAL_ARRAY_DATA] = MADE_ARRAY_HEAD;
	made_image(made, globals); /* it lies first; its pointers are written anew below */
	size_t image_end = made->used;
	globals[NT_GLOBAL_RANGE_MAP] = made_sections(made);
	globals[NT_GLOBAL_SYNC_TABLE] = made_monitor(made);
	globals[NT_GLOBAL_FINALIZER_THREAD] = made_room(made, 8);
	globals[NT_GLOBAL_THREAD_STORE] = made_threads(made, globals);
	globals[NT_GLOBAL_OBJECT_TABLE] = made_pool(made, &globals[NT_GLOBAL_APP_DOMAIN]);
	size_t end = made->used;
	made->used = 0;
	made_image(made, globals);
	if (made->used != image_end)
		abort();
	made->used = end;
}

/* nt_page_read of it. */
static inline bool made_read_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	const struct made_runtime *made = context;
	if (address < MADE_BASE || address >= MADE_BASE + MADE_BYTES)
		return false;
	memcpy(page, made->bytes + (address - MADE_BASE), NT_PAGE_BYTES);
	return true;
}

#endif
