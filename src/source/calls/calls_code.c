// SPDX-License-Identifier: GPL-2.0-only
/*
 * In C, at sys_enter(registers, number):
 *
 *	if (bpf_get_current_pid_tgid() >> 32 != shared->tgid)             which the first call of the process has set: see whose()
 *		return 0;
 *	what = table[number];
 *	if (!what)
 *		return 0;
 *	bpf_probe_read_kernel(arguments, sizeof(arguments), &registers->...);
 *	if (what closes) {
 *		fds[fd] = { 0, fds[fd].given + 1 };
 *		return 0;
 *	}
 *	if (what gives back descriptors that are not known)
 *		shared->emptied++;                                          here and when it has done so
 *	if (fds[fd].emptied != shared->emptied)
 *		fds[fd] = { 0, fds[fd].given + 1, shared->emptied };
 *	threads[thread] = { bpf_ktime_get_ns(), fds[fd], fd, what, address, length };
 *
 * at sys_exit(registers, result):
 *
 *	call = threads[thread];                                             if it has begun
 *	of open(), connect() and accept(): name = names[path, address, listener], a new number where there is none yet; fds[of it] gets that
 *	sum = sums[call.name or its descriptor, call.what];                 a new one where there is none yet; where there is no room that of { 0, -1 }
 *	sum->count++, ...
 *	now and then tell where it came from: calls_look_code.c
 *
 * The number of a descriptor is free while close() goes on: so what it was called is forgotten when that begins. Of close_range(), exec() and io_uring it is not known which they give back: what was said of any before is not held
 * for true after that.
 */
#include "source/calls/calls_code_parts.h"

#include <errno.h>

/* struct pt_regs, as user space sees it: the first three arguments of a system call lie side by side. */
#ifdef __x86_64__
enum { ARGUMENTS_AT = 96, FIRST = 16, NEXT = 8, THIRD = 0 };
#else
enum { ARGUMENTS_AT = 0, FIRST = 0, NEXT = 8, THIRD = 16 };
#endif

static void look_up(struct nt_bpf_builder *b, int map, int key)
{
	nt_bpf_number(b, R1, (uint64_t)map, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, key);
	nt_bpf_helper(b, BPF_FUNC_map_lookup_elem);
}

/* *(reg + offset) += from; R1 may be what is added. */
static void add_to(struct nt_bpf_builder *b, int size, int reg, int offset, int from)
{
	nt_bpf_add(b, (struct bpf_insn){ .code = (uint8_t)(BPF_STX | BPF_ATOMIC | size),
					 .dst_reg = (uint8_t)reg & 15,
					 .src_reg = (uint8_t)from & 15,
					 .off = (int16_t)offset,
					 .imm = BPF_ADD });
}

static void count(struct nt_bpf_builder *b, int reg, int offset)
{
	nt_bpf_by_number(b, BPF_MOV, R1, 1);
	add_to(b, BPF_DW, reg, offset, R1);
}

/* On to `label` from everywhere. */
static void go_to(struct nt_bpf_builder *b, int label)
{
	nt_bpf_by_number(b, BPF_MOV, R0, 0);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, label);
}

static void leave_from_everywhere(struct nt_bpf_builder *b)
{
	nt_bpf_label(b, OUT);
	nt_bpf_leave(b, 0);
}

/* The thread's number in KEY; whoever is of another process leaves. `first`: it may be the first call of the process. */
static void whose(struct nt_bpf_builder *b, const struct nt_calls_programs *maps, const struct nt_perf_filter *first)
{
	nt_bpf_by_register(b, BPF_MOV, CONTEXT, R1);
	nt_calls_code_only(b, maps->shared);
	nt_bpf_by_register(b, BPF_MOV, SHARED, R0);
	nt_bpf_helper(b, BPF_FUNC_get_current_pid_tgid);
	nt_bpf_by_register(b, BPF_MOV, THREAD, R0);
	nt_bpf_store(b, BPF_DW, FRAME, KEY, R0);
	nt_bpf_by_number(b, BPF_RSH, THREAD, 32);
	nt_bpf_load(b, BPF_DW, R1, SHARED, offsetof(struct nt_calls_shared, tgid));
	nt_bpf_by_register(b, BPF_MOV, R2, R1);
	nt_bpf_by_register(b, BPF_XOR, R2, THREAD);
	nt_bpf_jump_if(b, BPF_JEQ, R2, 0, MINE);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, OUT);
	if (first) {
		nt_perf_filter_write(b, first, INFO, OUT);
		nt_bpf_store(b, BPF_DW, SHARED, offsetof(struct nt_calls_shared, tgid), THREAD);
	} else {
		nt_bpf_leave(b, 0);
	}
	nt_bpf_label(b, MINE);
}

