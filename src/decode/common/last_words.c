// SPDX-License-Identifier: GPL-2.0-only
#include "decode/common/last_words.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>
#include <uchar.h>

bool nt_last_words_said(const uint8_t *below, size_t size)
{
	static const char16_t words[] = u"Unhandled exception.";
	return memmem(below, size, words, sizeof(words) - sizeof(words[0])) != NULL;
}

static bool is_of_type(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || (c && strchr("._+`[],<>*&|@$=-", c));
}

/* ` (111)`, ` (0x80004005)` behind the type: an error number, which is part of neither. NULL: something else. */
static char *behind_number(char *at)
{
	if (strncmp(at, " (", 2) != 0)
		return at;
	at += 2;
	while (isalnum((unsigned char)*at) || *at == '-')
		at++;
	return *at == ')' ? at + 1 : NULL;
}

/* The first line that is not of type and message. */
static char *find_stack(char *text)
{
	static const char *const begins[] = { "\n   at ", "\n ---> " };
	char *first = NULL;
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		char *at = strstr(text, begins[i]);
		if (at && (!first || at < first))
			first = at;
	}
	return first;
}

/* Take the spaces away that lines begin with; carriage returns, too. */
static void straighten(char *lines)
{
	char *to = lines;
	bool begins = true;
	for (const char *from = lines; *from; from++) {
		if (*from == '\r' || (begins && *from == ' '))
			continue;
		begins = *from == '\n';
		*to++ = *from;
	}
	while (to > lines && to[-1] == '\n')
		to--;
	*to = '\0';
}

bool nt_last_words_parse(const uint8_t *utf16, size_t units, bool whole, struct nt_last_words *out)
{
	nt_utf16_to_utf8(utf16, units, out->text, sizeof(out->text));
	char *end = out->text;
	while (is_of_type(*end))
		end++;
	char *stack = find_stack(out->text), *rest = behind_number(end);
	bool has_message = rest && strncmp(rest, ": ", 2) == 0;
	bool cut = !stack && !whole;
	if (end == out->text || (!stack && !cut) || !rest || (!has_message && (cut || rest != stack)))
		return false;
	*end = '\0';
	out->type = out->text;
	if (cut && !strchr(out->type, '.'))
		return false; /* any text may begin with a word and a colon */
	out->message = has_message ? rest + 2 : NULL;
	out->stack = NULL;
	if (stack) {
		*stack = '\0';
		straighten(stack + 1);
		out->stack = stack + 1;
	}
	if (out->message && !*out->message)
		out->message = NULL;
	return true;
}

bool nt_last_words_is_type(const char *text)
{
	static const char suffix[] = "Exception";
	size_t length = strlen(text), least = sizeof(suffix) - 1;
	for (const char *at = text; *at; at++)
		if (!is_of_type(*at))
			return false;
	return length > least && strcmp(text + length - least, suffix) == 0 && strchr(text, '.');
}
