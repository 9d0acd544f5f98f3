/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which IL the code of a method was made of: the payload of MethodILToNativeMap (event 190) and of its rundown forms, MethodDCStartILToNativeMap (149) and
 * MethodDCEndILToNativeMap (150). ClrEtwAll.man, template MethodILToNativeMap: method and re-JIT id u64, extent u8, count u16, so many IL offsets u32, so many
 * native offsets u32, then numbers of no use here.
 */
#ifndef NT_DECODE_IL_MAP_H
#define NT_DECODE_IL_MAP_H

#include "nettop/event.h"

/* Entries of one map: what its count can say. */
enum { NT_IL_MAP_MAX = UINT16_MAX };

/* Borrows from the payload. */
struct nt_il_map {
	uint64_t method_id, rejit_id;
	const uint8_t *il_offsets, *native_offsets; /* unaligned, 4 bytes each */
	uint32_t count;
};

/* NT_ERR_MALFORMED: the payload ends before what its count announces. */
enum nt_status nt_il_map_parse(const uint8_t *payload, size_t length, struct nt_il_map *out);

/*
 * The map of the code [start, start + size) as places: sorted, disjoint, each with the IL offset (or NT_IL_...) that it was made of. What lies outside of the code is
 * left out, as are entries without code; of several with one native offset the first counts. `out` has room for map->count. Returns how many.
 */
size_t nt_il_map_places(const struct nt_il_map *map, uint64_t start, uint32_t size, struct nt_batch_place *out);

/* The place that `address` is in; NULL: there is none. */
const struct nt_batch_place *nt_il_map_find(const struct nt_batch_place *places, size_t count, uint64_t address);

#endif
