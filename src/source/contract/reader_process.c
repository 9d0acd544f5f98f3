// SPDX-License-Identifier: GPL-2.0-only
#include "source/contract/reader_process.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/passed_fds.h"
#include "decode/contract/contract_il.h"
#include "decode/contract/contract_locks.h"
#include "decode/contract/contract_names.h"
#include "decode/contract/contract_allocated.h"
#include "decode/contract/contract_pool.h"
#include "decode/contract/contract_statics.h"
#include "decode/contract/contract_types.h"
#include "decode/contract/unwind_info.h"
#include "decode/names/method_name.h"
#include "nettop/clock.h"
#include "source/decoder/memory_lender.h"
#include "source/contract/reader_wire.h"
#include "source/contract/runtime_image.h"
#include "source/decoder/decoder_confined.h"
#include "source/decoder/decoder_process.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
	PAGES_OF_A_LOOK = 100000,
	PAGES_OF_NAMES = 20000,
	PAGES_KEPT = 128, /* half a megabyte: more of them cost more to have, page faults of our own, than to read again */
	LARGE_BYTES = 1 << 20,
	USUAL_BYTES = 1000 << 10, /* what the heap grows by when a program is opened, or somewhat less */
	PASSING_BYTES = 64 << 10, /* aligned: of code that is told of at once */
	INSIDE_MAJOR = 10,        /* of whose monitors and fields it is known what they look like inside */
	TIDS_BYTES = NT_READER_THREADS * sizeof(uint32_t),
};

/* The last answer of who lends: a stack is read page after page. */
struct lent {
	uint64_t start;
	int count;
	uint8_t pages[NT_LENT_PAGES][NT_LENT_PAGE_BYTES];
};

struct reader {
	int mem;
	bool is_lent; /* `mem` is a socket */
	struct lent lent;
	struct nt_memory memory;
	struct nt_contract contract;
	struct nt_contract_modules modules;
	bool open, monitors, fields, il;
	bool allocated; /* what threads have allocated can be read */
	struct nt_contract_pool pool;
	bool sections_whole;                /* of the names or stacks that are being told: where none is, nothing was compiled */
	struct nt_contract_thread *threads; /* owned */
	size_t thread_count, thread_capacity;
	struct nt_thread_stack stack;
	bool unrested;  /* something was answered since the last rest */
	nt_time rested; /* when that was; at first: when it began */
	size_t said_length;
	uint8_t heard[NT_READER_PACKET], said[NT_READER_PACKET];
};

_Noreturn static void end(void)
{
	_exit(0);
}

static void send_said(struct reader *reader)
{
	ssize_t written = 0;
	while (reader->said_length && (written = write(NT_DECODER_FD, reader->said, reader->said_length)) < 0 && errno == EINTR)
		continue;
	if (written < 0)
		end();
	reader->said_length = 0;
}

static void say(struct reader *reader, const void *record, size_t size, const void *more, size_t more_size)
{
	if (size + more_size > sizeof(reader->said) - reader->said_length)
		send_said(reader);
	memcpy(reader->said + reader->said_length, record, size);
	if (more_size)
		memcpy(reader->said + reader->said_length + size, more, more_size);
	reader->said_length += size + more_size;
}

static bool borrow_page(struct reader *reader, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	struct lent *lent = &reader->lent;
	uint64_t number = (address - lent->start) / NT_PAGE_BYTES;
	if (address < lent->start || number >= (uint64_t)lent->count) {
		lent->count = nt_lender_ask(reader->mem, address, lent->pages);
		lent->start = address;
		number = 0;
	}
	if (lent->count < 0) /* nothing can be read any more */
		end();
	if (!lent->count)
		return false;
	memcpy(page, lent->pages[number], NT_PAGE_BYTES);
	return true;
}

static bool read_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	struct reader *reader = context;
	if (reader->is_lent)
		return borrow_page(reader, address, page);
	return pread(reader->mem, page, NT_PAGE_BYTES, (off_t)address) == NT_PAGE_BYTES;
}

