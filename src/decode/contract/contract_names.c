// SPDX-License-Identifier: GPL-2.0-only
/* Bits and kinds are those of the runtime's contract RuntimeTypeSystem, version 1. */
#include "decode/contract/contract_names.h"

#include "base/text.h"
#include "decode/assembly/metadata_method.h"
#include "decode/assembly/signature.h"
#include "decode/contract/contract_tiers.h"
#include "decode/contract/contract_types.h"

#include <string.h>

enum {
	KIND_MASK = 7, /* of MethodDesc.Flags */
	KIND_ARRAY = 4,
	KIND_INSTANCE = 5,
	KIND_DYNAMIC = 7,
	REST_BITS_MAX = 16, /* of a token, that stand in a MethodDesc */
	RANGE_MASK = 0xfff,
	ALIGNMENT_MAX = 64,
	ARGUMENTS_MAX = 256,
	DYNAMIC_NAME_MAX = 1024,
	DYNAMIC_SIGNATURE_MAX = 1024,
};

/* A MethodDesc. */
struct method {
	uint64_t address, table, module;
	unsigned kind;
	uint32_t rid; /* row of MethodDef */
};

/* It lies in a chunk with others of its type, and says how far from the begin. */
static bool read_method(const struct nt_contract *contract, uint64_t address, struct method *out)
{
	bool bad = false;
	uint64_t alignment = contract->layout.globals[NT_GLOBAL_METHOD_ALIGNMENT], bits = contract->layout.globals[NT_GLOBAL_TOKEN_BITS];
	if (!alignment || alignment > ALIGNMENT_MAX || !bits || bits > REST_BITS_MAX)
		return false;
	uint64_t index = nt_memory_u8(contract->memory, nt_contract_place(contract, address, NT_OFF_METHOD_CHUNK_INDEX), &bad);
	uint64_t chunk = address - index * alignment - contract->layout.offsets[NT_OFF_CHUNK_SIZE];
	uint32_t rest = nt_contract_u16(contract, address, NT_OFF_METHOD_TOKEN, &bad) & ((UINT32_C(1) << bits) - 1);
	uint32_t range = nt_contract_u16(contract, chunk, NT_OFF_CHUNK_TOKEN, &bad) & RANGE_MASK;
	*out = (struct method){ .address = address, .rid = range << bits | rest };
	out->kind = nt_contract_u16(contract, address, NT_OFF_METHOD_FLAGS, &bad) & KIND_MASK;
	out->table = nt_contract_u64(contract, chunk, NT_OFF_CHUNK_TABLE, &bad);
	out->module = nt_contract_u64(contract, out->table, NT_OFF_TABLE_MODULE, &bad);
	return !bad;
}

/* Up to the NUL, byte by byte: what lies behind may not be readable. */
static bool put_text_at(struct nt_memory *memory, uint64_t address, struct nt_text_out *out)
{
	bool bad = false;
	for (unsigned i = 0; i < DYNAMIC_NAME_MAX && !bad; i++) {
		char byte = (char)nt_memory_u8(memory, address + i, &bad);
		if (!byte)
			return !bad && i;
		nt_text_put(out, &byte, 1);
	}
	return false;
}

static void put_handle(void *context, uint64_t handle, struct nt_text_out *out)
{
	nt_contract_put_type(context, handle, out);
}

/* What it returns, and its arguments, which name types by where they are in memory. False: that is not described, or cannot be read. */
static bool put_dynamic_signature(struct nt_contract_modules *modules, const struct method *method, struct nt_text_out *returns,
				  struct nt_text_out *arguments)
{
	const struct nt_contract *contract = modules->contract;
	uint8_t bytes[DYNAMIC_SIGNATURE_MAX];
	bool bad = !contract->layout.has[NT_CONTRACT_SIGNATURES];
	uint64_t at = bad ? 0 : nt_contract_u64(contract, method->address, NT_OFF_STORED_SIGNATURE, &bad);
	uint32_t size = bad ? 0 : nt_contract_u32(contract, method->address, NT_OFF_STORED_SIGNATURE_BYTES, &bad), count;
	if (bad || !size || size > sizeof(bytes) || !nt_memory_read(contract->memory, at, bytes, size))
		return false;
	const struct nt_signature_handles handles = { .put = put_handle, .context = modules };
	struct nt_signature signature = { .reader = nt_reader_of(bytes, size), .handles = &handles, .out = returns };
	if (!nt_signature_put_return(&signature, &count))
		return false;
	signature.out = arguments;
	return nt_signature_put_arguments(&signature, count);
}

