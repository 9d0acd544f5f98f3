// SPDX-License-Identifier: GPL-2.0-only
#include "source/core/core_walk.h"

#include "base/alloc.h"
#include "decode/contract/unwind_info.h"
#include "decode/unwind/wait_walk.h"

#include <stdlib.h>
#include <unistd.h>

_Static_assert((int)NT_READER_STACK_MOST == (int)NT_WAIT_WALK_MAX, "what is merged fits");

/* Of a stack so much is copied at first, and as much again when it is not enough: most are short. */
enum { PART_BYTES = 64 << 10, STACK_BYTES_MAX = 8 << 20, HANDLER_FRAMES_MAX = 1024 };

void nt_core_walker_fini(struct nt_core_walker *walker)
{
	free(walker->stack);
	walker->stack = NULL;
	walker->stack_size = 0;
}

/* ---- the stack ---- */

static struct nt_stack_dump dump_of(const struct nt_core_walker *walker)
{
	return (struct nt_stack_dump){ .bytes = walker->stack, .size = walker->stack_size, .start = walker->stack_start };
}

/* False: there is no more of it than there was. */
static bool copy_from(struct nt_core_walker *walker, uint64_t sp, size_t most)
{
	size_t before = sp == walker->stack_start ? walker->stack_size : 0;
	walker->stack = nt_realloc(walker->stack, most, 1);
	walker->stack_start = sp;
	walker->stack_size = nt_memory_copy(walker->memory, sp, walker->stack, most);
	return walker->stack_size > before;
}

/* ---- one step ---- */

static int open_for_rules(void *context, const struct nt_image_place *place, uint64_t *size, struct nt_image_refusal *refusal)
{
	struct nt_core_image *image = context;
	(void)place;
	int fd = image->code;
	image->code = -1;
	*size = image->size;
	*refusal = (struct nt_image_refusal){ .naming = NT_NAMING_IMAGE_UNREADABLE };
	return fd;
}

static int open_no_debug(void *context, const struct nt_debug_wanted *wanted, unsigned *next)
{
	(void)context;
	(void)wanted;
	(void)next;
	return -1;
}

/* The rule of native code. False: nothing tells it. */
static bool native_rule(struct nt_core_walker *walker, uint64_t address, struct nt_frame_rule *rule)
{
	const struct nt_core_mapping *mapping = nt_core_mapping_at(&walker->view->core, address);
	struct nt_core_image *image = mapping ? nt_core_view_image(walker->view, mapping) : NULL;
	uint64_t offset, start, end;
	if (!image || __builtin_add_overflow(mapping->offset, address - mapping->start, &offset))
		return false;
	const struct nt_image_opener opener = { .image = open_for_rules, .debug = open_no_debug, .context = image };
	const struct nt_image_place place = { .path = image->path, .opener = &opener };
	return nt_cfi_images_rule(walker->rules, &place, offset, &start, &end, rule);
}

/* Precompiled code: where the runtime's list of code lacks it, a managed frame would be missing unseen. */
static bool is_of_assembly(const struct nt_core_walker *walker, uint64_t address)
{
	const struct nt_core_mapping *mapping = nt_core_mapping_at(&walker->view->core, address);
	const struct nt_core_image *image = mapping ? nt_core_view_image(walker->view, mapping) : NULL;
	return image && image->head.is_pe;
}

static bool is_known(const struct nt_core_walker *walker, uint64_t address, struct nt_contract_code *code)
{
	return walker->contract && nt_contract_code_at(walker->contract, address, code) && code->kind != NT_CONTRACT_STUB;
}

/* Where a walk is. */
struct place {
	struct nt_frame_regs regs;
	bool called; /* by the frame before: the place is behind the call, which may have been the function's last instruction */
	bool managed;
	struct nt_contract_code code; /* of managed code */
};

static void look(const struct nt_core_walker *walker, struct place *place)
{
	place->managed = is_known(walker, place->regs.value[NT_REG_PC] - place->called, &place->code);
}

/* UNWIND_INFO says of a place behind the prolog how to go on, and as a rule of any place. */
static enum nt_frame_step managed_step(struct nt_core_walker *walker, struct place *place)
{
	const struct nt_stack_dump dump = dump_of(walker);
	const struct nt_contract_code *code = &place->code;
	struct nt_frame_rule rule;
	uint64_t start, end;
	if (place->called)
		return nt_unwind_info_step(walker->memory, code->unwind, code->image, &dump, &place->regs);
	if (!nt_unwind_info_rule(walker->memory, code, place->regs.value[NT_REG_PC], &start, &end, &rule))
		return NT_STEP_BROKEN;
	return nt_frame_step(&rule, &dump, &place->regs);
}

static enum nt_frame_step native_step(struct nt_core_walker *walker, struct place *place)
{
	const struct nt_stack_dump dump = dump_of(walker);
	struct nt_frame_rule rule;
	if (!native_rule(walker, place->regs.value[NT_REG_PC] - place->called, &rule))
		return NT_STEP_BROKEN;
	enum nt_frame_step done = nt_frame_step(&rule, &dump, &place->regs);
	place->called = done != NT_STEP_DONE ? place->called : rule.way != NT_FRAME_SIGNAL;
	return done;
}

