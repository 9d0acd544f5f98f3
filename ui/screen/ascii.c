// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/ascii.h"

#include "base/text.h"

#include <string.h>

char nt_ascii_of(const char *text)
{
	/* Screens, principles 5 and 10. */
	static const struct {
		uint32_t code;
		char ascii;
	} signs[] = {
		{ 0x2500, '-' }, /* ─ */
		{ 0x2502, '|' }, /* │ */
		{ 0x251c, '+' }, /* ├ */
		{ 0x2514, '+' }, /* └ */
		{ 0x2026, '$' }, /* … */
		{ 0x2193, 'v' }, /* ↓ */
		{ 0x2191, '^' }, /* ↑ */
		{ 0x2192, '>' }, /* → */
		{ 0x25cf, '*' }, /* ● */
		{ 0x25cb, 'o' }, /* ○ */
		{ 0x00b7, '.' }, /* · */
		{ 0x2591, '.' }, /* ░ */
		{ 0x2592, ':' }, /* ▒ */
		{ 0x2593, '+' }, /* ▓ */
	};
	static const char spark[] = "_.-:=+*#"; /* ▁, which is a measured 0 and _ already, to █ */
	uint32_t code;
	if (!*text)
		return ' ';
	nt_utf8_decode(text, strlen(text), &code);
	if (code < 0x80)
		return (char)code;
	if (code >= 0x2581 && code <= 0x2588)
		return spark[code - 0x2581];
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (signs[i].code == code)
			return signs[i].ascii;
	return '?';
}
