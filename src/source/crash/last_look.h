/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/crash: the last look at a thread that ends its process. */
/*
 * What a process leaves behind that ends itself with SIGABRT, as a .NET runtime does with an exception that nobody catches: a BPF program looks in that moment, in the
 * thread that sends itself the signal, because a few milliseconds later there is no memory left to look into, and the runtime's last events are never sent. The
 * process is neither stopped nor changed, and waits some ten microseconds. Needs CAP_BPF and CAP_PERFMON, and Linux 5.17.
 *
 * What is copied: the thread's stack, and below its stack pointer what it has just called: texts (managed strings) that words there point at; the exception that is
 * referred to from the stack, its message, and what lies behind it in the heap. Among all that is what the runtime has printed of the exception. And the message of
 * Environment.FailFast, of .NET 9 and later: the characters of a managed string, whose address lies on the stack two words below that call's exit code, COR_E_FAILFAST, which
 * nothing else has. All comes from memory of the target and is believed by nobody.
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
	uint8_t below[NT_LAST_LOOK_BELOW]; /* here and below: what cannot be read is 0 */
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
