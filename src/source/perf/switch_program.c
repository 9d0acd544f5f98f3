// SPDX-License-Identifier: GPL-2.0-only
/*
 * In C, at sched_switch(preempt, prev, next, prev_state):
 *
 *	if ((tid = bpf_map_lookup_elem(&threads, &next)))
 *		tell(*tid, NT_SWITCH_ON);
 *	if (prev_state & TASK_DEAD) {
 *		bpf_map_delete_elem(&threads, &prev);              its address is another thread's soon
 *		return 0;
 *	}
 *	if (bpf_get_ns_current_pid_tgid(device, inode, &info, sizeof(info)) != 0 || info.tgid != pid)
 *		return 0;
 *	if (bpf_map_update_elem(&threads, &prev, &info.pid, BPF_ANY) != 0)
 *		__sync_fetch_and_add(&count, 1);                   nobody will know when it comes back
 *	room = bpf_map_lookup_elem(&rooms, &zero);
 *	fill in time, thread, preempt || !prev_state;
 *	length = bpf_get_stack(context, room->stack, sizeof(room->stack), BPF_F_USER_STACK);
 *	bpf_ringbuf_output(&ring, room, HEAD + (length < 0 ? 0 : length), BPF_RB_NO_WAKEUP);   or count
 *
 * at sched_waking(thread):
 *
 *	if ((tid = bpf_map_lookup_elem(&threads, &thread)))
 *		tell(*tid, NT_SWITCH_WAKE);
 *
 * Both run with interrupts off, so that a CPU's room is never used twice at a time.
 */
#include "source/perf/switch_program.h"

#include "nettop/status.h"
#include "source/common/bpf_call.h"

#include <errno.h>
#include <stddef.h>

enum { R0, R1, R2, R3, R4, R5, CONTEXT, ROOM, FRAME = 10 };
enum { PROGRAM_MAX = 128, JUMPS_MAX = 24, THREADS_MAX = 1 << 15, TASK_DEAD = 0x80, STACK_MASK = 511 };
enum { HEAD = offsetof(struct nt_switch_record, stack), ROOM_BYTES = HEAD + STACK_MASK + 1 };
enum { RECORD = -HEAD, KEY = RECORD - 8, INFO = KEY - 8, VALUE = INFO - 8 }; /* on the program's own stack */

_Static_assert(NT_SWITCH_FRAMES * 8 <= STACK_MASK, "a stack's length survives the mask");

/* Jumps are forward only, to labels. */
enum label { OUT, ON_TOLD, ALIVE, KNOWN, BLOCKED, WALKED, LABELS };

struct builder {
	struct bpf_insn program[PROGRAM_MAX];
	int count;
	int labels[LABELS];
	struct {
		int at;
		enum label to;
	} jumps[JUMPS_MAX];
	int jump_count;
	const struct nt_switch_programs *maps;
};

static void add(struct builder *b, struct bpf_insn instruction)
{
	nt_assert(b->count < PROGRAM_MAX);
	b->program[b->count++] = instruction;
}

static void number(struct builder *b, int reg, uint64_t value, int kind)
{
	add(b, (struct bpf_insn){ .code = BPF_LD | BPF_IMM | BPF_DW,
				  .dst_reg = (uint8_t)reg & 15,
				  .src_reg = (uint8_t)kind & 15,
				  .imm = (int32_t)value });
	add(b, (struct bpf_insn){ .imm = (int32_t)(value >> 32) });
}

static void by_number(struct builder *b, int operation, int reg, int32_t value)
{
	add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_ALU64 | operation | BPF_K), .dst_reg = (uint8_t)reg & 15, .imm = value });
}

static void move(struct builder *b, int reg, int from)
{
	add(b, (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (uint8_t)reg & 15, .src_reg = (uint8_t)from & 15 });
}

static void at_address(struct builder *b, int reg, int base, int offset)
{
	move(b, reg, base);
	by_number(b, BPF_ADD, reg, offset);
}

