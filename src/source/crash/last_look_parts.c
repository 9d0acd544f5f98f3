// SPDX-License-Identifier: GPL-2.0-only
#include "source/crash/last_look_parts.h"

#include "source/crash/last_look.h"

#include <linux/bpf.h>
#include <stddef.h>

void nt_last_look_nth_word(struct nt_bpf_builder *b, int words, enum nt_last_look_label next)
{
	nt_bpf_by_register(b, BPF_MOV, WORD, R1);
	nt_bpf_jump_if(b, BPF_JGT, WORD, words - 1, next);
	nt_bpf_load(b, BPF_DW, RECORD, R2, 0);
	nt_bpf_by_number(b, BPF_LSH, WORD, 3);
	nt_bpf_by_register(b, BPF_ADD, WORD, RECORD);
}

void nt_last_look_loop(struct nt_bpf_builder *b, int times, enum nt_last_look_label callback)
{
	nt_bpf_by_number(b, BPF_MOV, R1, times);
	nt_bpf_function(b, R2, (int)callback);
	nt_bpf_place(b, R3, FRAME, LOOP_CONTEXT);
	nt_bpf_by_number(b, BPF_MOV, R4, 0);
	nt_bpf_helper(b, BPF_FUNC_loop);
}
