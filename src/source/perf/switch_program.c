// SPDX-License-Identifier: GPL-2.0-only
/*
 * In C, at sched_switch(preempt, prev, next, prev_state):
 *
 *	if ((thread = bpf_map_lookup_elem(&threads, &next)))
 *		tell(thread->tid, NT_SWITCH_ON);
 *	if (prev_state & TASK_DEAD) {
 *		bpf_map_delete_elem(&threads, &prev);              its address is another thread's soon
 *		return 0;
 *	}
 *	if (!(thread = bpf_map_lookup_elem(&threads, &prev))) {
 *		if (bpf_get_ns_current_pid_tgid(device, inode, &info, sizeof(info)) != 0 || info.tgid != pid)
 *			return 0;
 *		if (bpf_map_update_elem(&threads, &prev, &(struct thread){ info.pid }, BPF_ANY) != 0)
 *			__sync_fetch_and_add(&count, 1);           nobody will know when it comes back
 *		if (!(thread = bpf_map_lookup_elem(&threads, &prev)))
 *			return 0;
 *	}
 *	fill in time, thread, preempt || !prev_state;
 *	registers = bpf_task_pt_regs(bpf_get_current_task_btf());
 *	room = bpf_map_lookup_elem(&rooms, &zero);
 *	last = bpf_map_lookup_elem(&walked, thread->tid % WALKED);
 *	if (thread->ip, sp, bp == registers->ip, sp, bp && thread->until > now && last->tid == thread->tid && still_there(last)) {   stack_again.h
 *		tell(thread->tid, NT_SWITCH_OFF_AGAIN);
 *		return 0;
 *	}
 *	thread->ip, sp, bp = registers->ip, sp, bp, thread->until = 0;
 *	if (bpf_get_ns_current_pid_tgid(device, inode, &info, sizeof(info)) != 0 || info.tgid != pid || info.pid != thread->tid) {
 *		bpf_map_delete_elem(&threads, &prev);              the end of whoever had that address was not seen
 *		return 0;
 *	}
 *	length = walk(room->stack);                                stack_program.h; elsewhere than on x86-64 bpf_get_stack()
 *	if (bpf_ringbuf_output(&ring, room, HEAD + (length < 0 ? 0 : length), BPF_RB_NO_WAKEUP) == 0)
 *		thread->until = now + STACK_EVERY_NS, bpf_map_update_elem(&walked, thread->tid % WALKED, room, BPF_ANY);
 *
 * at sched_waking(thread):
 *
 *	if ((thread = bpf_map_lookup_elem(&threads, &thread)))
 *		registers = bpf_task_pt_regs(bpf_get_current_task_btf());
 *		if (registers and context lie on different stacks || registers->orig_ax < 0)
 *			waker = NT_SWITCH_BY_INTERRUPT;
 *		else if (bpf_get_ns_current_pid_tgid(device, inode, &info, sizeof(info)) == 0 && info.tgid == pid)
 *			waker = info.pid, at most once in STACK_EVERY_NS on each CPU with its stack, as above
 *		tell(thread->tid, NT_SWITCH_WAKE, waker);
 *
 * Both run with interrupts off, so that a CPU's room is never used twice at a time.
 */
#include "source/perf/switch_program.h"

#include "nettop/status.h"
#include "source/common/bpf_build.h"
#include "source/common/bpf_call.h"
#include "source/perf/stack_again.h"
#include "source/perf/stack_program.h"

#include <errno.h>
#include <stddef.h>

enum { R0, R1, R2, R3, R4, R5, CONTEXT, ROOM, LAST = 9, FRAME = 10 };

/* What is kept of each thread of the process: where its stack was walked last, and until when that may be the same again. */
struct thread {
	uint64_t tid, ip, sp, bp, until;
};

/* A CPU's. What is kept of a stack that was walked begins with the slots, and ends with the words that these are of. */
struct room {
	uint64_t next_stack;
	struct nt_stack_slots slots;
	struct nt_switch_record record;
	uint8_t copy[NT_STACK_COPY_BYTES];
};
enum {
	WALKED = 1 << 11, /* places, by the threads' numbers. Of two threads at one place each walk is told whole. */
	SLOTS_AT = offsetof(struct room, slots),
	RECORD_AT = offsetof(struct room, record),
	WALKED_BYTES = RECORD_AT + offsetof(struct nt_switch_record, stack) + NT_STACK_SLOTS * 8 - SLOTS_AT,
};