static void let_go(void *context)
{
	struct reader *reader = context;
	reader->lent.count = 0;
}

/* ---- the beginning ---- */

static void open_target(struct reader *reader, const struct nt_reader_open *open, const int *fds, size_t count)
{
	struct nt_reader_state state = { .what = NT_READER_STATE };
	if (count != 2 || reader->open)
		end();
	reader->mem = fds[0];
	reader->is_lent = open->lent;
	reader->open = true;
	reader->memory = (struct nt_memory){ .read = read_page, .let_go = let_go, .context = reader, .page_limit = PAGES_KEPT };
	nt_memory_allow(&reader->memory, PAGES_OF_A_LOOK);
	enum nt_descriptor_result result = nt_runtime_image_open(&reader->contract, &reader->memory, fds[1]);
	close(fds[1]);
	const struct nt_layout *layout = &reader->contract.layout;
	reader->modules.contract = &reader->contract;
	reader->monitors = layout->has[NT_CONTRACT_MONITORS] && open->major == INSIDE_MAJOR;
	reader->fields = layout->has[NT_CONTRACT_FIELDS] && layout->has[NT_CONTRACT_NAMES] && open->major == INSIDE_MAJOR;
	reader->allocated =
		layout->has[NT_CONTRACT_THREADS] && layout->has[NT_CONTRACT_ALLOCATED] && open->major == NT_CONTRACT_ALLOCATED_MAJOR;
	reader->il = layout->has[NT_CONTRACT_CODE] && open->major == NT_CONTRACT_IL_MAJOR;
	if (result != NT_DESCRIPTOR_FOUND) {
		snprintf(state.reason, sizeof(state.reason), "%s",
			 result == NT_DESCRIPTOR_NONE ? "the runtime does not describe its data: that came with .NET 9"
						      : "the runtime's description of its data cannot be read");
	} else {
		state.threads = layout->has[NT_CONTRACT_THREADS];
		state.stacks = state.threads && layout->has[NT_CONTRACT_STACKS] && layout->has[NT_CONTRACT_CODE];
		state.names = layout->has[NT_CONTRACT_CODE] && layout->has[NT_CONTRACT_NAMES];
		const char *lacks = layout->lacks[NT_CONTRACT_THREADS] ? layout->lacks[NT_CONTRACT_THREADS]
				    : layout->lacks[NT_CONTRACT_CODE]  ? layout->lacks[NT_CONTRACT_CODE]
								       : layout->lacks[NT_CONTRACT_STACKS];
		if (!state.stacks)
			snprintf(state.reason, sizeof(state.reason), "the runtime's description of its data has no %s%s",
				 lacks ? lacks : "?", ": that came with .NET 10");
	}
	say(reader, &state, sizeof(state), NULL, 0);
}

/* ---- looks ---- */

static int by_number(const void *a, const void *b)
{
	uint32_t left, right;
	memcpy(&left, a, sizeof(left));
	memcpy(&right, b, sizeof(right));
	return (left > right) - (left < right);
}

/* Returns the length of its name; 0: it cannot be read. */
static uint32_t name_type(struct reader *reader, uint64_t type, char text[NT_READER_TYPE_MAX + 1])
{
	struct nt_text_out out = { .buf = text, .size = NT_READER_TYPE_MAX + 1 };
	if (!type || !reader->contract.layout.has[NT_CONTRACT_NAMES])
		return 0;
	nt_contract_put_type(&reader->modules, type, &out);
	return out.full || (out.length && text[0] == '?') ? 0 : (uint32_t)out.length;
}

