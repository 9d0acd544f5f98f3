// SPDX-License-Identifier: GPL-2.0-only
/*
 * At the tracepoint signal_generate, in the thread that sends a signal. In C:
 *
 *	if (signal != SIGABRT || bpf_get_ns_current_pid_tgid(...) || info.tgid != pid || !(record = bpf_ringbuf_reserve(...)))
 *		return 0;
 *	fill in time, thread, stack pointer;
 *	for (piece = 0; piece < STACK_PIECES; piece++)
 *		copy that piece of the bytes around the stack pointer;
 *	for (word = last; word >= 0; word--)
 *		if (below[word] may be the address of a managed string: aligned, a method table, a length, a letter, units, a closing 0)
 *			copy it into the next of the record's texts;
 *	for (word = 0; word < ABOVE / 8; word++)
 *		if (above[word] may be the address of an exception: aligned, not on the stack, its _xcode says so)
 *			note it, and break;
 *	if (there is one)
 *		copy what lies from it on, piece by piece, and its message;
 *	for (word = 0; word < ABOVE / 8 - 2; word++)
 *		if (above[word + 2] is COR_E_FAILFAST and above[word] may be the address of a managed string's units)
 *			note that, and break;	(.NET 8: if above[word] may be the address of a managed string, a few words above the uppermost COR_E_FAILFAST)
 *	if (there is one)
 *		copy its units, piece by piece;
 *	if (one of the first words above[] is COR_E_STACKOVERFLOW) {
 *		for (word = 0; word < ABOVE / 8; word++)
 *			if (a chain of frame pointers begins there)
 *				break;
 *		while (there is a next frame)
 *			note its return address, among the first or the last, and count it;
 *	}
 *	bpf_ringbuf_submit(record);
 *
 * A thread sends itself SIGABRT with abort(). One that another process sends is not looked at: it says nothing of where the target is.
 */
#include "source/crash/last_look_program.h"

#include "nettop/status.h"
#include "source/common/bpf_build.h"
#include "source/common/bpf_call.h"
#include "source/crash/last_look.h"
#include "source/crash/last_look_frames.h"
#include "source/crash/last_look_parts.h"

#include <errno.h>
#include <linux/btf.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#ifdef __x86_64__
enum { REGS_SP = 152 }; /* of struct pt_regs */
#else
enum { REGS_SP = 248 };
#endif

/* What an exception of managed code has in its field _xcode. */
#define EXCEPTION_CODE UINT64_C(0xe0434352)

/* COR_E_FAILFAST, which Environment.FailFast hands on with its message. */
#define FAIL_FAST_CODE UINT64_C(0x80131623)

enum {
	STRING_FIRST = 12, /* of a managed string: its units come behind the method table and the length */
	SHORTEST = 4,
	LONGEST = 1 << 15,
	STACK_SHIFT = 10,
	HEAP_SHIFT = 12,
	MESSAGE_AT = 16, /* of an exception: where its _message is */
	WORDS = NT_LAST_LOOK_BELOW / 8,
	LIVE_WORDS = NT_LAST_LOOK_ABOVE / 8,
	STACK_PIECES = (NT_LAST_LOOK_BELOW + NT_LAST_LOOK_ABOVE) >> STACK_SHIFT,
	HEAP_PIECES = NT_LAST_LOOK_HEAP >> HEAP_SHIFT,
	FAIL_PIECES = NT_LAST_LOOK_TEXT_BYTES >> STACK_SHIFT,
	MESSAGE_PIECES = NT_LAST_LOOK_TEXT_BYTES >> HEAP_SHIFT,
	CODE_AFTER = 16,   /* bytes from the address of FailFast's message to the exit code */
	MESSAGE_NEAR = 24, /* .NET 8: words from the exit code, within which is the address of the message */
	STRING_SIZES = 22, /* what the class of strings says of an empty one, header included */
};

enum { CALLBACKS = LABELS - STACK_CALLBACK };

static void only_of(struct nt_bpf_builder *b, const struct nt_perf_filter *process)
{
	nt_bpf_by_register(b, BPF_MOV, CONTEXT, R1);
	nt_bpf_load(b, BPF_DW, R1, CONTEXT, 0); /* the tracepoint's first argument */
	nt_bpf_jump_if(b, BPF_JNE, R1, SIGABRT, OUT);
	nt_perf_filter_write(b, process, INFO, OUT);
}