enum { THREADS_MAX = 1 << 15, TASK_DEAD = 0x80, STACK_MASK = 511 };
enum { HEAD = offsetof(struct nt_switch_record, stack) };
enum { STACK_EVERY_NS = 1000000 }; /* who waits, or wakes others, all the time does it at the same places */
enum {
	RECORD = -HEAD,
	TID = RECORD + (int)offsetof(struct nt_switch_record, tid),
	WAKER = RECORD + (int)offsetof(struct nt_switch_record, waker),
	KEY = RECORD - 8,
	INFO = KEY - 8,
	VALUE = INFO - 8,
	POINTERS = VALUE - 16,
	NUMBERS = POINTERS - 16,
	NEW = NUMBERS - (int)sizeof(struct thread),
	THREAD = NEW - 8,
	NOW = THREAD - 8,
	PLACE = NOW - 8,
	SLOT = PLACE - 8,
	FIRST_SP = SLOT - 8
}; /* on the program's own stack */

_Static_assert(NT_SWITCH_FRAMES * 8 <= STACK_MASK, "a stack's length survives the mask");

/*
 * Whether it is an interrupt that wakes, while something else runs: an interrupt of the kernel is served on a stack of the CPU's own, and what a tracepoint is told lies on the stack in use;
 * one of a program is served on the thread's stack, and the registers that were saved there are not those of a system call.
 */
#ifdef __x86_64__
enum { ON_X86_64 = 1, STACK_SHIFT = 14, SYSTEM_CALL = 15 * 8, REGS_BP = 4 * 8, REGS_IP = 16 * 8, REGS_SP = 19 * 8 };
#else
enum { ON_X86_64 = 0, STACK_SHIFT = 14, SYSTEM_CALL = 0, REGS_BP = 0, REGS_IP = 0, REGS_SP = 0 };
#endif

enum label {
	OUT,
	ON_TOLD,
	ALIVE,
	KNOWN,
	NOTED,
	BLOCKED,
	ELSEWHERE,
	FOREIGN,
	STACK_KNOWN,
	LEFT,
	WAKER_KNOWN,
	OF_WALK,
	OF_AGAIN = OF_WALK + NT_STACK_PROGRAM_LABELS
};

/* R0: the value of a thread that is known, by the tracepoint's argument `argument`; 0 = not the target's, or not known yet. */
static void look_up(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, int argument)
{
	nt_bpf_load(b, BPF_DW, R1, CONTEXT, 8 * argument);
	nt_bpf_store(b, BPF_DW, FRAME, KEY, R1);
	nt_bpf_number(b, R1, (uint64_t)maps->threads, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, KEY);
	nt_bpf_helper(b, BPF_FUNC_map_lookup_elem);
}

/* R0: the one element of a map; 0 = there is none, which the kernel wants to be asked. */
static void look_up_only(struct nt_bpf_builder *b, int map)
{
	nt_bpf_store_number(b, BPF_W, FRAME, VALUE, 0);
	nt_bpf_number(b, R1, (uint64_t)map, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, VALUE);
	nt_bpf_helper(b, BPF_FUNC_map_lookup_elem);
}

/* One more that is not told. */
static void count_lost(struct nt_bpf_builder *b, const struct nt_switch_programs *maps)
{
	look_up_only(b, maps->count);
	/* over the next two instructions */
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = R0, .off = 2, .imm = 0 });
	nt_bpf_by_number(b, BPF_MOV, R1, 1);
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = R0, .src_reg = R1, .imm = BPF_ADD });
}

/* R2: what; R3: its length. Goes on to `told` when it found room. */
static void output(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, enum label told)
{
	nt_bpf_number(b, R1, (uint64_t)maps->ring, BPF_PSEUDO_MAP_FD);
	nt_bpf_by_number(b, BPF_MOV, R4, BPF_RB_NO_WAKEUP);
	nt_bpf_helper(b, BPF_FUNC_ringbuf_output);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, told);
	count_lost(b, maps);
}

/* The number of the thread whose value R0 points at, into the record on the program's stack. */
static void note_tid(struct nt_bpf_builder *b)
{
	nt_bpf_load(b, BPF_W, R1, R0, 0);
	nt_bpf_store(b, BPF_W, FRAME, TID, R1);
}

