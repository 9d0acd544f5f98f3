// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/r2r_debug.h"

#include "decode/assembly/debug_bounds.h"
#include "decode/assembly/native_format.h"
#include "decode/common/reader.h"

enum { PACKED_SINCE_VERSION = 16 /* of the image's format: .NET 10 */ };

/* Where what is said of a method begins, and where all of it ends. */
static bool find_debug(const struct nt_r2r *r2r, uint32_t function, uint64_t *at, uint64_t *end)
{
	enum { LOOKBACK_BYTES = 5 };
	struct nt_native_array array;
	uint64_t offset;
	if (!r2r->debug_info.rva || !nt_pe_offset(&r2r->pe, r2r->debug_info.rva, r2r->debug_info.size, &offset) ||
	    !nt_native_array_read(r2r->pe.window, offset, r2r->debug_info.size, &array) || !nt_native_array_find(&array, function, at))
		return false;
	*end = array.end;
	size_t size = array.end - *at < LOOKBACK_BYTES ? (size_t)(array.end - *at) : LOOKBACK_BYTES;
	const uint8_t *bytes = nt_window_at(r2r->pe.window, *at, size);
	if (!bytes)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, size);
	uint32_t lookback = nt_native_unsigned(&reader);
	if (reader.bad || lookback > *at - offset)
		return false;
	*at = lookback ? *at - lookback : *at + (size - nt_reader_left(&reader)); /* methods with the same share them */
	return true;
}

bool nt_r2r_il_map(const struct nt_r2r *r2r, uint32_t function, uint32_t *il, uint32_t *native, struct nt_il_map *out)
{
	uint64_t at, end;
	*out = (struct nt_il_map){ 0 };
	return find_debug(r2r, function, &at, &end) &&
	       nt_debug_bounds_read(r2r->pe.window, at, end, r2r->major_version >= PACKED_SINCE_VERSION, il, native, out);
}