static void where_it_is(struct nt_bpf_builder *b, int ring)
{
	nt_bpf_number(b, R1, (uint64_t)ring, BPF_PSEUDO_MAP_FD);
	nt_bpf_by_number(b, BPF_MOV, R2, sizeof(struct nt_last_look_record));
	nt_bpf_by_number(b, BPF_MOV, R3, 0);
	nt_bpf_helper(b, BPF_FUNC_ringbuf_reserve);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
	nt_bpf_by_register(b, BPF_MOV, RECORD, R0);
	nt_bpf_load(b, BPF_W, R1, FRAME, INFO + (int)offsetof(struct bpf_pidns_info, pid));
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, tid), R1);
	nt_bpf_by_number(b, BPF_MOV, R1, 0);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, text_count), R1);
	nt_bpf_helper(b, BPF_FUNC_ktime_get_ns);
	nt_bpf_store(b, BPF_DW, RECORD, offsetof(struct nt_last_look_record, time), R0);
	nt_bpf_by_number(b, BPF_MOV, R1, 0);
	nt_bpf_store(b, BPF_DW, RECORD, offsetof(struct nt_last_look_record, exception), R1);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, message_length), R1);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, fail_length), R1);
	nt_bpf_store(b, BPF_DW, RECORD, offsetof(struct nt_last_look_record, fail_string), R1);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, fail_word), R1);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, overflowed), R1);
	nt_bpf_store(b, BPF_DW, RECORD, offsetof(struct nt_last_look_record, frame), R1);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, frame_count), R1);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, turns), R1);
	nt_bpf_helper(b, BPF_FUNC_get_current_task_btf);
	nt_bpf_by_register(b, BPF_MOV, R1, R0);
	nt_bpf_helper(b, BPF_FUNC_task_pt_regs);
	nt_bpf_load(b, BPF_DW, POINTER, R0, REGS_SP);
	nt_bpf_store(b, BPF_DW, RECORD, offsetof(struct nt_last_look_record, stack_pointer), POINTER);
}

/* POINTER: where one would be, a multiple of 8. Goes on to `next` when no managed string of so many units can be there; else its length is at LENGTH. */
static void must_be_string(struct nt_bpf_builder *b, int shortest, enum nt_last_look_label next)
{
	nt_bpf_place(b, R1, FRAME, HEADER);
	nt_bpf_by_number(b, BPF_MOV, R2, LENGTH + 8 - HEADER);
	nt_bpf_by_register(b, BPF_MOV, R3, POINTER);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, next);
	nt_bpf_load(b, BPF_DW, R1, FRAME, HEADER); /* the method table */
	nt_bpf_jump_if(b, BPF_JSET, R1, 7, next);
	nt_bpf_by_number(b, BPF_RSH, R1, 32);
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, next);
	nt_bpf_by_number(b, BPF_RSH, R1, 15);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, next);
	nt_bpf_load(b, BPF_W, R1, FRAME, LENGTH);
	nt_bpf_jump_if(b, BPF_JLT, R1, shortest, next);
	nt_bpf_jump_if(b, BPF_JGT, R1, LONGEST, next);
	nt_bpf_by_number(b, BPF_LSH, R1, 1);
	nt_bpf_by_register(b, BPF_MOV, R3, POINTER);
	nt_bpf_by_register(b, BPF_ADD, R3, R1);
	nt_bpf_by_number(b, BPF_ADD, R3, STRING_FIRST);
	nt_bpf_place(b, R1, FRAME, CLOSING);
	nt_bpf_by_number(b, BPF_MOV, R2, 2);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, next);
	nt_bpf_load(b, BPF_H, R1, FRAME, CLOSING);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, next);
}

/* The same; and its class says the sizes of a string: the address lies where much else may be. */
static void must_be_of_strings(struct nt_bpf_builder *b, enum nt_last_look_label next)
{
	must_be_string(b, 1, next);
	nt_bpf_load(b, BPF_DW, R3, FRAME, HEADER);
	nt_bpf_place(b, R1, FRAME, HEADER);
	nt_bpf_by_number(b, BPF_MOV, R2, 8);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, next);
	nt_bpf_load(b, BPF_H, R1, FRAME, HEADER); /* of each unit */
	nt_bpf_jump_if(b, BPF_JNE, R1, 2, next);
	nt_bpf_load(b, BPF_W, R1, FRAME, HEADER + 4); /* of an empty one */
	nt_bpf_jump_if(b, BPF_JNE, R1, STRING_SIZES, next);
}

