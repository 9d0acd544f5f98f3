// SPDX-License-Identifier: GPL-2.0-only
/* Which functions an image has, and of which method each is the code: three tables of the image joined into one of 8 bytes per function. */
#include "decode/assembly/r2r_internal.h"

#include "base/alloc.h"
#include "base/starts.h"
#include "decode/assembly/native_format.h"
#include "decode/assembly/signature.h"

#include <stdlib.h>
#include <string.h>

/* What an image says of itself could keep nettop busy for hours: tables that lie on each other, entries that are not there. */
enum {
	FUNCTIONS_MAX = 2 << 20, /* the composite image of all of .NET and ASP.NET Core has 214 000 */
	RID_MAX = (1 << NT_R2R_RID_BITS) - 1,
	ROW_BYTES_MAX = 64, /* that a row takes in its array: to hold a larger one, for each component, would cost more than its rows */
	ROWS_MAX = 4 << 20, /* of methods, compiled or not, in all components: that image has fewer than 400 000 */
	INSTANCE_BYTES_MAX = FUNCTIONS_MAX * 32, /* of all signatures of instances; one has 10 to 20 */
	PARTS_MAX = 16 << 10,                    /* of one method: its code and that of its handlers */
};

/* Each of the tables is gone through from end to end, to and fro. */
static void hold(const struct nt_r2r *r2r, struct nt_pe_range section)
{
	uint64_t offset;
	if (nt_pe_offset(&r2r->pe, section.rva, section.size, &offset))
		nt_window_hold(r2r->pe.window, offset, section.size);
}

/* ---- runtime functions ---- */

/* The begin of one, and its end where it is said (else the begin of the next). */
static bool runtime_function(const struct nt_r2r *r2r, uint32_t number, uint32_t *begin, uint32_t *end)
{
	const uint8_t *bytes = nt_pe_at(&r2r->pe, r2r->runtime_functions.rva + number * r2r->entry_bytes, r2r->entry_bytes);
	if (!bytes)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, r2r->entry_bytes);
	*begin = nt_reader_u32(&reader);
	*end = nt_reader_u32(&reader);
	return true;
}

/* Where one ends: not beyond the begin of the next, whatever is said. */
static uint32_t end_of(const struct nt_r2r *r2r, uint32_t number)
{
	uint32_t next = number + 1 < r2r->function_count ? r2r->functions[number + 1].begin : UINT32_MAX, begin, end;
	if (r2r->pe.machine != NT_PE_LINUX_AMD64 || !runtime_function(r2r, number, &begin, &end) || end < begin)
		return next == UINT32_MAX ? r2r->functions[number].begin + 1 : next; /* only arm64's unwind data say it: not read */
	return end < next ? end : next;
}

static bool read_functions(struct nt_r2r *r2r)
{
	enum { CHUNK = 256 }; /* entries that are looked at together */
	uint32_t count = r2r->runtime_functions.size / r2r->entry_bytes;
	const uint8_t *bytes = NULL;
	uint64_t table = 0;
	/* The table ends with a sentinel. */
	if (count > FUNCTIONS_MAX || (count && !nt_pe_offset(&r2r->pe, r2r->runtime_functions.rva, r2r->runtime_functions.size, &table)))
		return false;
	r2r->functions = nt_realloc(NULL, count ? count : 1, sizeof(*r2r->functions));
	hold(r2r, r2r->runtime_functions);
	for (uint32_t i = 0; i < count; i++) {
		struct nt_r2r_function *function = &r2r->functions[i];
		*function = (struct nt_r2r_function){ .owner = NT_R2R_CONTINUES };
		if (i % CHUNK == 0)
			bytes = nt_window_at(r2r->pe.window, table + (uint64_t)i * r2r->entry_bytes,
					     (count - i < CHUNK ? count - i : CHUNK) * r2r->entry_bytes);
		if (!bytes)
			return false;
		memcpy(&function->begin, bytes + i % CHUNK * r2r->entry_bytes, sizeof(function->begin));
		if (function->begin == UINT32_MAX)
			break;
		if (i && function->begin <= function[-1].begin)
			return false;
		r2r->function_count++;
	}
	return true;
}

static void set_owner(struct nt_r2r *r2r, uint32_t function, uint32_t owner)
{
	if (function < r2r->function_count)
		r2r->functions[function].owner = owner;
}