static void read_arguments(struct nt_bpf_builder *b)
{
	nt_bpf_load(b, BPF_DW, R3, CONTEXT, 0);
	nt_bpf_by_number(b, BPF_ADD, R3, ARGUMENTS_AT);
	nt_bpf_place(b, R1, FRAME, ARGUMENTS);
	nt_bpf_by_number(b, BPF_MOV, R2, 24);
	nt_bpf_helper(b, BPF_FUNC_probe_read_kernel);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, OUT);
}

/* The place of the descriptor whose number is at `at` of the stack; none: on to `none`. */
static void look_up_fd(struct nt_bpf_builder *b, const struct nt_calls_programs *maps, int at, int none)
{
	look_up(b, maps->fds, at);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, none);
}

/* R0 is a descriptor's place: it is given away anew. */
static void forget_fd(struct nt_bpf_builder *b)
{
	nt_bpf_load(b, BPF_DW, R1, R0, 0);
	nt_bpf_by_number(b, BPF_RSH, R1, 32);
	nt_bpf_by_number(b, BPF_ADD, R1, 1);
	nt_bpf_by_number(b, BPF_LSH, R1, 32);
	nt_bpf_store(b, BPF_DW, R0, 0, R1);
}

/* R0 is a descriptor's place: what is said there is of now. */
static void note_emptied(struct nt_bpf_builder *b)
{
	nt_bpf_load(b, BPF_W, R2, SHARED, offsetof(struct nt_calls_shared, emptied));
	nt_bpf_store(b, BPF_W, R0, offsetof(struct nt_calls_place, emptied), R2);
}

/* R0 is a descriptor's place: it may be another descriptor by now. R1: what it is. */
static void see_fd(struct nt_bpf_builder *b)
{
	nt_bpf_load(b, BPF_DW, R1, R0, offsetof(struct nt_calls_place, is));
	nt_bpf_load(b, BPF_W, R2, R0, offsetof(struct nt_calls_place, emptied));
	nt_bpf_load(b, BPF_W, R3, SHARED, offsetof(struct nt_calls_shared, emptied));
	nt_bpf_by_register(b, BPF_XOR, R2, R3);
	nt_bpf_jump_if(b, BPF_JEQ, R2, 0, SAME_FD);
	note_emptied(b);
	forget_fd(b);
	nt_bpf_label(b, SAME_FD);
}

static void note_begin(struct nt_bpf_builder *b, const struct nt_calls_programs *maps)
{
	nt_bpf_helper(b, BPF_FUNC_ktime_get_ns);
	nt_bpf_store(b, BPF_DW, FRAME, IN_CALL(start), R0);
	look_up(b, maps->threads, KEY);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, PLACE);
	for (int at = 0; at < (int)sizeof(struct nt_calls_begun); at += 8) {
		nt_bpf_load(b, BPF_DW, R1, FRAME, CALL + at);
		nt_bpf_store(b, BPF_DW, R0, at, R1);
	}
	nt_bpf_leave(b, 0);
	nt_bpf_label(b, PLACE);
	nt_bpf_number(b, R1, (uint64_t)maps->threads, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, KEY);
	nt_bpf_place(b, R3, FRAME, CALL);
	nt_bpf_by_number(b, BPF_MOV, R4, BPF_ANY);
	nt_bpf_helper(b, BPF_FUNC_map_update_elem);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
	count(b, SHARED, offsetof(struct nt_calls_shared, lost));
	count(b, SHARED, offsetof(struct nt_calls_shared, no_room));
	nt_bpf_leave(b, 0);
}