/* What has all but its time on the program's stack. R0: the time. */
static void tell_at(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, enum label told)
{
	nt_bpf_store(b, BPF_DW, FRAME, RECORD + (int)offsetof(struct nt_switch_record, time), R0);
	nt_bpf_place(b, R2, FRAME, RECORD);
	nt_bpf_by_number(b, BPF_MOV, R3, HEAD);
	output(b, maps, told);
}

/* What has its thread, and who woke that, on the program's stack. */
static void tell_short(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, enum nt_switch_what what, enum label told)
{
	nt_bpf_store_number(b, BPF_W, FRAME, RECORD + (int)offsetof(struct nt_switch_record, what), (int32_t)what);
	nt_bpf_store_number(b, BPF_W, FRAME, RECORD + (int)offsetof(struct nt_switch_record, preempted), 0);
	nt_bpf_helper(b, BPF_FUNC_ktime_get_ns);
	tell_at(b, maps, told);
}

/* R0: so many bytes of user stack are in the CPU's room. `noted`: where its slots are, too, or -1. */
static void walk(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, int noted)
{
	if (maps->rules >= 0) {
		nt_stack_program_write(b, &(struct nt_stack_program){ .rules = maps->rules,
								      .room = ROOM,
								      .at = RECORD_AT + HEAD,
								      .noted = noted,
								      .slot = SLOT,
								      .first_sp = FIRST_SP,
								      .frames = NT_SWITCH_FRAMES,
								      .ip = KEY,
								      .sp = VALUE,
								      .pair = NUMBERS,
								      .labels = OF_WALK });
		return;
	}
	nt_bpf_by_register(b, BPF_MOV, R1, CONTEXT);
	nt_bpf_place(b, R2, ROOM, RECORD_AT + HEAD);
	nt_bpf_by_number(b, BPF_MOV, R3, NT_SWITCH_FRAMES * 8);
	nt_bpf_by_number(b, BPF_MOV, R4, BPF_F_USER_STACK);
	nt_bpf_helper(b, BPF_FUNC_get_stack);
	nt_bpf_jump_if(b, BPF_JSGE, R0, 0, STACK_KNOWN);
	nt_bpf_by_number(b, BPF_MOV, R0, 0);
	nt_bpf_label(b, STACK_KNOWN);
}

/* The record in the CPU's room with the user stack of whatever runs. */
static void tell_with_stack(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, int noted, enum label told)
{
	walk(b, maps, noted);
	nt_bpf_by_number(b, BPF_AND, R0, STACK_MASK);
	nt_bpf_place(b, R2, ROOM, RECORD_AT);
	nt_bpf_by_register(b, BPF_MOV, R3, R0);
	nt_bpf_by_number(b, BPF_ADD, R3, HEAD);
	output(b, maps, told);
}

/* R0: what is kept of the thread that leaves, so that it is found when it is woken and when it comes back. KEY is its address. Leaves the program where it is another process's. */
static void note_thread(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, const struct nt_perf_filter *process)
{
	look_up(b, maps, 1);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, KNOWN);
	nt_perf_filter_write(b, process, INFO, OUT);
	for (int at = 0; at < (int)sizeof(struct thread); at += 8)
		nt_bpf_store_number(b, BPF_DW, FRAME, NEW + at, 0);
	nt_bpf_load(b, BPF_W, R1, FRAME, INFO + (int)offsetof(struct bpf_pidns_info, pid));
	nt_bpf_store(b, BPF_DW, FRAME, NEW + (int)offsetof(struct thread, tid), R1);
	nt_bpf_number(b, R1, (uint64_t)maps->threads, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, KEY);
	nt_bpf_place(b, R3, FRAME, NEW);
	nt_bpf_by_number(b, BPF_MOV, R4, BPF_ANY);
	nt_bpf_helper(b, BPF_FUNC_map_update_elem);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, NOTED);
	count_lost(b, maps);
	nt_bpf_label(b, NOTED);
	look_up(b, maps, 1);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
	nt_bpf_label(b, KNOWN);
}

