// SPDX-License-Identifier: GPL-2.0-only
/*
 * A method has a list of versions of its code but for the first one, and each says its tier. That field the runtime does not describe, so it is read only where the ones around it
 * lie as they do in .NET 10 (NativeCodeVersionNode of the runtime's codeversion.h).
 */
#include "decode/contract/contract_tiers.h"

enum {
	VERSIONS_MAX = 1000,
	TIER_AT = 36, /* in a version */
	NEXT_AT = 24, /* and where the fields lie then that are described */
	FLAGS_AT = 52,
	IL_AT = 16,
	MAY_BE_TIERED = 0x8000, /* of MethodDesc.Flags3AndTokenRemainder */
};

/* NativeCodeVersion::OptimizationTier. */
static enum nt_tier tier_of(uint32_t said)
{
	static const enum nt_tier tiers[] = {
		NT_TIER_0, NT_TIER_1, NT_TIER_OSR, NT_TIER_OPTIMIZED, NT_TIER_INSTRUMENTED, NT_TIER_INSTRUMENTED_OPT
	};
	return said < sizeof(tiers) / sizeof(tiers[0]) ? tiers[said] : NT_TIER_UNKNOWN;
}

static bool is_known(const struct nt_layout *layout)
{
	return layout->has[NT_CONTRACT_TIERS] && layout->offsets[NT_OFF_VERSION_CODE] == 0 &&
	       layout->offsets[NT_OFF_VERSION_NEXT] == NEXT_AT && layout->offsets[NT_OFF_VERSION_IL] == IL_AT &&
	       layout->offsets[NT_OFF_VERSION_FLAGS] == FLAGS_AT;
}

enum nt_tier nt_contract_tier(const struct nt_contract *contract, const struct nt_contract_code *code, bool dynamic)
{
	if (code->kind != NT_CONTRACT_JIT || !is_known(&contract->layout))
		return NT_TIER_UNKNOWN;
	if (dynamic)
		return NT_TIER_OPTIMIZED;
	bool bad = false;
	uint64_t data = nt_contract_u64(contract, code->method, NT_OFF_METHOD_CODE, &bad);
	uint64_t versions = data ? nt_contract_u64(contract, data, NT_OFF_CODE_VERSIONS, &bad) : 0;
	uint64_t version = versions ? nt_contract_u64(contract, versions, NT_OFF_VERSIONS_FIRST, &bad) : 0;
	for (unsigned i = 0; version && !bad; i++) {
		if (i == VERSIONS_MAX)
			return NT_TIER_UNKNOWN;
		if (nt_contract_u64(contract, version, NT_OFF_VERSION_CODE, &bad) == code->start) {
			uint32_t tier = nt_memory_u32(contract->memory, version + TIER_AT, &bad);
			return bad ? NT_TIER_UNKNOWN : tier_of(tier);
		}
		version = nt_contract_u64(contract, version, NT_OFF_VERSION_NEXT, &bad);
	}
	uint16_t flags = nt_contract_u16(contract, code->method, NT_OFF_METHOD_TOKEN, &bad);
	if (bad)
		return NT_TIER_UNKNOWN;
	return flags & MAY_BE_TIERED ? NT_TIER_0 : NT_TIER_OPTIMIZED;
}