/* One more system call of the process, of whatever sort: it has cost that something, too. */
static void note_seen(struct nt_bpf_builder *b, const struct nt_calls_programs *maps)
{
	nt_bpf_helper(b, BPF_FUNC_get_smp_processor_id);
	nt_bpf_by_number(b, BPF_AND, R0, NT_CALLS_CPUS - 1);
	nt_bpf_store(b, BPF_W, FRAME, NUMBER, R0);
	look_up(b, maps->seen, NUMBER);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
	nt_bpf_load(b, BPF_DW, R1, R0, 0);
	nt_bpf_by_number(b, BPF_ADD, R1, 1);
	nt_bpf_store(b, BPF_DW, R0, 0, R1);
}

void nt_calls_write_enter(struct nt_bpf_builder *b, const struct nt_calls_programs *maps, const struct nt_perf_filter *process)
{
	whose(b, maps, process);
	note_seen(b, maps);
	nt_bpf_load(b, BPF_DW, R1, CONTEXT, 8);
	nt_bpf_store(b, BPF_W, FRAME, NUMBER, R1);
	look_up(b, maps->table, NUMBER);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
	nt_bpf_load(b, BPF_W, THREAD, R0, 0); /* what it is */
	nt_bpf_jump_if(b, BPF_JEQ, THREAD, 0, OUT);
	read_arguments(b);
	nt_bpf_load(b, BPF_W, R1, FRAME, ARGUMENTS + FIRST);
	nt_bpf_store(b, BPF_W, FRAME, IN_CALL(fd), R1);
	nt_bpf_load(b, BPF_DW, R1, FRAME, ARGUMENTS + FIRST);
	nt_bpf_by_register(b, BPF_MOV, R2, THREAD);
	nt_bpf_by_number(b, BPF_AND, R2, NT_CALLS_SECOND);
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = R2, .off = 1, .imm = 0 });
	nt_bpf_load(b, BPF_DW, R1, FRAME, ARGUMENTS + NEXT);
	nt_bpf_store(b, BPF_DW, FRAME, IN_CALL(address), R1);
	nt_bpf_load(b, BPF_DW, R1, FRAME, ARGUMENTS + THIRD);
	nt_bpf_store(b, BPF_DW, FRAME, IN_CALL(length), R1);
	nt_bpf_by_number(b, BPF_AND, THREAD, NT_CALLS_SECOND - 1);
	nt_bpf_store(b, BPF_W, FRAME, IN_CALL(what), THREAD);
	nt_bpf_store_number(b, BPF_DW, FRAME, IN_CALL(of), 0);
	nt_bpf_jump_if(b, BPF_JNE, THREAD, NT_CALLS_EMPTIES, FILLED);
	count(b, SHARED, offsetof(struct nt_calls_shared, emptied));
	go_to(b, NO_FD);
	nt_bpf_label(b, FILLED);
	nt_bpf_jump_if(b, BPF_JGE, THREAD, NT_CALLS_CLOSES, CLOSING);
	nt_bpf_jump_if(b, BPF_JEQ, THREAD, NT_IO_OPEN + 1, NO_FD);
	nt_bpf_jump_if(b, BPF_JEQ, THREAD, NT_CALLS_MAKES, NO_FD);
	look_up_fd(b, maps, IN_CALL(fd), HAS_FD);
	see_fd(b);
	nt_bpf_store(b, BPF_DW, FRAME, IN_CALL(of), R1);
	go_to(b, HAS_FD);
	nt_bpf_label(b, NO_FD);
	nt_bpf_store_number(b, BPF_W, FRAME, IN_CALL(fd), -1);
	nt_bpf_label(b, HAS_FD);
	note_begin(b, maps);
	nt_bpf_label(b, CLOSING);
	nt_bpf_jump_if(b, BPF_JNE, THREAD, NT_CALLS_CLOSES_SECOND, SECOND_FD);
	nt_bpf_load(b, BPF_W, R1, FRAME, ARGUMENTS + NEXT);
	nt_bpf_store(b, BPF_W, FRAME, IN_CALL(fd), R1);
	nt_bpf_label(b, SECOND_FD);
	look_up_fd(b, maps, IN_CALL(fd), OUT);
	forget_fd(b);
	leave_from_everywhere(b);
}