/* It belongs to no type, and its signature is none that metadata have. The assembly is the one that it was made for. */
static bool put_dynamic(struct nt_contract_modules *modules, const struct method *method, struct nt_text_out *out)
{
	char returns_text[NT_CONTRACT_NAME_MAX], arguments_text[NT_CONTRACT_NAME_MAX];
	struct nt_text_out returns = { .buf = returns_text, .size = sizeof(returns_text) };
	struct nt_text_out arguments = { .buf = arguments_text, .size = sizeof(arguments_text) };
	const struct nt_contract *contract = modules->contract;
	char assembly[NT_METADATA_NAME_BYTES] = "?";
	bool bad = false;
	uint64_t name = nt_contract_u64(contract, method->address, NT_OFF_DYNAMIC_NAME, &bad);
	const struct nt_metadata *metadata = nt_contract_metadata(modules, method->module);
	if (metadata)
		nt_metadata_assembly(metadata, assembly, sizeof(assembly));
	bool told = put_dynamic_signature(modules, method, &returns, &arguments);
	if (told)
		nt_text_put(out, returns.buf, returns.length);
	nt_text_put_word(out, told ? " [" : "? [");
	nt_text_put_word(out, assembly);
	nt_text_put_word(out, "] dynamicClass::");
	if (bad || !put_text_at(contract->memory, name, out))
		return false;
	nt_text_put_word(out, "(");
	nt_text_put(out, told ? arguments.buf : "?", told ? arguments.length : 1);
	nt_text_put_word(out, ")");
	return true;
}

static void put_method_arguments(struct nt_contract_modules *modules, const struct method *method, struct nt_text_out *out)
{
	bool bad = false;
	uint64_t handles = nt_contract_u64(modules->contract, method->address, NT_OFF_INSTANCE_ARGUMENTS, &bad);
	uint16_t count = nt_contract_u16(modules->contract, method->address, NT_OFF_INSTANCE_ARGUMENT_COUNT, &bad);
	if (!bad && count && count <= ARGUMENTS_MAX)
		nt_contract_put_arguments(modules, handles, count, out);
}

static bool put_method(struct nt_contract_modules *modules, const struct method *method, struct nt_text_out *out)
{
	char type_text[NT_CONTRACT_NAME_MAX], arguments_text[NT_CONTRACT_NAME_MAX];
	struct nt_text_out type = { .buf = type_text, .size = sizeof(type_text) };
	struct nt_text_out arguments = { .buf = arguments_text, .size = sizeof(arguments_text) };
	if (method->kind == KIND_DYNAMIC)
		return put_dynamic(modules, method, out);
	if (method->kind == KIND_ARRAY) /* of which there are no metadata */
		return false;
	nt_contract_put_type(modules, method->table, &type);
	if (method->kind == KIND_INSTANCE)
		put_method_arguments(modules, method, &arguments);
	const struct nt_metadata *metadata = nt_contract_metadata(modules, method->module);
	return metadata &&
	       nt_metadata_put_instance(metadata, method->rid, &type, (struct nt_slice){ arguments_text, arguments.length }, out);
}

static enum nt_contract_naming look(struct nt_contract_modules *modules, uint64_t address, struct nt_contract_name *out)
{
	char text[NT_CONTRACT_NAME_MAX];
	struct nt_text_out raw = { .buf = text, .size = sizeof(text) };
	struct method method;
	out->tier = NT_TIER_UNKNOWN;
	out->text[0] = '\0';
	out->length = 0;
	if (!nt_contract_code_at(modules->contract, address, &out->code))
		return NT_CONTRACT_NO_CODE;
	if (out->code.kind == NT_CONTRACT_STUB)
		return NT_CONTRACT_NAME_STUB;
	if (!out->code.method || !read_method(modules->contract, out->code.method, &method) || !put_method(modules, &method, &raw))
		return NT_CONTRACT_NAMELESS;
	out->length = nt_text_escape(text, raw.length, out->text, sizeof(out->text));
	out->tier = nt_contract_tier(modules->contract, &out->code, method.kind == KIND_DYNAMIC);
	return NT_CONTRACT_NAMED;
}

static bool is_same(const struct nt_contract_name *a, const struct nt_contract_name *b)
{
	return a->code.start == b->code.start && a->code.size == b->code.size && a->code.method == b->code.method &&
	       a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

enum nt_contract_naming nt_contract_name_at(struct nt_contract_modules *modules, uint64_t address, struct nt_contract_name *out)
{
	const struct nt_code_section *section = nt_contract_section_at(modules->contract, address);
	bool may_go = section && section->flags & NT_SECTION_COLLECTIBLE;
	if (may_go)
		nt_memory_forget(modules->contract->memory);
	enum nt_contract_naming result = look(modules, address, out);
	if (!may_go || result != NT_CONTRACT_NAMED)
		return result;
	struct nt_contract_name second;
	nt_memory_forget(modules->contract->memory);
	return look(modules, address, &second) == NT_CONTRACT_NAMED && is_same(out, &second) ? NT_CONTRACT_NAMED : NT_CONTRACT_CHANGED;
}
