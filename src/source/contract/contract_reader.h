/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nettop's side of the reader: a process without rights that reads the runtime's data in the target's memory, by descriptors that nettop opened for reading. nettop asks, does something else,
 * and takes the answers when they are there.
 */
#ifndef NT_SOURCE_READER_H
#define NT_SOURCE_READER_H

#include "nettop/status.h"
#include "source/contract/reader_wire.h"
#include "source/decoder/decoder_child.h"

struct nt_reader {
	struct nt_decoder_child child;
	struct nt_decoder_child lender; /* pid 0: none is needed, the memory could be opened */
	uint8_t packet[NT_READER_PACKET];
	size_t length, at; /* of the packet; how much of it was taken */
};

/*
 * Starts it for the process of this folder of /proc, whose number and descriptor (pidfd_open(), borrowed) these are, with a runtime of this major version (0 = not known), and asks for its STATE. May take as long as the kernel keeps who opens `mem`. FORBIDDEN: the target's memory may not be read; ABSENT: the process is gone. On an error there is none, and
 * nt_reader_end() does nothing.
 */
enum nt_status nt_reader_start(struct nt_reader *reader, const char *proc_dir, pid_t pid, int pidfd, unsigned major, struct nt_error *err);

/* Kills it. */
void nt_reader_end(struct nt_reader *reader);

static inline bool nt_reader_is_there(const struct nt_reader *reader)
{
	return reader->child.pid != 0;
}

/* Asks for these threads, as the target numbers them, at most NT_READER_THREADS; 0 = all. False: it has ended, or does not hear. */
bool nt_reader_look(struct nt_reader *reader, const uint32_t *tids, size_t count);

/* Asks what these addresses of generated code are called, at most NT_READER_NAMES. False: as above. */
bool nt_reader_name(struct nt_reader *reader, const uint64_t *addresses, size_t count);

/* The same for types, by the runtime's numbers of them (MethodTables). */
bool nt_reader_type(struct nt_reader *reader, const uint64_t *types, size_t count);

/* Asks for copies of stacks, from these stack pointers up, likewise: COPIED. */
bool nt_reader_copy(struct nt_reader *reader, const uint64_t *stack_pointers, size_t count);

/* Asks how to get from precompiled code at these addresses to its caller, likewise: RULED. */
bool nt_reader_rule(struct nt_reader *reader, const uint64_t *addresses, size_t count);

/* Asks for the thread pool. */
bool nt_reader_pool(struct nt_reader *reader);

/* Asks what each thread has allocated. */
bool nt_reader_alloc(struct nt_reader *reader);

/* Asks which of these addresses, at most NT_READER_NAMES, are static fields of the types of this module: STATIC, and END behind the last one. */
bool nt_reader_statics(struct nt_reader *reader, uint64_t module, const uint64_t *addresses, size_t count);

/* Asks which IL the code at these addresses was made of, likewise. */
bool nt_reader_il(struct nt_reader *reader, const uint64_t *addresses, size_t count);

/* The next record. OK: *out, borrowed until the next call. AGAIN: none yet. END: it has ended, or said what no reader of ours says; nt_reader_end() is due. */
enum nt_status nt_reader_next(struct nt_reader *reader, struct nt_reader_record *out);

/* CPU time that it has taken, ns, with that of who lends it memory. */
uint64_t nt_reader_cpu_ns(const struct nt_reader *reader);

#endif