/* Its begin, onto the stack; without one it leaves. */
static void take_begin(struct nt_bpf_builder *b, const struct nt_calls_programs *maps)
{
	look_up(b, maps->threads, KEY);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
	nt_bpf_load(b, BPF_DW, R1, R0, offsetof(struct nt_calls_begun, start));
	nt_bpf_jump_if(b, BPF_JEQ, R1, 0, OUT);
	for (int at = 0; at < (int)sizeof(struct nt_calls_begun); at += 8) {
		nt_bpf_load(b, BPF_DW, R1, R0, at);
		nt_bpf_store(b, BPF_DW, FRAME, CALL + at, R1);
	}
	nt_bpf_store_number(b, BPF_DW, R0, offsetof(struct nt_calls_begun, start), 0);
	nt_bpf_helper(b, BPF_FUNC_ktime_get_ns);
	nt_bpf_load(b, BPF_DW, R1, FRAME, IN_CALL(start));
	nt_bpf_by_register(b, BPF_SUB, R0, R1);
	nt_bpf_store(b, BPF_DW, FRAME, NS, R0);
	nt_bpf_load(b, BPF_DW, R1, CONTEXT, 8);
	nt_bpf_store(b, BPF_DW, FRAME, RESULT, R1);
}

/* ROOM: this CPU's, with an empty name of that sort. */
static void begin_name(struct nt_bpf_builder *b, const struct nt_calls_programs *maps, enum nt_calls_named named)
{
	nt_calls_code_only(b, maps->rooms);
	nt_bpf_by_register(b, BPF_MOV, ROOM, R0);
	for (int at = 0; at < (int)sizeof(struct nt_calls_name); at += 8)
		nt_bpf_store_number(b, BPF_DW, ROOM, at, 0);
	nt_bpf_store_number(b, BPF_W, ROOM, offsetof(struct nt_calls_name, named), (int32_t)named);
}

/* R2: at most so many bytes. What cannot be read has no name. */
static void read_address(struct nt_bpf_builder *b, int helper)
{
	nt_bpf_place(b, R1, ROOM, offsetof(struct nt_calls_name, text));
	nt_bpf_load(b, BPF_DW, R3, FRAME, IN_CALL(address));
	nt_bpf_helper(b, helper);
	nt_bpf_jump_if(b, BPF_JSLT, R0, 0, UNNAMED);
}

