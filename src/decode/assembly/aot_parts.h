/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Handlers of exceptions are functions of their own (funclets), which no table of methods has: their method is in what Native AOT keeps
 * for them beside the unwind table (UnixNativeCodeManager.cpp): flags, of which two bits say what it is; of a funclet the distance to the
 * method's data, and that from the beginning of the method. Pure.
 */
#ifndef NT_DECODE_AOT_PARTS_H
#define NT_DECODE_AOT_PARTS_H

#include "decode/assembly/aot_methods.h"
#include "decode/elf/eh_frame.h"

/* A funclet, and the method that it is a part of: where their code begins, virtual addresses. */
struct nt_aot_part {
	uint64_t start, method;
};

/* Sorted by start. All zero is an empty list. */
struct nt_aot_parts {
	struct nt_aot_part *items; /* owned: end with free() */
	size_t count;
};

/* Where the data of these functions lie: address and size of a blob that has all of them that can be in one. size 0: none. */
struct nt_aot_blob nt_aot_parts_where(const struct nt_eh_data_list *functions);

/* The funclets among the functions whose data are in `data`. */
void nt_aot_parts_read(const struct nt_eh_data_list *functions, const struct nt_aot_blob *data, struct nt_aot_parts *out);

/* Where the method begins that the function at this address is a part of; 0 = it is none. */
uint64_t nt_aot_parts_method(const struct nt_aot_parts *parts, uint64_t start);

#endif
