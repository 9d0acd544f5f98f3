// SPDX-License-Identifier: MIT
/*
 * The functions that liblttng-ust.so.1 calls as probes, one for each event description, in stubs_<machine>.S.
 *
 * LTTng calls a probe as f(struct ust1_event *, arguments...); an old probe wants f(struct ust0_event *, the same arguments...). The arguments are of any number
 * and type, so a stub touches nothing but the first: it replaces the event by a stand-in (boxes.h) and jumps to the old probe. Stubs are static code
 * because a process may forbid making code at run time.
 *
 * This header is read by the assembler, too.
 */
#ifndef UST0_STUBS_H
#define UST0_STUBS_H

#define UST0_STUB_COUNT 2048
#define UST0_STUB_SIZE  16

// struct ust0_slot
#define UST0_SLOT_SHIFT   5
#define UST0_SLOT_PROBE   0
#define UST0_SLOT_RECENT  8
#define UST0_SLOT_EARLIER 16

// struct ust0_box
#define UST0_BOX_PLAIN 8
#define UST0_BOX_GATED 176

// struct ust1_event
#define UST0_EVENT_TYPE        16
#define UST0_EVENT_EVAL_FILTER 36

#ifndef __ASSEMBLER__

// The stubs, one behind the other, in C's eyes.
extern const char ust0_stubs[UST0_STUB_COUNT][UST0_STUB_SIZE] __attribute__((visibility("hidden")));

#endif
#endif