/* What a call that gives a name calls it; TARGET: the descriptor that is called so from now on, -1 = none. */
static void find_names(struct nt_bpf_builder *b, const struct nt_calls_programs *maps)
{
	nt_bpf_load(b, BPF_DW, R1, FRAME, RESULT);
	nt_bpf_store(b, BPF_DW, FRAME, TARGET, R1);
	nt_bpf_load(b, BPF_W, R2, FRAME, IN_CALL(what));
	nt_bpf_jump_if(b, BPF_JEQ, R2, NT_IO_OPEN + 1, PATH);
	nt_bpf_jump_if(b, BPF_JEQ, R2, NT_IO_CONNECT + 1, ADDRESS);
	nt_bpf_jump_if(b, BPF_JEQ, R2, NT_CALLS_MAKES, MADE);
	nt_bpf_jump_if(b, BPF_JEQ, R2, NT_CALLS_EMPTIES, EMPTIED);
	nt_bpf_jump_if(b, BPF_JNE, R2, NT_IO_ACCEPT + 1, COUNT);
	nt_bpf_jump_if(b, BPF_JSLT, R1, 0, COUNT);

	begin_name(b, maps, NT_CALLS_ACCEPTED);
	nt_bpf_load(b, BPF_DW, R1, FRAME, IN_CALL(of));
	nt_bpf_store(b, BPF_DW, ROOM, offsetof(struct nt_calls_name, text), R1);
	nt_bpf_load(b, BPF_W, R1, FRAME, IN_CALL(fd));
	nt_bpf_store(b, BPF_W, ROOM, offsetof(struct nt_calls_name, text) + 8, R1);
	go_to(b, NAME);

	nt_bpf_label(b, MADE);
	nt_bpf_jump_if(b, BPF_JSLT, R1, 0, OUT);
	look_up_fd(b, maps, RESULT, OUT);
	forget_fd(b);
	note_emptied(b);
	nt_bpf_leave(b, 0);

	nt_bpf_label(b, EMPTIED);
	count(b, SHARED, offsetof(struct nt_calls_shared, emptied));
	nt_bpf_leave(b, 0);

	nt_bpf_label(b, PATH);
	begin_name(b, maps, NT_CALLS_PATH);
	nt_bpf_by_number(b, BPF_MOV, R2, NT_CALLS_TEXT);
	read_address(b, BPF_FUNC_probe_read_user_str);
	go_to(b, NAME);

	nt_bpf_label(b, ADDRESS);
	begin_name(b, maps, NT_CALLS_ADDRESS);
	nt_bpf_load(b, BPF_W, R1, FRAME, IN_CALL(fd));
	nt_bpf_load(b, BPF_DW, R2, FRAME, RESULT);
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = R2, .off = 2, .imm = 0 });
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = R2, .off = 1, .imm = -EINPROGRESS });
	nt_bpf_by_number(b, BPF_MOV, R1, -1);
	nt_bpf_store(b, BPF_DW, FRAME, TARGET, R1);
	nt_bpf_load(b, BPF_DW, R2, FRAME, IN_CALL(length));
	nt_bpf_by_number(b, BPF_AND, R2, INT32_MAX);
	nt_bpf_jump_if(b, BPF_JLE, R2, 128, SHORT);
	nt_bpf_by_number(b, BPF_MOV, R2, 128);
	nt_bpf_label(b, SHORT);
	read_address(b, BPF_FUNC_probe_read_user);
}

/* R9 is the room with a name: its number, where it is told, and given to the descriptor. */
static void use_name(struct nt_bpf_builder *b, const struct nt_calls_programs *maps)
{
	nt_bpf_label(b, NAME);
	nt_bpf_number(b, R1, (uint64_t)maps->names, BPF_PSEUDO_MAP_FD);
	nt_bpf_by_register(b, BPF_MOV, R2, ROOM);
	nt_bpf_helper(b, BPF_FUNC_map_lookup_elem);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, NO_PLACE);
	nt_bpf_load(b, BPF_W, THREAD, R0, 0);
	nt_bpf_jump_if(b, BPF_JNE, THREAD, 0, NAMED);
	nt_bpf_label(b, NO_PLACE);
	nt_bpf_by_number(b, BPF_MOV, THREAD, 1);
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_STX | BPF_ATOMIC | BPF_DW,
					 .dst_reg = SHARED,
					 .src_reg = THREAD,
					 .off = offsetof(struct nt_calls_shared, names),
					 .imm = BPF_ADD | BPF_FETCH });
	nt_bpf_by_number(b, BPF_ADD, THREAD, 1);
	nt_bpf_store(b, BPF_W, FRAME, NUMBER, THREAD);
	nt_bpf_number(b, R1, (uint64_t)maps->names, BPF_PSEUDO_MAP_FD);
	nt_bpf_by_register(b, BPF_MOV, R2, ROOM);
	nt_bpf_place(b, R3, FRAME, NUMBER);
	nt_bpf_by_number(b, BPF_MOV, R4, BPF_ANY);
	nt_bpf_helper(b, BPF_FUNC_map_update_elem);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, NAMED);
	nt_bpf_label(b, UNNAMED);
	nt_bpf_by_number(b, BPF_MOV, THREAD, 0);
	nt_bpf_label(b, NAMED);
	nt_bpf_load(b, BPF_DW, R1, FRAME, TARGET);
	nt_bpf_jump_if(b, BPF_JSLT, R1, 0, GIVE);
	look_up_fd(b, maps, TARGET, GIVE);
	nt_bpf_store(b, BPF_W, R0, offsetof(struct nt_calls_fd, name), THREAD);
	note_emptied(b);
	nt_bpf_label(b, GIVE);
	nt_bpf_load(b, BPF_W, R1, FRAME, IN_CALL(what));
	nt_bpf_jump_if(b, BPF_JEQ, R1, NT_IO_ACCEPT + 1, COUNT);
	nt_bpf_store(b, BPF_W, FRAME, IN_CALL(of) + (int)offsetof(struct nt_calls_fd, name), THREAD);
}