/* Into the record on the program's stack. */
static void note_whether_preempted(struct nt_bpf_builder *b)
{
	const int preempted = RECORD + (int)offsetof(struct nt_switch_record, preempted);
	nt_bpf_store_number(b, BPF_W, FRAME, preempted, 0);
	nt_bpf_load(b, BPF_DW, R2, CONTEXT, 24); /* prev_state */
	nt_bpf_load(b, BPF_DW, R1, CONTEXT, 0);  /* preempt */
	nt_bpf_by_number(b, BPF_AND, R1, 255);
	nt_bpf_by_number(b, BPF_LSH, R2, 32); /* an unsigned int: what lies above it is not said */
	nt_bpf_by_number(b, BPF_RSH, R2, 32);
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = R2, .off = 1, .imm = 0 });
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, BLOCKED);
	nt_bpf_store_number(b, BPF_W, FRAME, preempted, 1);
	nt_bpf_label(b, BLOCKED);
}

static const struct {
	int in_registers;
	size_t in_thread;
} places[] = { { REGS_IP, offsetof(struct thread, ip) },
	       { REGS_SP, offsetof(struct thread, sp) },
	       { REGS_BP, offsetof(struct thread, bp) } };
enum { PLACES = sizeof(places) / sizeof(places[0]) };

static void load_registers(struct nt_bpf_builder *b)
{
	nt_bpf_helper(b, BPF_FUNC_get_current_task_btf);
	nt_bpf_by_register(b, BPF_MOV, R1, R0);
	nt_bpf_helper(b, BPF_FUNC_task_pt_regs);
	nt_bpf_load(b, BPF_DW, R1, FRAME, THREAD);
}

/* LAST: what was walked of this thread last; goes on ELSEWHERE when it is another one's. */
static void load_walked(struct nt_bpf_builder *b, const struct nt_switch_programs *maps)
{
	nt_bpf_load(b, BPF_W, R1, FRAME, TID);
	nt_bpf_by_number(b, BPF_AND, R1, WALKED - 1);
	nt_bpf_store(b, BPF_W, FRAME, PLACE, R1);
	nt_bpf_number(b, R1, (uint64_t)maps->walked, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, PLACE);
	nt_bpf_helper(b, BPF_FUNC_map_lookup_elem);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, ELSEWHERE);
	nt_bpf_by_register(b, BPF_MOV, LAST, R0);
	nt_bpf_load(b, BPF_W, R1, LAST, RECORD_AT - SLOTS_AT + (int)offsetof(struct nt_switch_record, tid));
	nt_bpf_load(b, BPF_W, R2, FRAME, TID);
	nt_bpf_by_register(b, BPF_XOR, R1, R2);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, ELSEWHERE);
}

/* Where it leaves the CPU with the registers and the stack with which it did a moment ago: told without the stack, and the program's end. Else what is kept of it is this place. */
static void tell_off_again(struct nt_bpf_builder *b, const struct nt_switch_programs *maps)
{
	load_registers(b);
	for (size_t i = 0; i < PLACES; i++) {
		nt_bpf_load(b, BPF_DW, R2, R0, places[i].in_registers);
		nt_bpf_load(b, BPF_DW, R3, R1, (int)places[i].in_thread);
		nt_bpf_by_register(b, BPF_XOR, R2, R3);
		nt_bpf_jump_if(b, BPF_JNE, R2, 0, ELSEWHERE);
	}
	nt_bpf_load(b, BPF_DW, R2, R1, offsetof(struct thread, until));
	nt_bpf_load(b, BPF_DW, R3, FRAME, NOW);
	nt_bpf_by_register(b, BPF_SUB, R2, R3);
	nt_bpf_jump_if(b, BPF_JSLE, R2, 0, ELSEWHERE);
	load_walked(b, maps);
	nt_bpf_load(b, BPF_DW, R1, FRAME, THREAD);
	nt_bpf_load(b, BPF_DW, R3, R1, offsetof(struct thread, sp));
	nt_stack_again_write(b, &(struct nt_stack_again){ .walked = LAST,
							  .words = RECORD_AT + HEAD - SLOTS_AT,
							  .room = ROOM,
							  .copy = offsetof(struct room, copy),
							  .other = ELSEWHERE,
							  .labels = OF_AGAIN });
	nt_bpf_store_number(b, BPF_W, FRAME, RECORD + (int)offsetof(struct nt_switch_record, what), NT_SWITCH_OFF_AGAIN);
	nt_bpf_load(b, BPF_DW, R0, FRAME, NOW);
	tell_at(b, maps, OUT);
	nt_bpf_leave(b, 0);
	nt_bpf_label(b, ELSEWHERE);
	load_registers(b);
	for (size_t i = 0; i < PLACES; i++) {
		nt_bpf_load(b, BPF_DW, R2, R0, places[i].in_registers);
		nt_bpf_store(b, BPF_DW, R1, (int)places[i].in_thread, R2);
	}
	nt_bpf_store_number(b, BPF_DW, R1, offsetof(struct thread, until), 0);
}

