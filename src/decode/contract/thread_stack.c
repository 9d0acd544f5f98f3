// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/thread_stack.h"

#include "decode/contract/unwind_info.h"

/* Places in a CONTEXT of x86-64. */
enum { CONTEXT_RSP = 0x98, CONTEXT_RBP = 0xa0, CONTEXT_RIP = 0xf8 };

enum { EXPLICIT_FRAMES_MAX = 4096 };

#define NO_FRAME UINT64_MAX

static uint64_t word(const struct nt_stack_dump *dump, uint64_t address, bool *bad)
{
	uint64_t value = 0;
	if (!nt_stack_word(dump, address, &value))
		*bad = true;
	return value;
}

static void know(struct nt_frame_regs *regs, enum nt_frame_reg reg, uint64_t value)
{
	regs->value[reg] = value;
	regs->known |= (uint8_t)(1 << reg);
}

static bool has_block(const struct nt_layout *layout, uint64_t identifier)
{
	return identifier == layout->globals[NT_GLOBAL_FRAME_PRESTUB] || identifier == layout->globals[NT_GLOBAL_FRAME_CALL_COUNTING] ||
	       identifier == layout->globals[NT_GLOBAL_FRAME_STUB_DISPATCH] || identifier == layout->globals[NT_GLOBAL_FRAME_EXTERNAL] ||
	       identifier == layout->globals[NT_GLOBAL_FRAME_DYNAMIC_HELPER];
}

/* The registers of managed code that an explicit frame has. False: it is one of those that have none, or is not in use. */
static bool registers_of(const struct nt_contract *contract, const struct nt_stack_dump *dump, uint64_t frame, struct nt_frame_regs *regs,
			 bool *bad)
{
	const struct nt_layout *layout = &contract->layout;
	uint64_t identifier = word(dump, frame, bad);
	*regs = (struct nt_frame_regs){ 0 };
	if (identifier == layout->globals[NT_GLOBAL_FRAME_INLINED_CALL]) {
		know(regs, NT_REG_PC, word(dump, nt_contract_place(contract, frame, NT_OFF_INLINED_PC), bad));
		know(regs, NT_REG_SP, word(dump, nt_contract_place(contract, frame, NT_OFF_INLINED_SP), bad));
		know(regs, NT_REG_BP, word(dump, nt_contract_place(contract, frame, NT_OFF_INLINED_FP), bad));
	} else if (has_block(layout, identifier)) {
		uint64_t block = word(dump, nt_contract_place(contract, frame, NT_OFF_FRAMED_BLOCK), bad);
		uint64_t saved = nt_contract_place(contract, block, NT_OFF_BLOCK_REGISTERS);
		know(regs, NT_REG_PC, word(dump, nt_contract_place(contract, block, NT_OFF_BLOCK_PC), bad));
		know(regs, NT_REG_SP, nt_contract_place(contract, block, NT_OFF_BLOCK_SIZE));
		know(regs, NT_REG_BP, word(dump, nt_contract_place(contract, saved, NT_OFF_SAVED_RBP), bad));
	} else if (identifier == layout->globals[NT_GLOBAL_FRAME_SOFTWARE_EXCEPTION]) {
		uint64_t context = nt_contract_place(contract, frame, NT_OFF_EXCEPTION_CONTEXT);
		know(regs, NT_REG_PC, word(dump, context + CONTEXT_RIP, bad));
		know(regs, NT_REG_SP, word(dump, context + CONTEXT_RSP, bad));
		know(regs, NT_REG_BP, word(dump, context + CONTEXT_RBP, bad));
	}
	return !*bad && regs->value[NT_REG_PC];
}

/* A handler has its parent's frame pointer, and returns to the parent's caller as far as the stack is concerned. */
static enum nt_frame_step leave_funclet(const struct nt_stack_dump *dump, struct nt_frame_regs *regs)
{
	static const struct nt_frame_rule parent = { .way = NT_FRAME_POINTER };
	return nt_frame_step(&parent, dump, regs);
}

