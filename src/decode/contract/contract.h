/* SPDX-License-Identifier: GPL-2.0-only */
/* A runtime as its description lets it be read. */
#ifndef NT_DECODE_CONTRACT_CONTRACT_H
#define NT_DECODE_CONTRACT_CONTRACT_H

#include "decode/contract/contract_layout.h"

/* A part of the address space that the runtime has code in. */
struct nt_code_section {
	uint64_t begin, end;
	uint64_t heap;   /* of generated code: its CodeHeapListNode */
	uint64_t module; /* of precompiled code: the Module; 0 = generated code, or stubs */
	uint32_t flags;  /* enum nt_code_section_flag */
};

/* The runtime's values (RangeSection::RangeSectionFlags). */
enum nt_code_section_flag { NT_SECTION_COLLECTIBLE = 1, NT_SECTION_CODE_HEAP = 2, NT_SECTION_STUBS = 4 };

struct nt_contract {
	struct nt_memory *memory; /* borrowed */
	struct nt_layout layout;
	uint64_t debugger_table;          /* the addresses that the runtime has for its debugger; 0 = not known */
	struct nt_code_section *sections; /* owned; by address, disjoint as far as the runtime says the truth */
	size_t section_count, section_capacity;
};

/* Reads the description of the runtime in the ELF image whose header is at `image`. FOUND: end it with nt_contract_fini(). */
enum nt_descriptor_result nt_contract_open(struct nt_contract *contract, struct nt_memory *memory, uint64_t image);
void nt_contract_fini(struct nt_contract *contract);

/* Read the list of sections anew. False: memory is missing, or the list is not one; what could be read is there. Needs NT_CONTRACT_CODE. */
bool nt_contract_read_sections(struct nt_contract *contract);

/* The section that the address is in; NULL: none. */
const struct nt_code_section *nt_contract_section_at(const struct nt_contract *contract, uint64_t address);

/* The field of a thing at an address: its own address, and what is there. */
static inline uint64_t nt_contract_place(const struct nt_contract *contract, uint64_t thing, enum nt_layout_field field)
{
	return thing + contract->layout.offsets[field];
}
static inline uint64_t nt_contract_u64(const struct nt_contract *contract, uint64_t thing, enum nt_layout_field field, bool *bad)
{
	return nt_memory_u64(contract->memory, nt_contract_place(contract, thing, field), bad);
}
static inline uint32_t nt_contract_u32(const struct nt_contract *contract, uint64_t thing, enum nt_layout_field field, bool *bad)
{
	return nt_memory_u32(contract->memory, nt_contract_place(contract, thing, field), bad);
}
static inline uint16_t nt_contract_u16(const struct nt_contract *contract, uint64_t thing, enum nt_layout_field field, bool *bad)
{
	return nt_memory_u16(contract->memory, nt_contract_place(contract, thing, field), bad);
}

#endif
