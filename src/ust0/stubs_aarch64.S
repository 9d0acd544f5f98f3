// SPDX-License-Identifier: MIT
// See stubs.h. Of the AAPCS64: x9 to x17 are nobody's at the entry of a function. Assembled by a test, never run.

#ifdef __aarch64__
#include "stubs.h"

	.text
	.globl	ust0_stubs
	.hidden	ust0_stubs
	.type	ust0_stubs, %object
	.balign	UST0_STUB_SIZE
ust0_stubs:
	.set	index, 0
	.rept	UST0_STUB_COUNT
	.balign	UST0_STUB_SIZE
	hint	#34			// bti c
	mov	w16, #index
	b	enter
	.set	index, index + 1
	.endr
	.balign	UST0_STUB_SIZE
	.size	ust0_stubs, . - ust0_stubs

	.balign	64
	.type	enter, %function
enter:					// w16: which stub, x0: the event
	.cfi_startproc
	adrp	x17, ust0_slots
	add	x17, x17, :lo12:ust0_slots
	add	x17, x17, x16, lsl #UST0_SLOT_SHIFT	// x17: slot
	ldr	x16, [x17, #UST0_SLOT_RECENT]
	ldr	x9, [x16]
	cmp	x9, x0
	b.ne	.Learlier
.Lfound:				// x16: box
	ldr	w9, [x0, #UST0_EVENT_TYPE]
	ldr	w10, [x0, #UST0_EVENT_EVAL_FILTER]
	orr	w9, w9, w10
	ldr	x17, [x17, #UST0_SLOT_PROBE]
	cbnz	w9, .Lgated
	add	x0, x16, #UST0_BOX_PLAIN
	br	x17
.Lgated:
	add	x0, x16, #UST0_BOX_GATED
	br	x17
.Learlier:
	ldr	x16, [x17, #UST0_SLOT_EARLIER]
	ldr	x9, [x16]
	cmp	x9, x0
	b.eq	.Lfound

	// Keep everything that can hold an argument, and ask.
	stp	x29, x30, [sp, #-224]!
	.cfi_def_cfa_offset 224
	.cfi_offset x29, -224
	.cfi_offset x30, -216
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	stp	x8, x17, [sp, #80]
	stp	q0, q1, [sp, #96]
	stp	q2, q3, [sp, #128]
	stp	q4, q5, [sp, #160]
	stp	q6, q7, [sp, #192]
	mov	x1, x0
	mov	x0, x17
	bl	ust0_box_for
	mov	x16, x0
	ldp	q6, q7, [sp, #192]
	ldp	q4, q5, [sp, #160]
	ldp	q2, q3, [sp, #128]
	ldp	q0, q1, [sp, #96]
	ldp	x8, x17, [sp, #80]
	ldp	x6, x7, [sp, #64]
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #224
	.cfi_def_cfa_offset 0
	.cfi_restore x29
	.cfi_restore x30
	b	.Lfound
	.cfi_endproc
	.size	enter, . - enter
#endif

	.section .note.GNU-stack, "", %progbits
