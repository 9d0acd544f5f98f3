/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by r2r.c (headers), r2r_table.c (which functions there are) and r2r_name.c. */
#ifndef NT_DECODE_R2R_INTERNAL_H
#define NT_DECODE_R2R_INTERNAL_H

#include "decode/assembly/native_format.h"
#include "decode/assembly/r2r.h"
#include "decode/assembly/r2r_sections.h"
#include "decode/common/reader.h"

/* Make r2r->functions. False: broken. */
bool nt_r2r_table_make(struct nt_r2r *r2r, const struct nt_r2r_sections *sections);

/* The beginning of a method instance's signature, up to its owner type. */
enum { NT_R2R_OF_TYPE = 0x40, NT_R2R_OF_MODULE = 0x80, NT_R2R_WITH_ARGUMENTS = 0x04, NT_R2R_WITH_CONSTRAINT = 0x20 };

/* At most as many bytes of it are looked at. */
enum { NT_R2R_SIGNATURE_BYTES = 1024 };

/* Which runtime function a value stands for that is said of a method: the lowest bits say whether fixups follow. */
static inline uint32_t nt_r2r_function_number(struct nt_reader *reader)
{
	uint32_t value = nt_native_unsigned(reader);
	return value & 1 ? value >> 2 : value >> 1;
}

#endif
