/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/crash: the last look at a thread that ends its process. */
/*
 * What a process leaves behind that ends itself with SIGABRT, as a .NET runtime does with an exception that nobody catches: a BPF program looks in that moment, in the
 * thread that sends itself the signal, because a few milliseconds later there is no memory left to look into, and the runtime's last events are never sent. The
 * process is neither stopped nor changed, and waits some ten microseconds. Needs CAP_BPF and CAP_PERFMON, and Linux 5.17.
 *
 * What is copied: the thread's stack, and below its stack pointer what it has just called: texts (managed strings) that words there point at; the exception that is
 * referred to from the stack, its message, and what lies behind it in the heap. Among all that is what the runtime has printed of the exception. And the message of
 * Environment.FailFast, a managed string: since .NET 9 the address of its characters lies on the stack two words below that call's exit code, COR_E_FAILFAST, which
 * nothing else has; in .NET 8 its own address lies a few words above the uppermost of them, where the collector is told of it.
 *
 * Of a stack overflow, which a runtime that ends by one says with its exit code, the frames are followed to the outermost by their frame pointers, some 100 ns each: the
 * runtime itself has looked at each of them for some 20 us before, to print it. All comes from memory of the target and is believed by nobody.
 */
#ifndef NT_SOURCE_LAST_LOOK_H
#define NT_SOURCE_LAST_LOOK_H

#include "nettop/status.h"
#include "target/process/target.h"

#include <stddef.h>
#include <stdint.h>

enum {
	NT_LAST_LOOK_BELOW = 4096,      /* bytes below the stack pointer */
	NT_LAST_LOOK_ABOVE = 28 << 10,  /* and above it: the frames that are not gone */
	NT_LAST_LOOK_HEAP = 64 << 10,   /* from the exception on: what its thread has allocated since lies behind it */
	NT_LAST_LOOK_TEXTS = 4,         /* the nearest to the stack pointer */
	NT_LAST_LOOK_TEXT_BYTES = 8192, /* kept of one: UTF-16 */
	NT_LAST_LOOK_INNER = 40,        /* frames of a stack overflow, from the innermost on */
	NT_LAST_LOOK_OUTER = 32,        /* and up to the outermost */
	NT_LAST_LOOK_FRAMES = 1 << 19,  /* followed: the most that fit into 8 MB */
};

struct nt_last_look;

struct nt_last_look_text {
	uint64_t address; /* of the string in the target */
	uint32_t length;  /* UTF-16 units, all of it */
	uint32_t word;    /* where its address lay, in words from the begin of `below` */
	uint8_t bytes[NT_LAST_LOOK_TEXT_BYTES];
};

/* As the BPF program writes it. */
struct nt_last_look_record {
	uint32_t tid; /* as the target numbers them */
	uint32_t text_count;
	nt_time time;
	uint64_t stack_pointer;
	uint64_t exception;      /* the first object above the stack pointer that is one; 0 = none */
	uint64_t fail_string;    /* FailFast's message; 0 = there was no such call, or it is not known */
	uint32_t message_length; /* UTF-16 units of its message */
	uint32_t fail_length;    /* UTF-16 units of FailFast's message, all of it; 0 = there was no such call, or it is not known */
	uint32_t fail_word;      /* 0, or where among the words of `above` its exit code lies, uppermost, and 1 */
	uint32_t overflowed;     /* 1 = the exit code of a stack overflow lies on the stack */
	uint64_t frame;          /* the next frame to follow, when it was done; 0 = none was found */
	uint32_t
		frame_count; /* frames that were followed, those of the runtime, which ends the process, first; 0 = no stack overflow, or no frame was found */
	uint32_t turns;                     /* the thread's stack lies below that on which the runtime handles its overflow */
	uint64_t inner[NT_LAST_LOOK_INNER]; /* return addresses of the first frames */
	uint64_t outer[NT_LAST_LOOK_OUTER]; /* of frame number N: at N % NT_LAST_LOOK_OUTER, the last ones */
	uint8_t below[NT_LAST_LOOK_BELOW];  /* here and below: what cannot be read is 0 */
	uint8_t above[NT_LAST_LOOK_ABOVE];
	struct nt_last_look_text texts[NT_LAST_LOOK_TEXTS];
	uint8_t message[NT_LAST_LOOK_TEXT_BYTES];   /* its _message, UTF-16 */
	uint8_t fail_text[NT_LAST_LOOK_TEXT_BYTES]; /* what was kept of FailFast's, UTF-16 */
	uint8_t heap[NT_LAST_LOOK_HEAP];
};

/* Begin to wait for it. An error: it cannot be had here, the sentence says why. */
enum nt_status nt_last_look_new(const struct nt_target *target, struct nt_last_look **out, struct nt_error *err);
void nt_last_look_free(struct nt_last_look *look); /* NULL is allowed */

/*
 * The newest that there is, NULL = none; borrowed until the next call. Its counts are within bounds, no matter what the target did.
 */
const struct nt_last_look_record *nt_last_look_read(struct nt_last_look *look);

#endif