static void tell_thread(struct reader *reader, const struct nt_contract_thread *thread)
{
	uint8_t more[NT_READER_FRAMES * sizeof(uint64_t) + NT_READER_TYPE_MAX];
	char type[NT_READER_TYPE_MAX + 1];
	struct nt_reader_thread told = { .what = NT_READER_THREAD,
					 .tid = thread->os_id,
					 .managed_id = thread->managed_id,
					 .state = thread->state,
					 .how = NT_READER_RUNS };
	if (nt_thread_stack_read(&reader->contract, thread, &reader->stack)) {
		const struct nt_thread_stack *stack = &reader->stack;
		told.count = stack->count < NT_READER_FRAMES ? stack->count : NT_READER_FRAMES;
		/* A frame in a section that is missing is taken for native code. */
		bool whole = stack->complete && told.count == stack->count && reader->sections_whole;
		told.how = whole ? NT_READER_WHOLE : NT_READER_PARTIAL;
		for (uint32_t i = 0; i < told.count; i++)
			memcpy(more + i * sizeof(uint64_t), &stack->frames[i].pc, sizeof(uint64_t));
		struct nt_contract_lock lock = { 0 };
		if (reader->monitors && told.count)
			lock = nt_contract_lock_of(&reader->modules, reader->threads, reader->thread_count, thread->os_id, stack);
		told.object = lock.object;
		told.owner = lock.owner_os_id;
		told.sp = stack->count ? stack->from : 0;
		told.frame_pointer = stack->count ? stack->from_pointer : 0;
		told.type_length = name_type(reader, lock.type, type);
	}
	size_t frames = told.count * sizeof(uint64_t);
	memcpy(more + frames, type, told.type_length);
	say(reader, &told, sizeof(told), more, frames + told.type_length);
}

/* Nothing of an earlier look is believed: code is moved and freed, stacks change. */
static void look(struct reader *reader, uint32_t *tids, size_t count)
{
	struct nt_reader_end ended = { .what = NT_READER_END };
	nt_memory_forget(&reader->memory);
	nt_memory_allow(&reader->memory, PAGES_OF_A_LOOK);
	reader->thread_count = 0;
	const bool *has = reader->contract.layout.has;
	if (has[NT_CONTRACT_THREADS] && has[NT_CONTRACT_STACKS] && has[NT_CONTRACT_CODE]) {
		qsort(tids, count, sizeof(*tids), by_number);
		reader->sections_whole = nt_contract_read_sections(&reader->contract);
		ended.whole = reader->sections_whole;
		ended.whole &= nt_contract_threads(&reader->contract, &reader->threads, &reader->thread_count, &reader->thread_capacity);
	}
	for (size_t i = 0; i < reader->thread_count; i++) {
		const struct nt_contract_thread *thread = &reader->threads[i];
		if (thread->os_id && (!count || bsearch(&thread->os_id, tids, count, sizeof(*tids), by_number)))
			tell_thread(reader, thread);
	}
	say(reader, &ended, sizeof(ended), NULL, 0);
}

/* ---- names ---- */

static bool is_spent(const struct reader *reader)
{
	return !reader->memory.budget || !reader->memory.steps;
}

static void look_up(struct reader *reader, struct nt_reader_named *told, char text[NT_READER_NAME_MAX + 1])
{
	static struct nt_contract_name name;
	enum nt_contract_naming naming = nt_contract_name_at(&reader->modules, told->address, &name);
	if (naming == NT_CONTRACT_NAMED) {
		/* Precompiled code is asked for where it lies in no file: of a packed single-file program. */
		enum nt_code_kind kind = name.code.kind == NT_CONTRACT_JIT ? NT_CODE_JIT : NT_CODE_R2R;
		int length = snprintf(text, NT_READER_NAME_MAX + 1, "%s%s", name.text, nt_perfmap_tier_text(kind, name.tier));
		told->naming = NT_READER_NAME_TOLD;
		told->start = name.code.start;
		told->size = name.code.size;
		told->length = length <= NT_READER_NAME_MAX ? (uint32_t)length : (uint32_t)name.length;
	} else if (is_spent(reader)) {
		told->naming = NT_READER_NAME_LATER;
	} else if (naming == NT_CONTRACT_NAME_STUB) {
		told->naming = NT_READER_NAME_STUB;
	} else if (naming == NT_CONTRACT_NAMELESS && name.code.kind == NT_CONTRACT_JIT) {
		told->start = name.code.start;
		told->size = name.code.size;
	}
}