/* Go up from registers in managed code until native code is reached. False: what is on the way is broken; *beyond: no, it lies above the copy. */
static bool unwind(struct nt_contract *contract, const struct nt_stack_dump *dump, struct nt_frame_regs *regs, struct nt_thread_stack *out,
		   bool *beyond)
{
	struct nt_contract_code code;
	while (nt_contract_code_at(contract, regs->value[NT_REG_PC] - 1, &code) && code.kind != NT_CONTRACT_STUB) {
		if (out->count == NT_THREAD_STACK_FRAMES)
			return false;
		if (!out->count) {
			out->from = regs->value[NT_REG_SP];
			out->from_pointer = regs->value[NT_REG_BP];
		}
		out->frames[out->count++] = (struct nt_thread_frame){ .pc = regs->value[NT_REG_PC], .code = code };
		enum nt_frame_step step = code.funclet ? leave_funclet(dump, regs)
						       : nt_unwind_info_step(contract->memory, code.unwind, code.image, dump, regs);
		*beyond = step == NT_STEP_OUTSIDE;
		if (step != NT_STEP_DONE)
			return false;
	}
	return true;
}

/* What lies at the address and above it, as far as it can be read. */
static bool copy_stack(struct nt_contract *contract, uint64_t start, size_t most, struct nt_thread_stack *out)
{
	out->bytes_start = start;
	out->byte_count = nt_memory_copy(contract->memory, start, out->bytes, most);
	return out->byte_count > 0;
}

/* Go through the explicit frames from `frame` on. False: it is none. *beyond: what is needed lies above the copy. */
static bool walk(struct nt_contract *contract, uint64_t frame, struct nt_thread_stack *out, bool *beyond)
{
	const struct nt_stack_dump dump = { .bytes = out->bytes, .size = out->byte_count, .start = out->bytes_start };
	uint64_t highest = 0;
	for (unsigned i = 0; i < EXPLICIT_FRAMES_MAX; i++) {
		struct nt_frame_regs regs;
		bool bad = false;
		/* What lies below where the last part ended has been gone through with it. */
		if (registers_of(contract, &dump, frame, &regs, &bad) && regs.value[NT_REG_SP] > highest) {
			if (!unwind(contract, &dump, &regs, out, beyond))
				return true;
			highest = regs.value[NT_REG_SP];
		}
		uint64_t next = word(&dump, nt_contract_place(contract, frame, NT_OFF_FRAME_NEXT), &bad);
		*beyond = bad;
		if (bad)
			return i > 0;
		out->complete = next == NO_FRAME;
		if (next <= frame || next == NO_FRAME) /* they lie behind each other, the innermost one lowest */
			return next == NO_FRAME || i > 0;
		frame = next;
	}
	return true;
}

bool nt_thread_stack_read(struct nt_contract *contract, const struct nt_contract_thread *thread, struct nt_thread_stack *out)
{
	/* Most are short; a page costs as much to read as all that is then looked up in it. */
	static const size_t sizes[] = { 8 << 10, 64 << 10, NT_THREAD_STACK_BYTES };
	bool bad = false, found = false, beyond = true;
	uint64_t frame = nt_contract_u64(contract, thread->address, NT_OFF_THREAD_FRAME, &bad);
	out->count = 0;
	out->byte_count = 0;
	out->from = out->from_pointer = out->bytes_start = 0;
	out->complete = frame == NO_FRAME;
	if (bad || thread->cooperative)
		return false;
	if (frame == NO_FRAME)
		return true;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && beyond; i++) {
		out->count = 0;
		out->complete = beyond = false;
		if (!copy_stack(contract, frame, sizes[i], out))
			return false;
		found = walk(contract, frame, out, &beyond);
		beyond = beyond && out->byte_count == sizes[i];
	}
	return found;
}
