/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Precompiled (ReadyToRun) images: which functions there are and whose code they are (CoreCLR, docs/design/coreclr/botr/readytorun-format.md). What is kept
 * is a table of 8 bytes per function; names are made from the image when one is asked for (r2r_name.h).
 *
 * A composite image holds the code of several assemblies, its components; their metadata are in files of their own.
 */
#ifndef NT_DECODE_R2R_H
#define NT_DECODE_R2R_H

#include "decode/assembly/metadata.h"

enum nt_r2r_verdict {
	NT_R2R_READ,
	NT_R2R_IL_ONLY,      /* there is no precompiled code in it */
	NT_R2R_IN_COMPOSITE, /* it is in the composite image that this assembly is a component of */
	NT_R2R_MACHINE,      /* for a processor that is not known here */
	NT_R2R_BROKEN,
};

struct nt_r2r_function {
	uint32_t begin; /* RVA */
	uint32_t owner; /* whose code it is, as below */
};

/* Values of owner. */
#define NT_R2R_CONTINUES UINT32_C(0)         /* of the method before: a funclet */
#define NT_R2R_INSTANCE  (UINT32_C(1) << 31) /* the other bits: RVA of the signature of a generic instance */
enum { NT_R2R_RID_BITS = 20 };               /* else: component << NT_R2R_RID_BITS | row of MethodDef */

struct nt_r2r {
	struct nt_pe pe;             /* its window is borrowed */
	struct nt_metadata metadata; /* of the assembly; of a composite image: its manifest, which names the components */
	bool composite;              /* else there is one component, the image itself */
	uint32_t component_count;
	struct nt_pe_range mvids; /* of the components */
	struct nt_pe_range runtime_functions;
	struct nt_pe_range debug_info;     /* r2r_debug.h; rva 0 = none */
	uint16_t major_version;            /* of the image's format */
	uint32_t entry_bytes;              /* of a runtime function */
	struct nt_r2r_function *functions; /* owned; sorted by begin */
	uint32_t function_count;
};

/* Fill *r2r from the image; takes the window for the while of the call, and whenever it is asked. End with nt_r2r_fini(), whatever the verdict. */
enum nt_r2r_verdict nt_r2r_read(const struct nt_pe *pe, struct nt_r2r *r2r);
void nt_r2r_fini(struct nt_r2r *r2r);

struct nt_r2r_range {
	uint32_t begin, end; /* RVA */
	uint32_t owner;      /* of a function; never NT_R2R_CONTINUES */
	uint32_t function;   /* the number of its first */
};

/* The method with its funclets around a function, or, false, the gap between functions that `rva` lies in. */
bool nt_r2r_find(const struct nt_r2r *r2r, uint32_t rva, struct nt_r2r_range *out);

/*
 * All methods in the order of their addresses: the first whose number is >= `number`, which is advanced to try next. False: no further one.
 */
bool nt_r2r_next(const struct nt_r2r *r2r, uint32_t *number, struct nt_r2r_range *out);

/* The function (a method, or a funclet of one) whose code `rva` lies in, and the UNWIND_INFO of it. x86-64. False: there is none, or it is of another processor. */
struct nt_r2r_unwind {
	uint32_t begin, end; /* RVA */
	uint32_t info;       /* RVA */
};
bool nt_r2r_unwind(const struct nt_r2r *r2r, uint32_t rva, struct nt_r2r_unwind *out);

/* Name of the assembly that a component is, and the version id by which its file is known. As nt_metadata_string(). */
size_t nt_r2r_component_name(const struct nt_r2r *r2r, uint32_t component, char *buf, size_t size);
bool nt_r2r_component_mvid(const struct nt_r2r *r2r, uint32_t component, uint8_t mvid[16]);

#endif