/* What is there now; and what is so of all code of that heap: it comes and goes at the same places. */
static void tell_passing(struct reader *reader, const struct nt_code_section *section, uint64_t address)
{
	char text[NT_READER_NAME_MAX + 1];
	uint64_t start = address & ~(uint64_t)(PASSING_BYTES - 1), end = start + PASSING_BYTES;
	struct nt_reader_named told = { .what = NT_READER_NAMED, .naming = NT_READER_NAME_NONE, .address = address };
	struct nt_reader_named passing = { .what = NT_READER_NAMED, .naming = NT_READER_NAME_PASSING, .address = address };
	passing.start = start > section->begin ? start : section->begin;
	passing.size = (end < section->end ? end : section->end) - passing.start;
	if (!is_spent(reader))
		look_up(reader, &told, text);
	if (told.size) {
		told.naming = NT_READER_NAME_NOW;
		say(reader, &told, sizeof(told), text, told.length);
	}
	say(reader, &passing, sizeof(passing), NULL, 0);
}

static void tell_name(struct reader *reader, uint64_t address)
{
	char text[NT_READER_NAME_MAX + 1];
	struct nt_reader_named told = { .what = NT_READER_NAMED, .naming = NT_READER_NAME_NONE, .address = address };
	const struct nt_code_section *section = nt_contract_section_at(&reader->contract, address);
	if (section && section->flags & NT_SECTION_COLLECTIBLE) {
		tell_passing(reader, section, address);
		return;
	}
	if (!section && reader->sections_whole)
		told.naming = NT_READER_NAME_STUB;
	else if (!section || is_spent(reader)) /* it may be in one that is missing this time: what is told stays */
		told.naming = NT_READER_NAME_LATER;
	else
		look_up(reader, &told, text);
	if (told.naming != NT_READER_NAME_TOLD)
		told.start = told.size = 0;
	say(reader, &told, sizeof(told), text, told.length);
}

/* Code has been compiled since what is kept was read. */
static void give_names(struct reader *reader, const uint8_t *addresses, size_t count)
{
	nt_memory_forget(&reader->memory);
	nt_memory_allow(&reader->memory, PAGES_OF_NAMES);
	if (!reader->contract.layout.has[NT_CONTRACT_CODE] || !reader->contract.layout.has[NT_CONTRACT_NAMES])
		return;
	reader->sections_whole = nt_contract_read_sections(&reader->contract);
	for (size_t i = 0; i < count; i++) {
		uint64_t address;
		memcpy(&address, addresses + i * sizeof(address), sizeof(address));
		tell_name(reader, address);
	}
}

static void give_types(struct reader *reader, const uint8_t *types, size_t count)
{
	char text[NT_READER_TYPE_MAX + 1];
	nt_memory_forget(&reader->memory);
	nt_memory_allow(&reader->memory, PAGES_OF_NAMES);
	for (size_t i = 0; i < count; i++) {
		struct nt_reader_named told = { .what = NT_READER_TYPED, .naming = NT_READER_NAME_TOLD };
		memcpy(&told.address, types + i * sizeof(told.address), sizeof(told.address));
		told.length = is_spent(reader) ? 0 : name_type(reader, told.address, text);
		if (!told.length)
			told.naming = is_spent(reader) ? NT_READER_NAME_LATER : NT_READER_NAME_NONE;
		say(reader, &told, sizeof(told), text, told.length);
	}
}

