/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machine code as instructions in text, by libcapstone. It is loaded when it is first needed: its tables are two megabytes that the linker would have to
 * write at every start. Reads a stranger's bytes by a library: the decoder does it (decoder_process.h), nettop asks it (decoder.h).
 */
#ifndef NT_SOURCE_DISASSEMBLY_H
#define NT_SOURCE_DISASSEMBLY_H

#include "nettop/event.h"
#include "nettop/status.h"

struct nt_disassembly {
	struct nt_batch_line *lines; /* owned; one for each instruction, and one for bytes that are none */
	size_t count, capacity;
	char *text; /* owned; where their texts are */
	size_t length, text_capacity;
};

/* Load the library, while that may be done. If it cannot be, the next function says so. */
void nt_disassembly_prepare(void);

/*
 * Code of this machine's kind, which lies at `start` in the target. Errors: ABSENT, UNSUPPORTED (the library; the sentence says how to get it). *out is
 * ended with nt_disassembly_fini() either way.
 */
enum nt_status nt_disassemble(const uint8_t *bytes, size_t length, uint64_t start, struct nt_disassembly *out, struct nt_error *err);
void nt_disassembly_fini(struct nt_disassembly *disassembly);

#endif