/* The text of somebody who has something to say. */
static void must_begin_with_a_letter(struct nt_bpf_builder *b)
{
	nt_bpf_load(b, BPF_H, R1, FRAME, FIRST_UNIT);
	nt_bpf_jump_if(b, BPF_JLT, R1, 'A', NEXT);
}

static void copy_string(struct nt_bpf_builder *b)
{
	/* The count is read from the record, so the kernel's verifier takes all counts for one. */
	nt_bpf_load(b, BPF_W, R4, RECORD, offsetof(struct nt_last_look_record, text_count));
	nt_bpf_jump_if(b, BPF_JGE, R4, NT_LAST_LOOK_TEXTS, DONE);
	nt_bpf_by_register(b, BPF_MOV, R1, R4);
	nt_bpf_by_number(b, BPF_ADD, R1, 1);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, text_count), R1);
	nt_bpf_by_number(b, BPF_MUL, R4, sizeof(struct nt_last_look_text));
	nt_bpf_by_register(b, BPF_ADD, R4, RECORD);
	nt_bpf_by_number(b, BPF_ADD, R4, offsetof(struct nt_last_look_record, texts));
	nt_bpf_store(b, BPF_DW, R4, offsetof(struct nt_last_look_text, address), POINTER);
	nt_bpf_load(b, BPF_W, R2, FRAME, LENGTH);
	nt_bpf_store(b, BPF_W, R4, offsetof(struct nt_last_look_text, length), R2);
	nt_bpf_store(b, BPF_W, R4, offsetof(struct nt_last_look_text, word), WORD);
	nt_bpf_by_number(b, BPF_LSH, R2, 1);
	/* min(R2, room), jumping over the next instruction */
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_JLE | BPF_K, .dst_reg = R2, .off = 1, .imm = NT_LAST_LOOK_TEXT_BYTES });
	nt_bpf_by_number(b, BPF_MOV, R2, NT_LAST_LOOK_TEXT_BYTES);
	nt_bpf_by_register(b, BPF_MOV, R1, R4);
	nt_bpf_by_number(b, BPF_ADD, R1, offsetof(struct nt_last_look_text, bytes));
	nt_bpf_by_register(b, BPF_MOV, R3, POINTER);
	nt_bpf_by_number(b, BPF_ADD, R3, STRING_FIRST);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user);
}

/* Memory that is copied in pieces, because pages that were never used are not there. */
struct copied {
	enum nt_last_look_label callback, out;
	int pieces, shift; /* a piece has 1 << shift bytes */
	size_t to, of;     /* within the record: where the copy is, and where the address that it is of */
	int from;          /* is added to that */
};

/* Copies one of them: a loop, because the kernel's verifier takes the longer the more instructions a program has. What cannot be read becomes 0. */
static void copy_callback(struct nt_bpf_builder *b, const struct copied *copied)
{
	nt_bpf_label(b, copied->callback);
	nt_bpf_by_register(b, BPF_MOV, WORD, R1);
	nt_bpf_jump_if(b, BPF_JGT, WORD, copied->pieces - 1, copied->out);
	nt_bpf_by_number(b, BPF_LSH, WORD, copied->shift);
	nt_bpf_load(b, BPF_DW, RECORD, R2, 0);
	nt_bpf_place(b, R1, RECORD, copied->of);
	nt_bpf_load(b, BPF_DW, R3, R1, 0);
	nt_bpf_by_register(b, BPF_ADD, R3, WORD);
	nt_bpf_by_number(b, BPF_ADD, R3, copied->from);
	nt_bpf_place(b, R1, RECORD, copied->to);
	nt_bpf_by_register(b, BPF_ADD, R1, WORD);
	nt_bpf_by_number(b, BPF_MOV, R2, 1 << copied->shift);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user);
	nt_bpf_label(b, copied->out);
	nt_bpf_leave(b, 0);
}

