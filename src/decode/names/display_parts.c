// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/display_parts.h"

struct nt_display_parts nt_display_parts_of(struct nt_slice name)
{
	/* What lies in arguments of types is of other names. Below 0: an operator, or an arrow. */
	int depth = 0;
	size_t dot = SIZE_MAX, end = 0;
	for (; end < name.length && !(name.text[end] == '(' && depth <= 0); end++) {
		char c = name.text[end];
		depth += (c == '<' || c == '[') - (c == '>' || c == ']');
		if (c == '.' && depth <= 0 && end)
			dot = end;
	}
	size_t method = dot == SIZE_MAX ? 0 : dot + 1;
	/* `.ctor` begins with one of its own. */
	if (method > 1 && name.text[method - 2] == '.')
		method = --dot ? dot + 1 : 0;
	return (struct nt_display_parts){
		.type = { name.text, method ? dot : 0 },
		.method = { name.text + method, end - method },
		.args = { name.text + end, name.length - end },
	};
}