static int by_address(const void *a, const void *b)
{
	const struct nt_contract_slot *left = a, *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

static void give_statics(struct reader *reader, uint64_t module, const uint8_t *addresses, size_t count)
{
	static struct nt_contract_slot slots[NT_READER_NAMES];
	char text[NT_READER_TYPE_MAX + 1];
	struct nt_reader_end ended = { .what = NT_READER_END };
	nt_memory_forget(&reader->memory);
	nt_memory_allow(&reader->memory, PAGES_OF_A_LOOK);
	memset(slots, 0, sizeof(slots));
	for (size_t i = 0; i < count; i++)
		memcpy(&slots[i].address, addresses + i * sizeof(uint64_t), sizeof(uint64_t));
	qsort(slots, count, sizeof(*slots), by_address);
	if (reader->fields)
		ended.whole = nt_contract_find_statics(&reader->modules, module, slots, count);
	for (size_t i = 0; i < count; i++) {
		struct nt_text_out out = { .buf = text, .size = sizeof(text) };
		if (slots[i].table)
			nt_contract_put_static(&reader->modules, &slots[i], &out);
		struct nt_reader_named told = {
			.what = NT_READER_STATIC, .naming = NT_READER_NAME_TOLD, .address = slots[i].address, .length = (uint32_t)out.length
		};
		if (out.length && !out.full)
			say(reader, &told, sizeof(told), text, told.length);
	}
	say(reader, &ended, sizeof(ended), NULL, 0);
}

static void tell_il(struct reader *reader, uint64_t address, uint32_t *il, uint32_t *native)
{
	static uint8_t more[2 * NT_READER_IL_MOST * sizeof(uint32_t)];
	struct nt_reader_il_map told = { .what = NT_READER_IL_MAP, .how = NT_READER_IL_NONE, .address = address };
	struct nt_contract_code code;
	struct nt_il_map map;
	if (reader->il && nt_contract_il_at(&reader->contract, address, &code, il, native, &map) == NT_CONTRACT_IL_READ &&
	    map.count <= NT_READER_IL_MOST) {
		told.how = NT_READER_IL_TOLD;
		told.start = code.start;
		told.size = code.size;
		told.count = map.count;
		memcpy(more, map.il_offsets, map.count * sizeof(*il));
		memcpy(more + map.count * sizeof(*il), map.native_offsets, map.count * sizeof(*native));
	}
	say(reader, &told, sizeof(told), more, told.count * 2 * sizeof(uint32_t));
}

static void give_il(struct reader *reader, const uint8_t *addresses, size_t count)
{
	uint32_t *il = nt_realloc(NULL, NT_IL_MAP_MAX, sizeof(*il)), *native = nt_realloc(NULL, NT_IL_MAP_MAX, sizeof(*native));
	nt_memory_forget(&reader->memory);
	nt_memory_allow(&reader->memory, PAGES_OF_NAMES);
	if (reader->il)
		nt_contract_read_sections(&reader->contract);
	for (size_t i = 0; i < count; i++) {
		uint64_t address;
		memcpy(&address, addresses + i * sizeof(address), sizeof(address));
		tell_il(reader, address, il, native);
	}
	free(il);
	free(native);
}

/* ---- stacks, for whoever walks them ---- */

static void give_copies(struct reader *reader, const uint8_t *addresses, size_t count)
{
	static uint8_t bytes[NT_READER_COPY_BYTES];
	nt_memory_forget(&reader->memory);
	nt_memory_allow(&reader->memory, PAGES_OF_NAMES);
	for (size_t i = 0; i < count; i++) {
		struct nt_reader_copied told = { .what = NT_READER_COPIED };
		memcpy(&told.address, addresses + i * sizeof(told.address), sizeof(told.address));
		told.length = (uint32_t)nt_memory_copy(&reader->memory, told.address, bytes, sizeof(bytes));
		say(reader, &told, sizeof(told), bytes, told.length);
	}
}

/* ---- rules of call chains ---- */

static void tell_rule(struct reader *reader, uint64_t address)
{
	struct nt_reader_ruled told = { .what = NT_READER_RULED, .address = address };
	struct nt_contract_code code;
	struct nt_frame_rule rule;
	bool found = nt_contract_code_at(&reader->contract, address, &code) && code.kind == NT_CONTRACT_R2R && !code.collectible;
	if (found && nt_unwind_info_rule(&reader->memory, &code, address, &told.start, &told.end, &rule)) {
		told.known = 1;
		told.cfa_reg = rule.cfa_reg;
		told.cfa_is_word_there = rule.cfa_is_word_there;
		told.cfa_offset = rule.cfa_offset;
		memcpy(told.saved, rule.saved, sizeof(told.saved));
	}
	say(reader, &told, sizeof(told), NULL, 0);
}

static void give_rules(struct reader *reader, const uint8_t *addresses, size_t count)
{
	nt_memory_forget(&reader->memory);
	nt_memory_allow(&reader->memory, PAGES_OF_NAMES);
	if (reader->contract.layout.has[NT_CONTRACT_CODE])
		nt_contract_read_sections(&reader->contract);
	for (size_t i = 0; i < count; i++) {
		uint64_t address;
		memcpy(&address, addresses + i * sizeof(address), sizeof(address));
		tell_rule(reader, address);
	}
}

/* ---- the thread pool ---- */

static void tell_pool(struct reader *reader)
{
	struct nt_reader_pooled told = { .what = NT_READER_POOLED };
	struct nt_contract_pool_counts counts;
	nt_memory_allow(&reader->memory, PAGES_OF_A_LOOK);
	if (reader->fields && nt_contract_pool_read(&reader->pool, &reader->modules, &counts))
		told = (struct nt_reader_pooled){ .what = NT_READER_POOLED,
						  .known = 1,
						  .working = counts.working,
						  .existing = counts.existing,
						  .goal = counts.goal,
						  .min = counts.min,
						  .max = counts.max,
						  .queued_known = counts.queued_known,
						  .queued = counts.queued };
	say(reader, &told, sizeof(told), NULL, 0);
}

/* ---- allocations ---- */

static void tell_allocated(struct reader *reader)
{
	struct nt_reader_allocated told = { .what = NT_READER_ALLOCATED };
	static struct nt_reader_thread_allocated rows[NT_READER_ALLOCATED_MAX];
	nt_memory_forget(&reader->memory);
	nt_memory_allow(&reader->memory, PAGES_OF_A_LOOK);
	reader->thread_count = 0;
	if (reader->allocated)
		nt_contract_threads(&reader->contract, &reader->threads, &reader->thread_count, &reader->thread_capacity);
	for (size_t i = 0; i < reader->thread_count && told.count < NT_READER_ALLOCATED_MAX; i++) {
		const struct nt_contract_thread *thread = &reader->threads[i];
		struct nt_reader_thread_allocated *row = &rows[told.count];
		*row = (struct nt_reader_thread_allocated){ .tid = thread->os_id };
		/* One that has ended has given back what its Thread leads to. */
		bool lives = thread->os_id && !(thread->state & (NT_CLR_THREAD_DEAD | NT_CLR_THREAD_UNSTARTED));
		told.count += lives && nt_contract_allocated(&reader->contract, thread->address, &row->bytes);
	}
	say(reader, &told, sizeof(told), rows, told.count * sizeof(rows[0]));
}

static void answer(struct reader *reader, size_t length, const int *fds, size_t fd_count)
{
	static uint32_t tids[NT_READER_THREADS];
	struct nt_reader_look asked = { 0 }; /* a NAME, a TYPE, an IL, a COPY, a RULE, a POOL and an ALLOC begin likewise */
	struct nt_reader_open open;
	struct nt_reader_statics statics;
	memcpy(&asked, reader->heard, length < sizeof(asked) ? length : sizeof(asked));
	if (asked.what == NT_READER_OPEN && length == sizeof(open)) {
		memcpy(&open, reader->heard, sizeof(open));
		open_target(reader, &open, fds, fd_count);
	} else if (asked.what == NT_READER_LOOK && reader->open && asked.count <= NT_READER_THREADS &&
		   length == sizeof(asked) + asked.count * sizeof(uint32_t)) {
		memcpy(tids, reader->heard + sizeof(asked), asked.count * sizeof(uint32_t));
		look(reader, tids, asked.count);
	} else if ((asked.what == NT_READER_NAME || asked.what == NT_READER_TYPE || asked.what == NT_READER_IL ||
		    asked.what == NT_READER_COPY || asked.what == NT_READER_RULE) &&
		   reader->open && asked.count <= NT_READER_NAMES && length == sizeof(asked) + asked.count * sizeof(uint64_t)) {
		(asked.what == NT_READER_NAME   ? give_names
		 : asked.what == NT_READER_TYPE ? give_types
		 : asked.what == NT_READER_COPY ? give_copies
		 : asked.what == NT_READER_RULE ? give_rules
						: give_il)(reader, reader->heard + sizeof(asked), asked.count);
	} else if (asked.what == NT_READER_STATICS && reader->open && asked.count <= NT_READER_NAMES &&
		   length == sizeof(statics) + asked.count * sizeof(uint64_t)) {
		memcpy(&statics, reader->heard, sizeof(statics));
		give_statics(reader, statics.module, reader->heard + sizeof(statics), statics.count);
	} else if (asked.what == NT_READER_POOL && reader->open && length == sizeof(struct nt_reader_pool)) {
		tell_pool(reader);
	} else if (asked.what == NT_READER_ALLOC && reader->open && length == sizeof(struct nt_reader_alloc)) {
		tell_allocated(reader);
	} else {
		end();
	}
	send_said(reader);
}

/* ---- rests ---- */

/* Questions come in bursts, one for each interval of a second, each of which needs much of what the one before did. */
static bool is_quiet(void)
{
	static const struct timespec a_while = { .tv_sec = 1, .tv_nsec = 250 * NT_NS_PER_MS };
	struct pollfd from = { .fd = NT_DECODER_FD, .events = POLLIN };
	return ppoll(&from, 1, &a_while, NULL) == 0;
}

/* What was read of the target's memory goes back to the system: a quarter of a megabyte for each of its modules. Where code comes and goes there is no quiet, and it is time now and then. */
static void rest_in_time(struct reader *reader)
{
	static const nt_time between_rests = 10 * NT_NS_PER_S;
	nt_time now = nt_clock_now();
	if (!reader->unrested || (now < reader->rested + between_rests && !is_quiet()))
		return;
	nt_contract_modules_rest(&reader->modules);
	nt_memory_fini(&reader->memory);
	malloc_trim(0);
	reader->unrested = false;
	reader->rested = now;
}

bool nt_reader_is_meant(int argc, char **argv)
{
	return argc == 2 && strcmp(argv[1], NT_READER_WORD) == 0;
}

int nt_reader_serve(void)
{
	_Static_assert(TIDS_BYTES + sizeof(struct nt_reader_look) <= NT_READER_PACKET, "a LOOK is one packet");
	prctl(PR_SET_NAME, "nettop-reader");
	nt_hash_choose_secret();
	nt_layout_prepare();
	/* As in the decoder: what one batch of names takes is used for the next one. */
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_TRIM_THRESHOLD, 2 * LARGE_BYTES);
	nt_touch_heap(USUAL_BYTES);
	struct reader *reader = nt_realloc(NULL, 1, sizeof(*reader));
	memset(reader, 0, offsetof(struct reader, heard)); /* not the packets, which are large */
	reader->rested = nt_clock_now();
	if (!nt_decoder_confine(NT_DECODER_FD + 1))
		return 1;
	for (;; rest_in_time(reader)) {
		int fds[NT_PASSED_FDS_MAX];
		size_t count;
		ssize_t got;
		while ((got = nt_passed_fds_take(NT_DECODER_FD, reader->heard, sizeof(reader->heard), 0, fds, &count)) < 0 &&
		       errno == EINTR)
			continue;
		if (got <= 0)
			end();
		answer(reader, (size_t)got, fds, count);
		reader->unrested = true;
	}
}
