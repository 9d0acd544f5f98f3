// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/dotnet_number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits that any double is told by; from how many on, before the point and after it, .NET writes an exponent. */
enum { DIGITS = 17, MOST_BEFORE = 15, MOST_ZEROS = 4 };

/* nettop's locale writes a point: it sets only LC_CTYPE and LC_TIME. */
static void shortest(double value, char *out, size_t size)
{
	for (int digits = 1; digits <= DIGITS; digits++) {
		snprintf(out, size, "%.*e", digits - 1, value);
		if (strtod(out, NULL) == value)
			return;
	}
}

const char *nt_dotnet_number(double value, char out[NT_DOTNET_NUMBER_BYTES])
{
	char form[NT_DOTNET_NUMBER_BYTES - 12];
	shortest(value, form, sizeof(form));
	char *mark = strchr(form, 'e');
	int exponent = mark ? atoi(mark + 1) : 0;
	int digits = mark ? (int)(mark - form) - (*form == '-') - (strchr(form, '.') != NULL) : 1;
	if (exponent >= MOST_BEFORE || exponent < -MOST_ZEROS) {
		if (mark)
			*mark = '\0';
		snprintf(out, NT_DOTNET_NUMBER_BYTES, "%sE%c%02d", form, exponent < 0 ? '-' : '+', abs(exponent));
	} else {
		snprintf(out, NT_DOTNET_NUMBER_BYTES, "%.*f", digits - 1 > exponent ? digits - 1 - exponent : 0, value);
	}
	return out;
}