static void load(struct builder *b, int size, int reg, int from, int offset)
{
	add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_LDX | BPF_MEM | size),
				  .dst_reg = (uint8_t)reg & 15,
				  .src_reg = (uint8_t)from & 15,
				  .off = (int16_t)offset });
}

static void store(struct builder *b, int size, int to, int offset, int reg)
{
	add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_STX | BPF_MEM | size),
				  .dst_reg = (uint8_t)to & 15,
				  .src_reg = (uint8_t)reg & 15,
				  .off = (int16_t)offset });
}

static void store_number(struct builder *b, int size, int to, int offset, int32_t value)
{
	add(b, (struct bpf_insn){
		       .code = (uint8_t)(BPF_ST | BPF_MEM | size), .dst_reg = (uint8_t)to & 15, .off = (int16_t)offset, .imm = value });
}

static void call(struct builder *b, int function)
{
	add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .imm = function });
}

static void jump_if(struct builder *b, int condition, int reg, int32_t value, enum label to)
{
	nt_assert(b->jump_count < JUMPS_MAX);
	b->jumps[b->jump_count].at = b->count;
	b->jumps[b->jump_count++].to = to;
	add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_JMP | condition | BPF_K), .dst_reg = (uint8_t)reg & 15, .imm = value });
}

static void put(struct builder *b, enum label label)
{
	b->labels[label] = b->count;
}

static void leave(struct builder *b)
{
	by_number(b, BPF_MOV, R0, 0);
	add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT });
}

/* R0: the value of a thread that is known, by the tracepoint's argument `argument`; 0 = not the target's, or not known yet. */
static void look_up(struct builder *b, int argument)
{
	load(b, BPF_DW, R1, CONTEXT, 8 * argument);
	store(b, BPF_DW, FRAME, KEY, R1);
	number(b, R1, (uint64_t)b->maps->threads, BPF_PSEUDO_MAP_FD);
	at_address(b, R2, FRAME, KEY);
	call(b, BPF_FUNC_map_lookup_elem);
}

/* One more that is not told. */
static void count_lost(struct builder *b)
{
	store_number(b, BPF_W, FRAME, VALUE, 0);
	number(b, R1, (uint64_t)b->maps->count, BPF_PSEUDO_MAP_FD);
	at_address(b, R2, FRAME, VALUE);
	call(b, BPF_FUNC_map_lookup_elem);
	/* over the next two instructions */
	add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = R0, .off = 2, .imm = 0 });
	by_number(b, BPF_MOV, R1, 1);
	add(b, (struct bpf_insn){ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = R0, .src_reg = R1, .imm = BPF_ADD });
}

/* R2: what; R3: its length. Goes on to `told` when it found room. */
static void output(struct builder *b, enum label told)
{
	number(b, R1, (uint64_t)b->maps->ring, BPF_PSEUDO_MAP_FD);
	by_number(b, BPF_MOV, R4, BPF_RB_NO_WAKEUP);
	call(b, BPF_FUNC_ringbuf_output);
	jump_if(b, BPF_JEQ, R0, 0, told);
	count_lost(b);
}

/* Of the thread whose value R0 points at. */
static void tell_short(struct builder *b, enum nt_switch_what what, enum label told)
{
	load(b, BPF_W, R1, R0, 0);
	store(b, BPF_W, FRAME, RECORD + (int)offsetof(struct nt_switch_record, tid), R1);
	store_number(b, BPF_W, FRAME, RECORD + (int)offsetof(struct nt_switch_record, what), (int32_t)what);
	store_number(b, BPF_DW, FRAME, RECORD + (int)offsetof(struct nt_switch_record, preempted), 0);
	call(b, BPF_FUNC_ktime_get_ns);
	store(b, BPF_DW, FRAME, RECORD + (int)offsetof(struct nt_switch_record, time), R0);
	at_address(b, R2, FRAME, RECORD);
	by_number(b, BPF_MOV, R3, HEAD);
	output(b, told);
}