static void make_key(struct nt_bpf_builder *b)
{
	nt_bpf_label(b, COUNT);
	nt_bpf_load(b, BPF_W, R1, FRAME, IN_CALL(what));
	nt_bpf_by_number(b, BPF_SUB, R1, 1);
	nt_bpf_store(b, BPF_W, FRAME, IN_KEY(call), R1);
	nt_bpf_store_number(b, BPF_W, FRAME, IN_KEY(fd), 0);
	nt_bpf_store_number(b, BPF_W, FRAME, IN_KEY(given), 0);
	nt_bpf_load(b, BPF_W, R1, FRAME, IN_CALL(of) + (int)offsetof(struct nt_calls_fd, name));
	nt_bpf_store(b, BPF_W, FRAME, IN_KEY(name), R1);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, KEYED);
	nt_bpf_load(b, BPF_W, R1, FRAME, IN_CALL(fd));
	nt_bpf_store(b, BPF_W, FRAME, IN_KEY(fd), R1);
	nt_bpf_load(b, BPF_W, R1, FRAME, IN_CALL(of) + (int)offsetof(struct nt_calls_fd, given));
	nt_bpf_store(b, BPF_W, FRAME, IN_KEY(given), R1);
	nt_bpf_label(b, KEYED);
}

/* SUM: where it counts. */
static void find_sum(struct nt_bpf_builder *b, const struct nt_calls_programs *maps)
{
	look_up(b, maps->sums, SUM_KEY);
	nt_bpf_by_register(b, BPF_MOV, SUM, R0);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, ADD);
	nt_calls_code_only(b, maps->rooms);
	nt_bpf_place(b, R3, R0, offsetof(struct nt_calls_room, zero));
	nt_bpf_number(b, R1, (uint64_t)maps->sums, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, SUM_KEY);
	nt_bpf_by_number(b, BPF_MOV, R4, BPF_NOEXIST);
	nt_bpf_helper(b, BPF_FUNC_map_update_elem);
	look_up(b, maps->sums, SUM_KEY);
	nt_bpf_by_register(b, BPF_MOV, SUM, R0);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, ADD);
	nt_bpf_store_number(b, BPF_W, FRAME, IN_KEY(name), 0);
	nt_bpf_store_number(b, BPF_W, FRAME, IN_KEY(fd), -1);
	nt_bpf_store_number(b, BPF_W, FRAME, IN_KEY(given), 0);
	look_up(b, maps->sums, SUM_KEY);
	nt_bpf_by_register(b, BPF_MOV, SUM, R0);
	nt_bpf_jump_if(b, BPF_JNE, R0, 0, ADD);
	count(b, SHARED, offsetof(struct nt_calls_shared, lost));
	nt_bpf_leave(b, 0);
	nt_bpf_label(b, ADD);
}

