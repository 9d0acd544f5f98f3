// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_nine.h"

/* What is described; one that lies elsewhere, and it is another runtime. */
static const struct {
	const char *type, *field;
	json_int_t offset;
} described[] = {
	{ "Module", "Assembly", 312 },
	{ "Module", "Base", 288 },
	{ "Module", "LoaderAllocator", 248 },
	{ "Module", "ThunkHeap", 1032 },
	{ "Module", "DynamicMetadata", 1120 },
	{ "Module", "Path", 272 },
	{ "Module", "MethodDefToDescMap", 656 },
	{ "Module", "TypeDefToMethodTableMap", 624 },
	{ "MethodDesc", "Flags3AndTokenRemainder", 0 },
	{ "MethodDesc", "ChunkIndex", 2 },
	{ "MethodDesc", "Flags", 6 },
	{ "MethodDescChunk", "!", 24 },
	{ "StoredSigMethodDesc", "Sig", 16 },
	{ "MethodTable", "PerInstInfo", 48 },
	{ "GenericsDictInfo", "NumTypeArgs", 6 },
	{ "Thread", "OSId", 296 },
	{ "Thread", "LinkNext", 112 },
};

static const struct {
	enum nt_layout_field field;
	uint32_t offset;
} offsets[] = {
	{ NT_OFF_FRAGMENT_NEXT, 0 },     { NT_OFF_FRAGMENT_BEGIN, 8 },     { NT_OFF_FRAGMENT_END, 16 },
	{ NT_OFF_FRAGMENT_SECTION, 24 }, { NT_OFF_SECTION_BEGIN, 0 },      { NT_OFF_SECTION_END, 8 },
	{ NT_OFF_SECTION_FLAGS, 16 },    { NT_OFF_SECTION_MODULE, 32 },    { NT_OFF_SECTION_HEAP, 40 },
	{ NT_OFF_HEAP_START, 16 },       { NT_OFF_HEAP_END, 24 },          { NT_OFF_HEAP_MAP_BASE, 32 },
	{ NT_OFF_HEAP_MAP, 40 },         { NT_OFF_HEADER_METHOD, 24 },     { NT_OFF_HEADER_UNWIND_COUNT, 32 },
	{ NT_OFF_HEADER_UNWIND, 36 },    { NT_OFF_FUNCTION_BEGIN, 0 },     { NT_OFF_FUNCTION_END, 4 },
	{ NT_OFF_FUNCTION_UNWIND, 8 },   { NT_OFF_FUNCTION_SIZE, 12 },     { NT_OFF_MODULE_R2R, 984 },
	{ NT_OFF_R2R_COMPOSITE, 40 },    { NT_OFF_R2R_FUNCTIONS, 80 },     { NT_OFF_R2R_FUNCTION_COUNT, 88 },
	{ NT_OFF_R2R_THUNKS, 112 },      { NT_OFF_R2R_ENTRY_POINTS, 432 }, { NT_OFF_DIRECTORY_ADDRESS, 0 },
	{ NT_OFF_DIRECTORY_SIZE, 4 },    { NT_OFF_HASH_BUCKETS, 16 },      { NT_OFF_DICTIONARY_COUNT, 4 },
	{ NT_OFF_MODULE_FILE, 280 },     { NT_OFF_FILE_IMAGE, 8 },         { NT_OFF_IMAGE_LAYOUT, 120 },
	{ NT_OFF_LAYOUT_BASE, 8 },       { NT_OFF_LAYOUT_SIZE, 16 },       { NT_OFF_LAYOUT_FLAGS, 20 },
	{ NT_OFF_METHOD_CODE, 8 },       { NT_OFF_CODE_VERSIONS, 0 },      { NT_OFF_VERSIONS_FIRST, 16 },
	{ NT_OFF_VERSION_CODE, 0 },      { NT_OFF_VERSION_IL, 16 },        { NT_OFF_VERSION_NEXT, 24 },
	{ NT_OFF_VERSION_FLAGS, 52 },
};

bool nt_contract_is_nine(const json_t *root)
{
	const json_t *contracts = json_object_get(root, "contracts"), *types = json_object_get(root, "types");
	bool same = json_object_get(contracts, "RuntimeTypeSystem") && !json_object_get(contracts, "ExecutionManager");
	for (size_t i = 0; i < sizeof(described) / sizeof(described[0]) && same; i++) {
		const json_t *said = json_object_get(json_object_get(types, described[i].type), described[i].field);
		said = json_is_array(said) ? json_array_get(said, 0) : said;
		same = json_is_integer(said) && json_integer_value(said) == described[i].offset;
	}
	return same;
}

bool nt_contract_nine_version(enum nt_contract_feature feature, uint64_t *out)
{
	*out = 1; /* of the map of code: the linear one */
	return feature == NT_CONTRACT_CODE || feature == NT_CONTRACT_TIERS;
}

bool nt_contract_nine_offset(enum nt_layout_field field, uint32_t *out)
{
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		if (offsets[i].field == field) {
			*out = offsets[i].offset;
			return true;
		}
	return false;
}

bool nt_contract_nine_global(enum nt_layout_global global, uint64_t code_ranges, uint64_t *out)
{
	switch (global) {
	case NT_GLOBAL_RANGE_MAP:
		*out = code_ranges;
		return true;
	case NT_GLOBAL_STUB_KIND_LAST:
		*out = 15;
		return true;
	case NT_GLOBAL_HASH_VALUE_MASK:
		*out = INT64_MAX;
		return true;
	default:
		return false;
	}
}