static void only_of(struct builder *b, const struct nt_perf_filter *process)
{
	number(b, R1, process->device, 0);
	number(b, R2, process->inode, 0);
	at_address(b, R3, FRAME, INFO);
	by_number(b, BPF_MOV, R4, sizeof(struct bpf_pidns_info));
	call(b, BPF_FUNC_get_ns_current_pid_tgid);
	jump_if(b, BPF_JNE, R0, 0, OUT);
	load(b, BPF_W, R1, FRAME, INFO + (int)offsetof(struct bpf_pidns_info, tgid));
	jump_if(b, BPF_JNE, R1, (int32_t)process->pid, OUT);
}

/* So that it is found when it is woken and when it comes back. KEY is its address. */
static void note_thread(struct builder *b)
{
	load(b, BPF_W, R1, FRAME, INFO + (int)offsetof(struct bpf_pidns_info, pid));
	store(b, BPF_DW, FRAME, VALUE, R1);
	number(b, R1, (uint64_t)b->maps->threads, BPF_PSEUDO_MAP_FD);
	at_address(b, R2, FRAME, KEY);
	at_address(b, R3, FRAME, VALUE);
	by_number(b, BPF_MOV, R4, BPF_ANY);
	call(b, BPF_FUNC_map_update_elem);
	jump_if(b, BPF_JEQ, R0, 0, KNOWN);
	count_lost(b);
	put(b, KNOWN);
}

static void tell_off(struct builder *b)
{
	store_number(b, BPF_W, FRAME, VALUE, 0);
	number(b, R1, (uint64_t)b->maps->rooms, BPF_PSEUDO_MAP_FD);
	at_address(b, R2, FRAME, VALUE);
	call(b, BPF_FUNC_map_lookup_elem);
	jump_if(b, BPF_JEQ, R0, 0, OUT);
	move(b, ROOM, R0);
	load(b, BPF_W, R1, FRAME, INFO + (int)offsetof(struct bpf_pidns_info, pid));
	store(b, BPF_W, ROOM, offsetof(struct nt_switch_record, tid), R1);
	store_number(b, BPF_W, ROOM, offsetof(struct nt_switch_record, what), NT_SWITCH_OFF);
	store_number(b, BPF_DW, ROOM, offsetof(struct nt_switch_record, preempted), 0);
	load(b, BPF_DW, R2, CONTEXT, 24); /* prev_state */
	load(b, BPF_DW, R1, CONTEXT, 0);  /* preempt */
	by_number(b, BPF_AND, R1, 255);
	by_number(b, BPF_LSH, R2, 32); /* an unsigned int: what lies above it is not said */
	by_number(b, BPF_RSH, R2, 32);
	add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = R2, .off = 1, .imm = 0 });
	jump_if(b, BPF_JEQ, R1, 0, BLOCKED);
	store_number(b, BPF_W, ROOM, offsetof(struct nt_switch_record, preempted), 1);
	put(b, BLOCKED);
	call(b, BPF_FUNC_ktime_get_ns);
	store(b, BPF_DW, ROOM, offsetof(struct nt_switch_record, time), R0);
	move(b, R1, CONTEXT);
	at_address(b, R2, ROOM, HEAD);
	by_number(b, BPF_MOV, R3, NT_SWITCH_FRAMES * 8);
	by_number(b, BPF_MOV, R4, BPF_F_USER_STACK);
	call(b, BPF_FUNC_get_stack);
	jump_if(b, BPF_JSGE, R0, 0, WALKED);
	by_number(b, BPF_MOV, R0, 0);
	put(b, WALKED);
	by_number(b, BPF_AND, R0, STACK_MASK);
	move(b, R2, ROOM);
	move(b, R3, R0);
	by_number(b, BPF_ADD, R3, HEAD);
	output(b, OUT);
}