/* ---- methods that are no generic instances: an array by their row ---- */

/* The one that is said at `offset`. */
static bool add_method(struct nt_r2r *r2r, uint64_t offset, uint64_t end, uint32_t component, uint32_t rid)
{
	enum { ELEMENT_BYTES = 5 };
	if (rid > RID_MAX)
		return true;
	size_t size = end - offset < ELEMENT_BYTES ? (size_t)(end - offset) : ELEMENT_BYTES;
	const uint8_t *bytes = nt_window_at(r2r->pe.window, offset, size);
	if (!bytes)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, size);
	uint32_t function = nt_r2r_function_number(&reader);
	if (!reader.bad)
		set_owner(r2r, function, component << NT_R2R_RID_BITS | rid);
	return true;
}

/* `rows` is how many more may be looked at. */
static bool add_methods(struct nt_r2r *r2r, struct nt_pe_range section, uint32_t component, uint32_t *rows)
{
	struct nt_native_array array;
	uint64_t offset;
	if (!section.rva)
		return true;
	if (!nt_pe_offset(&r2r->pe, section.rva, section.size, &offset) ||
	    !nt_native_array_read(r2r->pe.window, offset, section.size, &array))
		return false;
	uint32_t count = array.count < RID_MAX ? array.count : RID_MAX;
	if (count > *rows)
		return false;
	*rows -= count;
	if (section.size / ROW_BYTES_MAX <= count)
		hold(r2r, section);
	for (uint32_t block = 0; block * NT_NATIVE_BLOCK < count; block++) {
		uint64_t offsets[NT_NATIVE_BLOCK];
		for (unsigned left = nt_native_array_block(&array, block, offsets); left; left &= left - 1) {
			uint32_t i = (uint32_t)__builtin_ctz(left);
			if (!add_method(r2r, offsets[i], array.end, component, block * NT_NATIVE_BLOCK + i + 1))
				return false;
		}
	}
	return true;
}

/* Each component has a header of its own with the array of its methods. */
static bool add_components(struct nt_r2r *r2r, struct nt_pe_range list, uint32_t *rows)
{
	enum { COMPONENT_BYTES = 16, HEADER_AT = 8, FLAGS_BYTES = 4 };
	for (uint32_t i = 0; i < r2r->component_count; i++) {
		struct nt_r2r_sections sections;
		const uint8_t *bytes = nt_pe_at(&r2r->pe, list.rva + i * COMPONENT_BYTES + HEADER_AT, 4);
		if (!bytes)
			return false;
		struct nt_reader reader = nt_reader_of(bytes, 4);
		if (!nt_r2r_sections_read(&r2r->pe, nt_reader_u32(&reader) + FLAGS_BYTES, &sections) ||
		    !add_methods(r2r, sections.method_entries, i, rows))
			return false;
	}
	return true;
}

/* ---- generic instances: a table by hash, each with its signature ---- */

/* Step over all but the function. False: broken, or of a form that compilers do not leave. */
static bool skip_instance(struct nt_reader *reader)
{
	uint32_t flags = nt_metadata_compressed(reader);
	if (flags & NT_R2R_OF_MODULE)
		nt_metadata_compressed(reader);
	if (flags & NT_R2R_OF_TYPE && !nt_signature_skip_type(reader))
		return false;
	nt_metadata_compressed(reader); /* row of the method */
	if (flags & NT_R2R_WITH_ARGUMENTS)
		for (uint32_t count = nt_metadata_compressed(reader); count; count--)
			if (!nt_signature_skip_type(reader))
				return false;
	return !(flags & NT_R2R_WITH_CONSTRAINT) || nt_signature_skip_type(reader);
}