/* It is told: who leaves at this place again need not be. */
static void keep_walked(struct nt_bpf_builder *b, const struct nt_switch_programs *maps)
{
	nt_bpf_number(b, R1, (uint64_t)maps->walked, BPF_PSEUDO_MAP_FD);
	nt_bpf_load(b, BPF_W, R2, FRAME, TID);
	nt_bpf_by_number(b, BPF_AND, R2, WALKED - 1);
	nt_bpf_store(b, BPF_W, FRAME, PLACE, R2);
	nt_bpf_place(b, R2, FRAME, PLACE);
	nt_bpf_place(b, R3, ROOM, SLOTS_AT);
	nt_bpf_by_number(b, BPF_MOV, R4, BPF_ANY);
	nt_bpf_helper(b, BPF_FUNC_map_update_elem);
	nt_bpf_load(b, BPF_DW, R1, FRAME, THREAD);
	nt_bpf_load(b, BPF_DW, R2, FRAME, NOW);
	nt_bpf_by_number(b, BPF_ADD, R2, STACK_EVERY_NS);
	nt_bpf_store(b, BPF_DW, R1, offsetof(struct thread, until), R2);
}

/* The record of the CPU's room begins as that on the program's stack does. */
static void copy_to_room(struct nt_bpf_builder *b, enum nt_switch_what what)
{
	static const size_t numbers[] = { offsetof(struct nt_switch_record, tid), offsetof(struct nt_switch_record, preempted),
					  offsetof(struct nt_switch_record, waker) };
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		nt_bpf_load(b, BPF_W, R1, FRAME, RECORD + (int)numbers[i]);
		nt_bpf_store(b, BPF_W, ROOM, RECORD_AT + (int)numbers[i], R1);
	}
	nt_bpf_store_number(b, BPF_W, ROOM, RECORD_AT + (int)offsetof(struct nt_switch_record, what), (int32_t)what);
	nt_bpf_load(b, BPF_DW, R1, FRAME, NOW);
	nt_bpf_store(b, BPF_DW, ROOM, RECORD_AT + (int)offsetof(struct nt_switch_record, time), R1);
}

/* KEY: the address of a thread. */
static void forget_thread(struct nt_bpf_builder *b, const struct nt_switch_programs *maps)
{
	nt_bpf_number(b, R1, (uint64_t)maps->threads, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, KEY);
	nt_bpf_helper(b, BPF_FUNC_map_delete_elem);
}

/* Is it still the one that was noted by its address? Each time that it is walked: what comes between is at the same place of the same stack. */
static void check_thread(struct nt_bpf_builder *b, const struct nt_perf_filter *process)
{
	nt_perf_filter_write(b, process, INFO, FOREIGN);
	nt_bpf_load(b, BPF_W, R1, FRAME, INFO + (int)offsetof(struct bpf_pidns_info, pid));
	nt_bpf_load(b, BPF_W, R2, FRAME, TID);
	nt_bpf_by_register(b, BPF_XOR, R1, R2);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, FOREIGN);
}

/* R0: what is kept of the thread. */
static void tell_off(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, const struct nt_perf_filter *process)
{
	const bool walks = maps->rules >= 0;
	nt_bpf_store(b, BPF_DW, FRAME, THREAD, R0);
	note_tid(b);
	nt_bpf_store_number(b, BPF_W, FRAME, WAKER, 0);
	note_whether_preempted(b);
	nt_bpf_helper(b, BPF_FUNC_ktime_get_ns);
	nt_bpf_store(b, BPF_DW, FRAME, NOW, R0);
	look_up_only(b, maps->rooms);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
	nt_bpf_by_register(b, BPF_MOV, ROOM, R0);
	if (walks)
		tell_off_again(b, maps);
	check_thread(b, process);
	copy_to_room(b, NT_SWITCH_OFF);
	tell_with_stack(b, maps, walks ? SLOTS_AT : -1, LEFT);
	nt_bpf_leave(b, 0);
	nt_bpf_label(b, LEFT);
	if (walks)
		keep_walked(b, maps);
	nt_bpf_leave(b, 0);
	nt_bpf_label(b, FOREIGN);
	forget_thread(b, maps);
	nt_bpf_leave(b, 0);
}