static void at_switch(struct builder *b, const struct nt_perf_filter *process)
{
	move(b, CONTEXT, R1);
	look_up(b, 2);
	jump_if(b, BPF_JEQ, R0, 0, ON_TOLD);
	tell_short(b, NT_SWITCH_ON, ON_TOLD);
	put(b, ON_TOLD);
	load(b, BPF_DW, R1, CONTEXT, 8);
	store(b, BPF_DW, FRAME, KEY, R1);
	load(b, BPF_DW, R1, CONTEXT, 24);
	by_number(b, BPF_AND, R1, TASK_DEAD);
	jump_if(b, BPF_JEQ, R1, 0, ALIVE);
	number(b, R1, (uint64_t)b->maps->threads, BPF_PSEUDO_MAP_FD);
	at_address(b, R2, FRAME, KEY);
	call(b, BPF_FUNC_map_delete_elem);
	leave(b);
	put(b, ALIVE);
	only_of(b, process);
	note_thread(b);
	tell_off(b);
}

static void at_wake(struct builder *b)
{
	move(b, CONTEXT, R1);
	look_up(b, 0);
	jump_if(b, BPF_JEQ, R0, 0, OUT);
	tell_short(b, NT_SWITCH_WAKE, OUT);
}

static int load_program(struct builder *b)
{
	put(b, OUT);
	leave(b);
	for (int i = 0; i < b->jump_count; i++)
		b->program[b->jumps[i].at].off = (int16_t)(b->labels[b->jumps[i].to] - b->jumps[i].at - 1);
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = nt_bpf_pointer(b->program),
		.insn_cnt = (uint32_t)b->count,
		.license = nt_bpf_pointer("GPL"),
		.prog_name = "nettop_switch",
	};
	return nt_bpf_call(BPF_PROG_LOAD, &attributes);
}

static int make_map(enum bpf_map_type type, uint32_t key_bytes, uint32_t value_bytes, uint32_t count, uint32_t flags)
{
	union bpf_attr attributes = { .map_type = type,
				      .key_size = key_bytes,
				      .value_size = value_bytes,
				      .max_entries = count,
				      .map_flags = flags,
				      .map_name = "nettop_switch" };
	return nt_bpf_call(BPF_MAP_CREATE, &attributes);
}

static int attach(int program, const char *tracepoint)
{
	union bpf_attr attributes = { .raw_tracepoint = { .name = nt_bpf_pointer(tracepoint), .prog_fd = (uint32_t)program } };
	return nt_bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attributes);
}

static bool load_all(const struct nt_perf_filter *process, struct nt_switch_programs *out)
{
	if ((out->ring = make_map(BPF_MAP_TYPE_RINGBUF, 0, 0, NT_SWITCH_RING_BYTES, 0)) < 0 ||
	    (out->threads = make_map(BPF_MAP_TYPE_HASH, 8, 8, THREADS_MAX, 0)) < 0 ||
	    (out->rooms = make_map(BPF_MAP_TYPE_PERCPU_ARRAY, 4, (ROOM_BYTES + 7) & ~7, 1, 0)) < 0 ||
	    (out->count = make_map(BPF_MAP_TYPE_ARRAY, 4, 8, 1, BPF_F_MMAPABLE)) < 0)
		return false;
	struct builder switched = { .maps = out }, woken = { .maps = out };
	at_switch(&switched, process);
	at_wake(&woken);
	return (out->switched = load_program(&switched)) >= 0 && (out->woken = load_program(&woken)) >= 0 &&
	       (out->on_switch = attach(out->switched, "sched_switch")) >= 0 && (out->on_wake = attach(out->woken, "sched_waking")) >= 0;
}

static const struct nt_switch_programs none = { -1, -1, -1, -1, -1, -1, -1, -1 };

int nt_switch_programs_load(const struct nt_perf_filter *process, struct nt_switch_programs *out)
{
	*out = none;
	if (load_all(process, out))
		return 0;
	int error = errno;
	nt_switch_programs_free(out);
	return error;
}

void nt_switch_programs_free(struct nt_switch_programs *programs)
{
	const int fds[] = { programs->on_switch, programs->on_wake, programs->switched, programs->woken,
			    programs->ring,      programs->threads, programs->rooms,    programs->count };
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	*programs = none;
}
