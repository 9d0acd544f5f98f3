// SPDX-License-Identifier: MIT
// See stubs.h. Of the System V calling convention: rax, r10 and r11 are nobody's at the entry of a function without variable arguments.

#ifdef __x86_64__
#include "stubs.h"

	.text
	.globl	ust0_stubs
	.hidden	ust0_stubs
	.type	ust0_stubs, @object
	.balign	UST0_STUB_SIZE
ust0_stubs:
	.set	index, 0
	.rept	UST0_STUB_COUNT
	.balign	UST0_STUB_SIZE
	endbr64
	leaq	ust0_slots + index * (1 << UST0_SLOT_SHIFT)(%rip), %r11
	jmp	enter
	.set	index, index + 1
	.endr
	.size	ust0_stubs, . - ust0_stubs

	.balign	64
	.type	enter, @function
enter:					// r11: slot, rdi: the event
	.cfi_startproc
	movq	UST0_SLOT_RECENT(%r11), %r10
	cmpq	%rdi, (%r10)
	jne	.Learlier
.Lfound:				// r10: box
	movl	UST0_EVENT_TYPE(%rdi), %eax
	orl	UST0_EVENT_EVAL_FILTER(%rdi), %eax
	jnz	.Lgated
	leaq	UST0_BOX_PLAIN(%r10), %rdi
	jmpq	*UST0_SLOT_PROBE(%r11)
.Lgated:
	leaq	UST0_BOX_GATED(%r10), %rdi
	jmpq	*UST0_SLOT_PROBE(%r11)
.Learlier:
	movq	UST0_SLOT_EARLIER(%r11), %r10
	cmpq	%rdi, (%r10)
	je	.Lfound

	// Keep everything that can hold an argument, and ask.
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	andq	$-16, %rsp
	subq	$192, %rsp
	movq	%rdi, 0(%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	movq	%rcx, 24(%rsp)
	movq	%r8, 32(%rsp)
	movq	%r9, 40(%rsp)
	movq	%r11, 48(%rsp)
	movaps	%xmm0, 64(%rsp)
	movaps	%xmm1, 80(%rsp)
	movaps	%xmm2, 96(%rsp)
	movaps	%xmm3, 112(%rsp)
	movaps	%xmm4, 128(%rsp)
	movaps	%xmm5, 144(%rsp)
	movaps	%xmm6, 160(%rsp)
	movaps	%xmm7, 176(%rsp)
	movq	%rdi, %rsi
	movq	%r11, %rdi
	call	ust0_box_for
	movq	%rax, %r10
	movq	0(%rsp), %rdi
	movq	8(%rsp), %rsi
	movq	16(%rsp), %rdx
	movq	24(%rsp), %rcx
	movq	32(%rsp), %r8
	movq	40(%rsp), %r9
	movq	48(%rsp), %r11
	movaps	64(%rsp), %xmm0
	movaps	80(%rsp), %xmm1
	movaps	96(%rsp), %xmm2
	movaps	112(%rsp), %xmm3
	movaps	128(%rsp), %xmm4
	movaps	144(%rsp), %xmm5
	movaps	160(%rsp), %xmm6
	movaps	176(%rsp), %xmm7
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	jmp	.Lfound
	.cfi_endproc
	.size	enter, . - enter
#endif

	.section .note.GNU-stack, "", %progbits