static void at_switch(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, const struct nt_perf_filter *process)
{
	nt_bpf_by_register(b, BPF_MOV, CONTEXT, R1);
	look_up(b, maps, 2);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, ON_TOLD);
	note_tid(b);
	nt_bpf_store_number(b, BPF_W, FRAME, WAKER, 0);
	tell_short(b, maps, NT_SWITCH_ON, ON_TOLD);
	nt_bpf_label(b, ON_TOLD);
	nt_bpf_load(b, BPF_DW, R1, CONTEXT, 8);
	nt_bpf_store(b, BPF_DW, FRAME, KEY, R1);
	nt_bpf_load(b, BPF_DW, R1, CONTEXT, 24);
	nt_bpf_by_number(b, BPF_AND, R1, TASK_DEAD);
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, ALIVE);
	forget_thread(b, maps);
	nt_bpf_leave(b, 0);
	nt_bpf_label(b, ALIVE);
	note_thread(b, maps, process);
	tell_off(b, maps, process);
}

/* Whoever runs, unless that was interrupted. */
static void note_waker(struct nt_bpf_builder *b, const struct nt_perf_filter *process)
{
	nt_bpf_store_number(b, BPF_W, FRAME, WAKER, (int32_t)NT_SWITCH_BY_INTERRUPT);
	nt_bpf_helper(b, BPF_FUNC_get_current_task_btf);
	nt_bpf_by_register(b, BPF_MOV, R1, R0);
	nt_bpf_helper(b, BPF_FUNC_task_pt_regs);
	nt_bpf_load(b, BPF_DW, R1, R0, SYSTEM_CALL);
	nt_bpf_jump_if(b, BPF_JSLT, R1, 0, WAKER_KNOWN);
	/* The kernel lets no program calculate with addresses: read as memory they are numbers. */
	nt_bpf_store(b, BPF_DW, FRAME, POINTERS, R0);
	nt_bpf_store(b, BPF_DW, FRAME, POINTERS + 8, CONTEXT);
	nt_bpf_place(b, R1, FRAME, NUMBERS);
	nt_bpf_by_number(b, BPF_MOV, R2, 16);
	nt_bpf_place(b, R3, FRAME, POINTERS);
	nt_bpf_helper(b, BPF_FUNC_probe_read_kernel);
	nt_bpf_load(b, BPF_DW, R1, FRAME, NUMBERS);
	nt_bpf_load(b, BPF_DW, R2, FRAME, NUMBERS + 8);
	nt_bpf_by_register(b, BPF_XOR, R1, R2);
	nt_bpf_by_number(b, BPF_RSH, R1, STACK_SHIFT);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, WAKER_KNOWN);
	nt_bpf_store_number(b, BPF_W, FRAME, WAKER, 0);
	nt_perf_filter_write(b, process, INFO, WAKER_KNOWN);
	nt_bpf_load(b, BPF_W, R1, FRAME, INFO + (int)offsetof(struct bpf_pidns_info, pid));
	nt_bpf_store(b, BPF_W, FRAME, WAKER, R1);
}

/* If it is time for one: the record with the waker's stack, and the program's end. */
static void tell_wake_with_stack(struct nt_bpf_builder *b, const struct nt_switch_programs *maps)
{
	look_up_only(b, maps->rooms);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, WAKER_KNOWN);
	nt_bpf_by_register(b, BPF_MOV, ROOM, R0);
	nt_bpf_helper(b, BPF_FUNC_ktime_get_ns);
	nt_bpf_store(b, BPF_DW, FRAME, NOW, R0);
	nt_bpf_load(b, BPF_DW, R1, ROOM, offsetof(struct room, next_stack));
	nt_bpf_by_register(b, BPF_MOV, R2, R0);
	nt_bpf_by_register(b, BPF_SUB, R2, R1);
	nt_bpf_jump_if(b, BPF_JSLT, R2, 0, WAKER_KNOWN);
	nt_bpf_by_number(b, BPF_ADD, R0, STACK_EVERY_NS);
	nt_bpf_store(b, BPF_DW, ROOM, offsetof(struct room, next_stack), R0);
	copy_to_room(b, NT_SWITCH_WAKE);
	tell_with_stack(b, maps, -1, OUT);
	nt_bpf_leave(b, 0);
}