/* To the caller. More of the stack is copied when it goes beyond what was; after a signal it goes on on another one. */
static enum nt_frame_step step(struct nt_core_walker *walker, struct place *place)
{
	for (;;) {
		enum nt_frame_step done = place->managed ? managed_step(walker, place) : native_step(walker, place);
		uint64_t sp = place->regs.value[NT_REG_SP];
		bool within = sp >= walker->stack_start && sp - walker->stack_start < walker->stack_size;
		size_t most = within ? walker->stack_size * 2 : PART_BYTES;
		if (done == NT_STEP_DONE) {
			place->called |= place->managed;
			look(walker, place);
		}
		if (done != NT_STEP_OUTSIDE || most > STACK_BYTES_MAX)
			return done;
		if (!copy_from(walker, within ? walker->stack_start : sp, most))
			return done;
	}
}

/* ---- handlers ---- */

/* The method that it is a part of has the same frame pointer. */
static bool is_parent(const struct place *place, const struct place *handler)
{
	return place->managed && !place->code.funclet && place->code.method == handler->code.method &&
	       place->regs.value[NT_REG_BP] == handler->regs.value[NT_REG_BP];
}

/*
 * From a handler or a filter to the method that it is of. It runs on top of all that the runtime does to find and call it, and of what was left by the exception: to people, and to the runtime's debugger, its caller is that method. (A finally
 * block that no exception leads to is called by its method.) Where the way to it is lost, that method's caller is known by the frame pointer.
 */
static enum nt_frame_step leave_handler(struct nt_core_walker *walker, struct place *place)
{
	static const struct nt_frame_rule parent = { .way = NT_FRAME_POINTER };
	const struct place handler = *place;
	enum nt_frame_step done = NT_STEP_DONE;
	for (unsigned i = 0; i < HANDLER_FRAMES_MAX && done == NT_STEP_DONE; i++) {
		done = step(walker, place);
		if (done == NT_STEP_DONE && is_parent(place, &handler))
			return NT_STEP_DONE;
	}
	*place = handler;
	copy_from(walker, handler.regs.value[NT_REG_SP], PART_BYTES);
	const struct nt_stack_dump dump = dump_of(walker);
	done = nt_frame_step(&parent, &dump, &place->regs);
	place->called = true;
	look(walker, place);
	return done;
}

/* ---- all of it ---- */

static void walk(struct nt_core_walker *walker, const struct nt_core_thread *thread, struct nt_wait_walk *out)
{
	struct place place = { .regs = thread->regs };
	*out = (struct nt_wait_walk){ .anchored = NT_WAIT_WALK_MAX };
	walker->stack_size = 0;
	copy_from(walker, place.regs.value[NT_REG_SP], PART_BYTES);
	look(walker, &place);
	while (out->count < NT_WAIT_WALK_MAX && place.regs.value[NT_REG_PC]) {
		if (place.managed && out->anchored == NT_WAIT_WALK_MAX)
			out->anchored = out->count;
		out->frames[out->count++] = place.regs.value[NT_REG_PC];
		enum nt_frame_step done = place.managed && place.code.funclet ? leave_handler(walker, &place) : step(walker, &place);
		out->whole = done == NT_STEP_OUTERMOST || (done == NT_STEP_DONE && !place.regs.value[NT_REG_PC]);
		/* Where threads begin (clone3, _start) nothing happens, and other stacks do not have it. */
		if (done == NT_STEP_OUTERMOST && out->count > 1)
			out->count--;
		if (done != NT_STEP_DONE)
			break;
	}
	if (out->anchored > out->count)
		out->anchored = out->count;
}

void nt_core_walk(struct nt_core_walker *walker, const struct nt_core_thread *thread, const struct nt_contract_thread *managed,
		  struct nt_core_stack *out)
{
	struct nt_wait_walk walked;
	struct nt_thread_stack *known = &walker->explicit_frames;
	struct nt_contract_code code;
	uint64_t frames[NT_THREAD_STACK_FRAMES];
	unsigned count = 0;
	*out = (struct nt_core_stack){ 0 };
	walk(walker, thread, &walked);
	if (!walked.whole && managed && walker->contract && nt_thread_stack_read(walker->contract, managed, known)) {
		for (; count < known->count; count++)
			frames[count] = known->frames[count].pc;
		out->managed_whole = known->complete && walker->code_whole;
	}
	out->count = nt_wait_walk_merge(&walked, frames, count, out->frames, NT_READER_STACK_MOST, &out->whole);
	out->managed_whole = (out->managed_whole && out->count < NT_READER_STACK_MOST) || out->whole;
	for (unsigned i = 0; i < out->count; i++) {
		if (is_known(walker, out->frames[i] - (i > 0), &code))
			out->managed[i / 8] |= (uint8_t)(1u << i % 8);
		else if (is_of_assembly(walker, out->frames[i] - (i > 0)))
			out->managed_whole = false;
	}
}
