/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/kernel: what the kernel writes: perf records, /proc, kallsyms. */
/*
 * Records of the kernel's perf ring, as perf_event_open(2) describes them ("MMAP layout"), in the form that nettop asks for, and in any that somebody else may have asked for. Pure functions on one record's
 * bytes.
 */
#ifndef NT_DECODE_PERF_RECORD_H
#define NT_DECODE_PERF_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "nettop/clock.h"
#include "nettop/status.h"

/* What an event was opened with, as far as its records' form depends on that: members of struct perf_event_attr. */
struct nt_perf_form {
	uint64_t sample_type, read_format, branch_type, user_regs;
	bool trailers; /* sample_id_all: all records but samples say of whom and when they are */
};

/* Of what a trailer says, each a word. */
#define NT_PERF_TRAILER_TYPE                                                                                                               \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/* Newer than the headers of the oldest system that nettop is built on: PERF_SAMPLE_BRANCH_COUNTERS. */
#define NT_PERF_BRANCH_COUNTERS (UINT64_C(1) << 19)

enum { NT_PERF_BUILD_ID_MAX = 20 };

/* What nettop's own events must be opened with for the functions without a form to understand their records. */
#define NT_PERF_SAMPLE_TYPE                                                                                                                \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

/*
 * What may be asked for besides, to mend call chains: registers and a copy of the stack. The mask is of asm/perf_regs.h for x86-64 (bx bp sp ip r12 to r15, in this
 * order); other machines have none.
 */
#define NT_PERF_SAMPLE_STACK (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define NT_PERF_REGS_MASK    UINT64_C(0xf001c2)
enum { NT_PERF_REGS_COUNT = 8 };

/* Of a longer call chain the outermost frames are left out, whatever the kernel permits (sysctl kernel.perf_event_max_stack). */
enum { NT_PERF_STACK_MAX = 1024 };

enum nt_perf_kind {
	NT_PERF_OTHER, /* not asked for, or newer than this program */
	NT_PERF_SAMPLE,
	NT_PERF_MAP, /* MMAP and MMAP2 */
	NT_PERF_COMM,
	NT_PERF_FORK,
	NT_PERF_EXIT,
	NT_PERF_LOST,   /* LOST and LOST_SAMPLES */
	NT_PERF_SWITCH, /* SWITCH and SWITCH_CPU_WIDE */
};

/* pids and tids: as the namespace of the process that opened the event sees them. */
struct nt_perf_record {
	enum nt_perf_kind kind;
	nt_time time; /* of the event's clock; NT_TIME_UNKNOWN for OTHER, and where the form has none */
	uint64_t id;  /* which event it is of; 0 = the form has none */
	uint32_t pid, tid;
	union {
		struct {
			uint64_t ip;
			uint64_t period; /* of the event's own unit: ns for cpu-clock */
			uint32_t cpu;
			uint32_t chain_count;
			const uint8_t *chain; /* borrowed: chain_count words, not aligned; read by nt_perf_chain() */
			bool in_kernel;       /* ip is a kernel address */
			/* Borrowed, not aligned; NULL = the sample has none. */
			const uint8_t *user_regs; /* a word for each of the form, in its order: nt_perf_user_reg() */
			const uint8_t *stack;     /* from the stack pointer up */
			uint32_t stack_bytes;
		} sample;
		struct {
			uint64_t start, length, file_offset;
			uint64_t inode;          /* 0 = not said */
			const uint8_t *build_id; /* borrowed; NULL = not said */
			size_t build_id_length;
			const char *name; /* borrowed, not NUL-terminated; see decode/codemap/map_name.h */
			size_t name_length;
			bool exec;
		} map;
		struct {
			const char *name; /* borrowed, not NUL-terminated */
			size_t name_length;
			bool exec; /* by execve(), not by a thread naming itself */
		} comm;
		struct {
			uint32_t parent_pid, parent_tid;
		} fork; /* FORK and EXIT */
		struct {
			uint64_t count;
		} lost;
		struct {
			bool on;        /* the thread comes to a CPU; else it leaves it */
			bool preempted; /* it leaves it, and could have gone on */
		} switched;
	};
};

/*
 * Read the record at bytes[0..length). NT_ERR_MALFORMED: it breaks its layout, or its header speaks of more than `length` bytes. `bytes` needs no
 * alignment and must outlive what `out` borrows.
 */
enum nt_status nt_perf_record_parse(const uint8_t *bytes, size_t length, struct nt_perf_record *out);

/* The form of nettop's own records; a sample that ends behind its chain has neither registers nor stack. */
extern const struct nt_perf_form nt_perf_own_form;

/* The same for records of another form. A member that it lacks is 0. */
enum nt_status nt_perf_record_parse_as(const uint8_t *bytes, size_t length, const struct nt_perf_form *form, struct nt_perf_record *out);

/* The register `number` of asm/perf_regs.h. False: the sample has it not. */
bool nt_perf_user_reg(const struct nt_perf_form *form, const struct nt_perf_record *sample, unsigned number, uint64_t *value);

/* Is it a sample of another process than this one? Reads no more than that takes: on a busy machine most are. False for what breaks its layout. */
bool nt_perf_record_is_sample_of_other(const uint8_t *bytes, size_t length, uint32_t pid);

/*
 * The call chain of a sample without the kernel's markers, leaf first, kernel part first. Returns the number of addresses (at most max), of
 * which the first *kernel_count are the kernel's. A sample without a chain gives its ip.
 */
unsigned nt_perf_chain(const struct nt_perf_record *sample, uint64_t *addresses, unsigned max, unsigned *kernel_count);

/*
 * The place of the user part in the chain of a sample: its first word, behind the marker. Returns how many words it has; 0 when it is not the chain's end.
 */
unsigned nt_perf_user_part(const struct nt_perf_record *sample, uint32_t *first);

/* Room for a sample whose user part was replaced. */
enum { NT_PERF_REPLACED_MAX = 8 * NT_PERF_STACK_MAX + 1024 };

/*
 * The sample record at `bytes`, which was parsed as `sample`, with `count` other frames from the word `first` of its chain on, and without registers and
 * stack. Written to `out`; returns its length, or 0 when there is no room for it.
 */
size_t nt_perf_replace_chain(const uint8_t *bytes, const struct nt_perf_record *sample, uint32_t first, const uint64_t *frames,
			     unsigned count, uint8_t out[NT_PERF_REPLACED_MAX]);

#endif