static bool add_instances(struct nt_r2r *r2r, struct nt_pe_range section)
{
	struct nt_native_table table;
	uint64_t offset;
	if (!section.rva)
		return true;
	if (!nt_pe_offset(&r2r->pe, section.rva, section.size, &offset) ||
	    !nt_native_table_read(r2r->pe.window, offset, section.size, &table))
		return false;
	hold(r2r, section);
	uint64_t from = offset;
	size_t bytes_left = INSTANCE_BYTES_MAX;
	while (nt_native_table_next(&table, &offset)) {
		if (offset < from)
			return false;
		uint64_t left = table.end - offset;
		size_t size = left < NT_R2R_SIGNATURE_BYTES ? (size_t)left : NT_R2R_SIGNATURE_BYTES;
		const uint8_t *bytes = nt_window_at(r2r->pe.window, offset, size);
		if (!bytes)
			return false;
		struct nt_reader reader = nt_reader_of(bytes, size);
		bool whole = skip_instance(&reader);
		uint32_t function = nt_r2r_function_number(&reader);
		size_t used = size - nt_reader_left(&reader) + 1; /* an entry without a signature is one, too */
		if (used > bytes_left)
			return false;
		bytes_left -= used;
		if (whole && !reader.bad)
			set_owner(r2r, function, NT_R2R_INSTANCE | (section.rva + (uint32_t)(offset - from)));
	}
	return true;
}

bool nt_r2r_table_make(struct nt_r2r *r2r, const struct nt_r2r_sections *sections)
{
	uint32_t size = sections->instance_entries.size, rows = ROWS_MAX;
	if (size > NT_R2R_INSTANCE || sections->instance_entries.rva > NT_R2R_INSTANCE - size)
		return false; /* an RVA would not fit beside the mark */
	bool made = read_functions(r2r) &&
		    (r2r->composite ? add_components(r2r, sections->components, &rows)
				    : add_methods(r2r, sections->method_entries, 0, &rows)) &&
		    add_instances(r2r, sections->instance_entries);
	nt_window_hold(r2r->pe.window, 0, 0);
	return made;
}

/* ---- asking ---- */

/* The method that begins with function `first`, and its funclets. */
static struct nt_r2r_range method_at(const struct nt_r2r *r2r, uint32_t first, uint32_t *behind)
{
	uint32_t next = first + 1;
	while (next < r2r->function_count && next - first < PARTS_MAX && r2r->functions[next].owner == NT_R2R_CONTINUES)
		next++;
	*behind = next;
	return (struct nt_r2r_range){
		.begin = r2r->functions[first].begin, .end = end_of(r2r, next - 1), .owner = r2r->functions[first].owner, .function = first
	};
}

bool nt_r2r_next(const struct nt_r2r *r2r, uint32_t *number, struct nt_r2r_range *out)
{
	while (*number < r2r->function_count && r2r->functions[*number].owner == NT_R2R_CONTINUES)
		++*number; /* only before the first method, and behind the last part that one may have */
	if (*number >= r2r->function_count)
		return false;
	*out = method_at(r2r, *number, number);
	return true;
}

bool nt_r2r_find(const struct nt_r2r *r2r, uint32_t rva, struct nt_r2r_range *out)
{
	/* How many begin at or before it. */
	uint32_t next = (uint32_t)nt_starts32_up_to(r2r->functions, r2r->function_count, sizeof(*r2r->functions), rva);
	uint32_t first = next, parts = 0, behind;
	while (first && parts++ < PARTS_MAX && r2r->functions[--first].owner == NT_R2R_CONTINUES)
		;
	*out = (struct nt_r2r_range){ .end = next < r2r->function_count ? r2r->functions[next].begin : UINT32_MAX };
	if (first)
		out->begin = r2r->functions[next - 1].begin; /* of what is too far from its method to be told whose it is */
	if (!next || r2r->functions[first].owner == NT_R2R_CONTINUES)
		return false;
	struct nt_r2r_range method = method_at(r2r, first, &behind);
	out->begin = method.end;
	if (rva >= method.end)
		return false;
	*out = method;
	return true;
}

bool nt_r2r_unwind(const struct nt_r2r *r2r, uint32_t rva, struct nt_r2r_unwind *out)
{
	enum { INFO_AT = 8, ENTRY_BYTES = 12 };
	uint32_t next = (uint32_t)nt_starts32_up_to(r2r->functions, r2r->function_count, sizeof(*r2r->functions), rva);
	if (!next || r2r->pe.machine != NT_PE_LINUX_AMD64 || r2r->entry_bytes != ENTRY_BYTES)
		return false;
	const uint8_t *bytes = nt_pe_at(&r2r->pe, r2r->runtime_functions.rva + (next - 1) * ENTRY_BYTES, ENTRY_BYTES);
	if (!bytes)
		return false;
	memcpy(&out->info, bytes + INFO_AT, sizeof(out->info));
	out->begin = r2r->functions[next - 1].begin;
	out->end = end_of(r2r, next - 1);
	return rva < out->end;
}
