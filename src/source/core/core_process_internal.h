/* SPDX-License-Identifier: GPL-2.0-only */
/* What the process that reads a core has read, and how it says it. Inside src/source/core only. */
#ifndef NT_SOURCE_CORE_PROCESS_INTERNAL_H
#define NT_SOURCE_CORE_PROCESS_INTERNAL_H

#include "decode/contract/contract_modules.h"
#include "source/contract/reader_wire.h"
#include "source/core/core_walk.h"

enum { NT_CORE_PAGES_OF_A_THREAD = 20000 };

struct nt_core_process {
	struct nt_core_view view;
	bool open, has_runtime, is_inside_known, fields, code_whole;
	struct nt_memory memory;
	struct nt_contract contract;
	struct nt_contract_modules modules;
	struct nt_contract_thread *threads; /* owned; of the runtime */
	size_t thread_count, thread_capacity;
	struct nt_index by_tid; /* of these */
	struct nt_index named;  /* functions, by their start, that were told of */
	struct nt_core_walker walker;
	size_t said_length;
	uint8_t heard[NT_READER_PACKET], said[NT_READER_PACKET];
};

/* Say a record, and what follows it; it is sent with others, or by nt_core_process_send(). When nobody hears it the process ends. */
void nt_core_process_say(struct nt_core_process *process, const void *record, size_t size, const void *more, size_t more_size);
void nt_core_process_say_end(struct nt_core_process *process, bool whole);
void nt_core_process_send(struct nt_core_process *process);

/* Nobody asks for more, or in a way that nettop does not. */
_Noreturn void nt_core_process_end(void);

/* The name of a type; its length, 0 = it is not known. */
uint32_t nt_core_process_name_type(struct nt_core_process *process, uint64_t type, char text[NT_READER_TYPE_MAX + 1]);

/* What is in the heap; with `references`, also what each object refers to, and what keeps them alive. */
void nt_core_process_tell_heap(struct nt_core_process *process, bool references);

#endif