/* names: also who has woken it. */
static void at_wake(struct nt_bpf_builder *b, const struct nt_switch_programs *maps, const struct nt_perf_filter *process, bool names)
{
	nt_bpf_by_register(b, BPF_MOV, CONTEXT, R1);
	look_up(b, maps, 0);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
	note_tid(b);
	nt_bpf_store_number(b, BPF_W, FRAME, WAKER, 0);
	nt_bpf_store_number(b, BPF_W, FRAME, RECORD + (int)offsetof(struct nt_switch_record, preempted), 0);
	if (names) {
		note_waker(b, process);
		tell_wake_with_stack(b, maps);
		nt_bpf_label(b, WAKER_KNOWN);
	}
	tell_short(b, maps, NT_SWITCH_WAKE, OUT);
}

static const char map_name[] = "nettop_switch";

static int load_program(struct nt_bpf_builder *b)
{
	nt_bpf_label(b, OUT);
	nt_bpf_leave(b, 0);
	nt_bpf_close(b);
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = nt_bpf_pointer(b->program),
		.insn_cnt = (uint32_t)b->count,
		.license = nt_bpf_pointer("GPL"),
		.prog_name = "nettop_switch",
	};
	return nt_bpf_call(BPF_PROG_LOAD, &attributes);
}

static int load_wake(const struct nt_switch_programs *maps, const struct nt_perf_filter *process, bool names)
{
	struct nt_bpf_builder woken = { .count = 0 };
	at_wake(&woken, maps, process, names);
	return load_program(&woken);
}

/* `walks`: with a walk of its own up the stacks. */
static bool load_all(const struct nt_perf_filter *process, bool walks, struct nt_switch_programs *out)
{
	if (walks && (out->rules = nt_bpf_map(map_name, BPF_MAP_TYPE_HASH, sizeof(uint64_t), sizeof(struct nt_stack_rule),
					      NT_STACK_RULES_MAX, 0)) < 0)
		return false;
	if ((out->ring = nt_bpf_map(map_name, BPF_MAP_TYPE_RINGBUF, 0, 0, NT_SWITCH_RING_BYTES, 0)) < 0 ||
	    (out->threads = nt_bpf_map(map_name, BPF_MAP_TYPE_HASH, 8, sizeof(struct thread), THREADS_MAX, 0)) < 0 ||
	    (out->rooms = nt_bpf_map(map_name, BPF_MAP_TYPE_PERCPU_ARRAY, 4, sizeof(struct room), 1, 0)) < 0 ||
	    (walks && (out->walked = nt_bpf_map(map_name, BPF_MAP_TYPE_ARRAY, 4, WALKED_BYTES, WALKED, 0)) < 0) ||
	    (out->count = nt_bpf_map(map_name, BPF_MAP_TYPE_ARRAY, 4, 8, 1, BPF_F_MMAPABLE)) < 0)
		return false;
	struct nt_bpf_builder switched = { .count = 0 };
	at_switch(&switched, out, process);
	if ((out->switched = load_program(&switched)) < 0)
		return false;
	if (ON_X86_64)
		out->woken = load_wake(out, process, true);
	if (out->woken < 0) /* a kernel before 5.15 */
		out->woken = load_wake(out, process, false);
	return out->woken >= 0 && (out->on_switch = nt_bpf_attach(out->switched, "sched_switch")) >= 0 &&
	       (out->on_wake = nt_bpf_attach(out->woken, "sched_waking")) >= 0;
}

static const struct nt_switch_programs none = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };

int nt_switch_programs_load(const struct nt_perf_filter *process, struct nt_switch_programs *out)
{
	int error = ENOSYS;
	for (int walks = ON_X86_64; walks >= 0; walks--) { /* a kernel before 5.15 takes no walk of our own */
		*out = none;
		if (load_all(process, walks, out))
			return 0;
		error = errno;
		nt_switch_programs_free(out);
	}
	return error;
}

void nt_switch_programs_free(struct nt_switch_programs *programs)
{
	const int fds[] = { programs->on_switch, programs->on_wake, programs->switched, programs->woken, programs->ring,
			    programs->threads,   programs->rooms,   programs->rules,    programs->count, programs->walked };
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	*programs = none;
}