static void copy_callbacks(struct nt_bpf_builder *b)
{
	static const struct copied stack = { .callback = STACK_CALLBACK,
					     .out = STACK_OUT,
					     .pieces = STACK_PIECES,
					     .shift = STACK_SHIFT,
					     .to = offsetof(struct nt_last_look_record, below),
					     .of = offsetof(struct nt_last_look_record, stack_pointer),
					     .from = -NT_LAST_LOOK_BELOW };
	static const struct copied heap = { .callback = HEAP_CALLBACK,
					    .out = HEAP_OUT,
					    .pieces = HEAP_PIECES,
					    .shift = HEAP_SHIFT,
					    .to = offsetof(struct nt_last_look_record, heap),
					    .of = offsetof(struct nt_last_look_record, exception) };
	static const struct copied fail = { .callback = FAIL_TEXT_CALLBACK,
					    .out = FAIL_TEXT_OUT,
					    .pieces = FAIL_PIECES,
					    .shift = STACK_SHIFT,
					    .to = offsetof(struct nt_last_look_record, fail_text),
					    .of = offsetof(struct nt_last_look_record, fail_string),
					    .from = STRING_FIRST };
	static const struct copied message = { .callback = MESSAGE_CALLBACK,
					       .out = MESSAGE_OUT,
					       .pieces = MESSAGE_PIECES,
					       .shift = HEAP_SHIFT,
					       .to = offsetof(struct nt_last_look_record, message),
					       .of = offsetof(struct nt_last_look_record, heap) + MESSAGE_AT,
					       .from = STRING_FIRST };
	copy_callback(b, &stack);
	copy_callback(b, &heap);
	copy_callback(b, &fail);
	copy_callback(b, &message);
}

/* bpf_loop() calls it for each word: R1 is a number from 0 on, R2 where the loop's caller has put the record. Returns 0 to go on, 1 to end the loop. */
static void text_callback(struct nt_bpf_builder *b)
{
	nt_bpf_label(b, TEXT_CALLBACK);
	nt_bpf_by_number(b, BPF_MOV, WORD, WORDS - 1); /* the nearest to the stack pointer first */
	nt_bpf_by_register(b, BPF_SUB, WORD, R1);
	nt_bpf_jump_if(b, BPF_JGT, WORD, WORDS - 1, NEXT);
	nt_bpf_load(b, BPF_DW, RECORD, R2, 0);
	nt_bpf_by_register(b, BPF_MOV, R1, WORD);
	nt_bpf_by_number(b, BPF_LSH, R1, 3);
	nt_bpf_by_register(b, BPF_ADD, R1, RECORD);
	nt_bpf_load(b, BPF_DW, POINTER, R1, offsetof(struct nt_last_look_record, below));
	nt_bpf_jump_if(b, BPF_JSET, POINTER, 7, NEXT);
	must_be_string(b, SHORTEST, NEXT);
	must_begin_with_a_letter(b);
	copy_string(b);
	nt_bpf_label(b, NEXT);
	nt_bpf_leave(b, 0);
	nt_bpf_label(b, DONE);
	nt_bpf_leave(b, 1);
}

/* The same for each word above the stack pointer. */
static void live_callback(struct nt_bpf_builder *b, unsigned code_at)
{
	nt_bpf_label(b, LIVE_CALLBACK);
	nt_bpf_by_register(b, BPF_MOV, WORD, R1);
	nt_bpf_jump_if(b, BPF_JGT, WORD, LIVE_WORDS - 1, LIVE_NEXT);
	nt_bpf_load(b, BPF_DW, RECORD, R2, 0);
	nt_bpf_by_number(b, BPF_LSH, WORD, 3);
	nt_bpf_by_register(b, BPF_ADD, WORD, RECORD);
	nt_bpf_load(b, BPF_DW, POINTER, WORD, offsetof(struct nt_last_look_record, above));
	nt_bpf_jump_if(b, BPF_JSET, POINTER, 7, LIVE_NEXT);
	/* Nothing within 16 MB around the stack pointer: what lies on the stack is no object. */
	nt_bpf_by_register(b, BPF_MOV, R1, POINTER);
	nt_bpf_load(b, BPF_DW, R3, RECORD, offsetof(struct nt_last_look_record, stack_pointer));
	nt_bpf_by_register(b, BPF_SUB, R1, R3);
	nt_bpf_by_number(b, BPF_ADD, R1, 8 << 20);
	nt_bpf_by_number(b, BPF_RSH, R1, 24);
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, LIVE_NEXT);
	nt_bpf_place(b, R1, FRAME, HEADER);
	nt_bpf_by_number(b, BPF_MOV, R2, 4);
	nt_bpf_by_register(b, BPF_MOV, R3, POINTER);
	nt_bpf_by_number(b, BPF_ADD, R3, (int32_t)code_at);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, LIVE_NEXT);
	nt_bpf_load(b, BPF_W, R1, FRAME, HEADER);
	nt_bpf_number(b, R2, EXCEPTION_CODE, 0);
	nt_bpf_by_register(b, BPF_XOR, R1, R2);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, LIVE_NEXT);
	nt_bpf_store(b, BPF_DW, RECORD, offsetof(struct nt_last_look_record, exception), POINTER);
	nt_bpf_leave(b, 1);
	nt_bpf_label(b, LIVE_NEXT);
	nt_bpf_leave(b, 0);
}

