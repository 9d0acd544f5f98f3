// SPDX-License-Identifier: GPL-2.0-only
/* Input: an offset in a function (4 bytes), and its UNWIND_INFO. */
#include "fuzz.h"

#include "decode/unwind/unwind_codes.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t offset, chained;
	struct nt_frame_rule rule;
	if (size < sizeof(offset))
		return 0;
	memcpy(&offset, data, sizeof(offset));
	struct nt_unwind_codes codes = nt_unwind_codes_begin();
	if (!nt_unwind_codes_undo(&codes, data + sizeof(offset), size - sizeof(offset), offset, &chained))
		return 0;
	FUZZ_CHECK(codes.holds_from < codes.holds_to);
	if (nt_unwind_codes_rule(&codes, &rule))
		FUZZ_CHECK(rule.cfa_offset > 0 && rule.cfa_reg < NT_REG_COUNT && rule.saved[NT_REG_PC] == -1);
	return 0;
}
