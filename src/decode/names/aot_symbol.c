// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/aot_symbol.h"

#include <string.h>

#define BASE_LIBRARY "S_P_CoreLib_"

/* Where the only two underscores in a row begin that are not in angle brackets; symbol.length when there are none, more, or others. */
static size_t find_border(struct nt_slice symbol)
{
	size_t border = symbol.length, run = 0;
	unsigned depth = 0;
	for (size_t i = 0; i <= symbol.length; i++) {
		char c = i < symbol.length ? symbol.text[i] : '\0';
		if (c == '_' && !depth) {
			run++;
			continue;
		}
		if (run >= 2 && (run > 2 || border != symbol.length))
			return symbol.length;
		if (run == 2)
			border = i - run;
		run = 0;
		depth += c == '<';
		if (c == '>' && !depth--)
			return symbol.length;
	}
	return border && border + 2 < symbol.length ? border : symbol.length;
}

void nt_aot_symbol_put(struct nt_slice symbol, struct nt_text_out *out)
{
	size_t border = find_border(symbol), skipped = strlen(BASE_LIBRARY);
	if (border == symbol.length) {
		nt_text_put(out, symbol.text, symbol.length);
		return;
	}
	if (border <= skipped || memcmp(symbol.text, BASE_LIBRARY, skipped) != 0)
		skipped = 0;
	nt_text_put(out, symbol.text + skipped, border - skipped);
	nt_text_put_word(out, ".");
	nt_text_put(out, symbol.text + border + 2, symbol.length - border - 2);
}