static void note_fail_string(struct nt_bpf_builder *b)
{
	nt_bpf_load(b, BPF_W, R1, FRAME, LENGTH);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, fail_length), R1);
	nt_bpf_store(b, BPF_DW, RECORD, offsetof(struct nt_last_look_record, fail_string), POINTER);
	nt_bpf_leave(b, 1);
	nt_bpf_label(b, FAIL_NEXT);
	nt_bpf_leave(b, 0);
}

/* The same for each word above the stack pointer but the last two: is it the message of FailFast? */
static void fail_callback(struct nt_bpf_builder *b)
{
	nt_bpf_label(b, FAIL_CALLBACK);
	nt_last_look_nth_word(b, LIVE_WORDS - 2, FAIL_NEXT);
	nt_bpf_load(b, BPF_DW, R1, WORD, offsetof(struct nt_last_look_record, above) + CODE_AFTER);
	nt_bpf_number(b, R2, FAIL_FAST_CODE, 0);
	nt_bpf_by_register(b, BPF_XOR, R1, R2);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, FAIL_NEXT);
	nt_bpf_load(b, BPF_DW, POINTER, WORD, offsetof(struct nt_last_look_record, above));
	nt_bpf_by_number(b, BPF_SUB, POINTER, STRING_FIRST);
	nt_bpf_jump_if(b, BPF_JSET, POINTER, 7, FAIL_NEXT);
	must_be_string(b, 1, FAIL_NEXT);
	note_fail_string(b);
}

/* .NET 8: the words are looked at upwards, so the exit code that was seen last is the uppermost. */
static void fail_callback_of_8(struct nt_bpf_builder *b)
{
	nt_bpf_label(b, FAIL_CALLBACK);
	nt_bpf_by_register(b, BPF_MOV, R5, R1);
	nt_last_look_nth_word(b, LIVE_WORDS - 2, FAIL_NEXT);
	nt_bpf_by_number(b, BPF_ADD, R5, 1);
	nt_bpf_load(b, BPF_DW, POINTER, WORD, offsetof(struct nt_last_look_record, above));
	nt_bpf_by_register(b, BPF_MOV, R1, POINTER);
	nt_bpf_number(b, R2, FAIL_FAST_CODE, 0);
	nt_bpf_by_register(b, BPF_XOR, R1, R2);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, CODE_NEXT);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, fail_word), R5);
	nt_bpf_leave(b, 0);
	nt_bpf_label(b, CODE_NEXT);
	nt_bpf_load(b, BPF_W, R1, RECORD, offsetof(struct nt_last_look_record, fail_word));
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, FAIL_NEXT);
	nt_bpf_by_register(b, BPF_SUB, R5, R1);
	nt_bpf_jump_if(b, BPF_JGT, R5, MESSAGE_NEAR, FAIL_NEXT);
	nt_bpf_jump_if(b, BPF_JSET, POINTER, 7, FAIL_NEXT);
	must_be_of_strings(b, FAIL_NEXT);
	note_fail_string(b);
}

/* Of the exception, of which a copy is in the record. */
static void copy_message(struct nt_bpf_builder *b)
{
	nt_bpf_place(b, R1, RECORD, offsetof(struct nt_last_look_record, heap));
	nt_bpf_load(b, BPF_DW, R3, R1, MESSAGE_AT); /* 0 = none */
	nt_bpf_place(b, R1, FRAME, HEADER);
	nt_bpf_by_number(b, BPF_MOV, R2, 4);
	nt_bpf_by_number(b, BPF_ADD, R3, STRING_FIRST - 4);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user); /* the length; 0 when there is none */
	nt_bpf_load(b, BPF_W, R1, FRAME, HEADER);
	nt_bpf_store(b, BPF_W, RECORD, offsetof(struct nt_last_look_record, message_length), R1);
	nt_last_look_loop(b, MESSAGE_PIECES, MESSAGE_CALLBACK);
}