/* R1: the ns. As nt_calls_bucket(): the number's highest three bits, and how many lie below. */
static void add_to_bucket(struct nt_bpf_builder *b)
{
	static const int shifts[] = { 32, 16, 8, 4, 2, 1 };
	nt_bpf_jump_if(b, BPF_JGE, R1, 1 << NT_IO_LATENCY_FIRST_BITS, BUCKET);
	nt_bpf_by_number(b, BPF_MOV, R1, 1 << NT_IO_LATENCY_FIRST_BITS);
	nt_bpf_label(b, BUCKET);
	nt_bpf_by_number(b, BPF_MOV, R2, 0);
	for (size_t i = 0; i < sizeof(shifts) / sizeof(*shifts); i++) {
		nt_bpf_by_register(b, BPF_MOV, R3, R1);
		nt_bpf_by_number(b, BPF_RSH, R3, shifts[i]);
		nt_bpf_add(b, (struct bpf_insn){ .code = BPF_JMP | BPF_JLT | BPF_K, .dst_reg = R3, .off = 2, .imm = 4 });
		nt_bpf_by_register(b, BPF_MOV, R1, R3);
		nt_bpf_by_number(b, BPF_ADD, R2, shifts[i]);
	}
	nt_bpf_by_number(b, BPF_SUB, R2, NT_IO_LATENCY_FIRST_BITS - 2);
	nt_bpf_by_number(b, BPF_LSH, R2, 2);
	nt_bpf_by_register(b, BPF_ADD, R2, R1);
	nt_bpf_by_number(b, BPF_SUB, R2, 4);
	nt_bpf_jump_if(b, BPF_JLT, R2, NT_IO_LATENCY_BUCKETS, STEPS);
	nt_bpf_by_number(b, BPF_MOV, R2, NT_IO_LATENCY_BUCKETS - 1);
	nt_bpf_label(b, STEPS);
	nt_bpf_by_number(b, BPF_LSH, R2, 2);
	nt_bpf_by_register(b, BPF_MOV, R3, SUM);
	nt_bpf_by_register(b, BPF_ADD, R3, R2);
	nt_bpf_by_number(b, BPF_MOV, R1, 1);
	add_to(b, BPF_W, R3, offsetof(struct nt_calls_sum, buckets), R1);
}

static void add(struct nt_bpf_builder *b)
{
	count(b, SUM, offsetof(struct nt_calls_sum, count));
	nt_bpf_load(b, BPF_DW, R1, FRAME, NS);
	add_to(b, BPF_DW, SUM, offsetof(struct nt_calls_sum, ns), R1);
	add_to_bucket(b);
	nt_bpf_load(b, BPF_DW, R1, FRAME, RESULT);
	nt_bpf_jump_if(b, BPF_JSLT, R1, 0, FAILED);
	nt_bpf_load(b, BPF_W, R2, FRAME, IN_KEY(call));
	nt_bpf_by_number(b, BPF_SUB, R2, NT_IO_READ);
	nt_bpf_jump_if(b, BPF_JGT, R2, NT_IO_WRITE - NT_IO_READ, LOOK);
	add_to(b, BPF_DW, SUM, offsetof(struct nt_calls_sum, bytes), R1);
	go_to(b, LOOK);
	nt_bpf_label(b, FAILED);
	enum { RESTART = 512 }; /* of the kernel's own: a signal came */
	nt_bpf_jump_if(b, BPF_JEQ, R1, -EAGAIN, AGAIN);
	nt_bpf_jump_if(b, BPF_JEQ, R1, -EINPROGRESS, AGAIN);
	nt_bpf_jump_if(b, BPF_JEQ, R1, -EINTR, AGAIN);
	nt_bpf_jump_if(b, BPF_JSLE, R1, -RESTART, AGAIN);
	count(b, SUM, offsetof(struct nt_calls_sum, errors));
	go_to(b, LOOK);
	nt_bpf_label(b, AGAIN);
	count(b, SUM, offsetof(struct nt_calls_sum, again));
	nt_bpf_label(b, LOOK);
}

void nt_calls_write_leave(struct nt_bpf_builder *b, const struct nt_calls_programs *maps)
{
	whose(b, maps, NULL);
	take_begin(b, maps);
	find_names(b, maps);
	use_name(b, maps);
	make_key(b);
	find_sum(b, maps);
	add(b);
	nt_calls_write_look(b, maps);
	leave_from_everywhere(b);
}