static void loops(struct nt_bpf_builder *b)
{
	nt_bpf_store(b, BPF_DW, FRAME, LOOP_CONTEXT, RECORD);
	nt_last_look_loop(b, STACK_PIECES, STACK_CALLBACK);
	nt_last_look_loop(b, WORDS, TEXT_CALLBACK);
	nt_last_look_loop(b, LIVE_WORDS, LIVE_CALLBACK);
	nt_bpf_load(b, BPF_DW, R1, RECORD, offsetof(struct nt_last_look_record, exception));
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, NO_EXCEPTION);
	nt_last_look_loop(b, HEAP_PIECES, HEAP_CALLBACK);
	copy_message(b);
	nt_bpf_label(b, NO_EXCEPTION);
	nt_last_look_loop(b, LIVE_WORDS - 2, FAIL_CALLBACK);
	nt_bpf_load(b, BPF_DW, R1, RECORD, offsetof(struct nt_last_look_record, fail_string));
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, SUBMIT);
	nt_last_look_loop(b, FAIL_PIECES, FAIL_TEXT_CALLBACK);
	nt_bpf_label(b, SUBMIT);
	nt_last_look_follow_frames(b);
	nt_bpf_by_register(b, BPF_MOV, R1, RECORD);
	nt_bpf_by_number(b, BPF_MOV, R2, BPF_RB_NO_WAKEUP);
	nt_bpf_helper(b, BPF_FUNC_ringbuf_submit);
}

/*
 * The kernel wants to know the functions of a program with a callback by BTF, however little it says of them:
 * a type int, functions without arguments that return it, and two of them.
 */
static int load_btf(void)
{
	static const char names[] = "\0int\0look\0word";
	enum { INT_NAME = 1, LOOK_NAME = 5, WORD_NAME = 10 };
	const uint32_t types[] = {
		INT_NAME,  BTF_KIND_INT << 24,        4, BTF_INT_SIGNED << 24 | 32, /* 1: int */
		0,         BTF_KIND_FUNC_PROTO << 24, 1,                            /* 2: int f() */
		LOOK_NAME, BTF_KIND_FUNC << 24,       2,                            /* LOOK_TYPE */
		WORD_NAME, BTF_KIND_FUNC << 24,       2,                            /* CALLBACK_TYPE */
	};
	struct btf {
		struct btf_header header;
		uint32_t types[sizeof(types) / sizeof(*types)];
		char names[sizeof(names)];
	} btf = { .header = { .magic = BTF_MAGIC,
			      .version = BTF_VERSION,
			      .hdr_len = sizeof(struct btf_header),
			      .type_len = sizeof(types),
			      .str_off = sizeof(types),
			      .str_len = sizeof(names) } };
	memcpy(btf.types, types, sizeof(types));
	memcpy(btf.names, names, sizeof(names));
	union bpf_attr attributes = { .btf = nt_bpf_pointer(&btf), .btf_size = offsetof(struct btf, names) + sizeof(names) };
	return nt_bpf_call(BPF_BTF_LOAD, &attributes);
}

static int load_program(const struct nt_bpf_builder *b, int btf)
{
	enum { LOOK_TYPE = 3, CALLBACK_TYPE };
	struct bpf_func_info functions[1 + CALLBACKS] = { { 0, LOOK_TYPE } };
	for (int i = 0; i < CALLBACKS; i++) /* they follow each other in the order of their labels */
		functions[1 + i] = (struct bpf_func_info){ (uint32_t)b->labels[STACK_CALLBACK + i], CALLBACK_TYPE };
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = nt_bpf_pointer(b->program),
		.insn_cnt = (uint32_t)b->count,
		.license = nt_bpf_pointer("GPL"),
		.prog_name = "nettop_last",
		.prog_btf_fd = (uint32_t)btf,
		.func_info = nt_bpf_pointer(functions),
		.func_info_rec_size = sizeof(*functions),
		.func_info_cnt = sizeof(functions) / sizeof(*functions),
	};
	return nt_bpf_call(BPF_PROG_LOAD, &attributes);
}

/* Offset of _xcode in an exception, which says that it is one. */
static unsigned exception_code_at(unsigned major)
{
	return major >= 9 ? 0x68 : 0x70;
}

int nt_last_look_program_load(const struct nt_perf_filter *process, int ring, unsigned major)
{
	struct nt_bpf_builder b = { .count = 0 };
	only_of(&b, process);
	where_it_is(&b, ring);
	loops(&b);
	nt_bpf_label(&b, OUT);
	nt_bpf_leave(&b, 0);
	copy_callbacks(&b);
	text_callback(&b);
	live_callback(&b, exception_code_at(major));
	if (major >= 9)
		fail_callback(&b);
	else
		fail_callback_of_8(&b);
	nt_last_look_frame_callbacks(&b);
	nt_bpf_close(&b);
	int btf = load_btf();
	if (btf < 0)
		return -1;
	int program = load_program(&b, btf), error = errno;
	close(btf);
	errno = error;
	return program;
}
