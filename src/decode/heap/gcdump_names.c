// SPDX-License-Identifier: GPL-2.0-only
#include "decode/heap/gcdump_names.h"

#include "base/alloc.h"
#include "base/text.h"
#include "decode/names/type_text.h"

#include <ctype.h>
#include <string.h>

static const char static_root[] = "static var ", static_shown[] = "static ", undefined[] = "UNDEFINED", size_mark[] = " (Bytes > ";

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '+' || c == '`' || (unsigned char)c >= 0x80;
}

/* With the words of C# in the place of System.Int32 and its like, and a blank behind each comma between types. */
static void put_words(struct nt_text_out *out, struct nt_slice text)
{
	unsigned depth = 0;
	for (size_t at = 0; at < text.length;) {
		size_t end = at;
		while (end < text.length && is_of_name(text.text[end]))
			end++;
		const struct nt_slice word = { text.text + at, end - at };
		const char *keyword = word.length > 7 && memcmp(word.text, "System.", 7) == 0 ? nt_type_keyword(word) : NULL;
		if (keyword)
			nt_text_put_word(out, keyword);
		else
			nt_text_put(out, word.text, word.length);
		if (end == text.length)
			break;
		char c = text.text[end];
		nt_text_put(out, &c, 1);
		depth += c == '<';
		depth -= c == '>' && depth;
		bool between = c == ',' && depth && end + 1 < text.length && is_of_name(text.text[end + 1]);
		nt_text_put(out, " ", between);
		at = end + 1;
	}
}

static struct nt_slice without_size(struct nt_slice text)
{
	size_t mark = sizeof(size_mark) - 1;
	for (size_t at = text.length; text.length && text.text[text.length - 1] == ')' && at-- > mark;)
		if (at + mark < text.length && memcmp(text.text + at, size_mark, mark) == 0)
			return (struct nt_slice){ text.text, at };
	return text;
}

static bool begins_with(struct nt_slice text, const char *word, size_t length)
{
	return text.length >= length && memcmp(text.text, word, length) == 0;
}

static struct nt_slice trimmed(struct nt_slice text)
{
	while (text.length && text.text[0] == ' ')
		text = (struct nt_slice){ text.text + 1, text.length - 1 };
	while (text.length && text.text[text.length - 1] == ' ')
		text.length--;
	return text;
}

/* Names of types have no blanks, and are written without those that they had here: what is a root without them is one, so that it is one when it is read again. */
static bool is_undefined(struct nt_slice text)
{
	size_t same = 0;
	for (size_t i = 0; i < text.length; i++)
		if (text.text[i] != ' ' && (same == sizeof(undefined) - 1 || text.text[i] != undefined[same++]))
			return false;
	return same == sizeof(undefined) - 1;
}

char *nt_gcdump_type_name(const char *text, size_t length, bool *is_root)
{
	char shown[NT_METHOD_NAME_MAX];
	struct nt_text_out out = { .buf = shown, .size = sizeof(shown) };
	struct nt_slice whole = { text, length < NT_METHOD_NAME_MAX ? length : NT_METHOD_NAME_MAX };
	struct nt_slice name = trimmed(without_size(trimmed(whole)));
	bool in_brackets = name.length >= 2 && name.text[0] == '[' && name.text[name.length - 1] == ']';
	size_t prefix = sizeof(static_root) - 1;
	*is_root = in_brackets || is_undefined(name);
	if (in_brackets)
		name = (struct nt_slice){ name.text + 1, name.length - 2 };
	if (*is_root && begins_with(name, static_root, prefix)) {
		nt_text_put_word(&out, static_shown);
		name = (struct nt_slice){ name.text + prefix, name.length - prefix };
	}
	put_words(&out, name);
	return nt_text_escaped(shown, out.length);
}

bool nt_gcdump_static(const char *root, char **owner, char **field)
{
	size_t prefix = sizeof(static_shown) - 1;
	if (strncmp(root, static_shown, prefix) != 0 || !root[prefix])
		return false;
	const char *name = root + prefix, *dot = strrchr(name, '.');
	bool has_owner = dot && dot != name && dot[1];
	*owner = has_owner ? nt_format("%.*s", (int)(dot - name), name) : NULL;
	*field = nt_strdup(has_owner ? dot + 1 : name);
	return true;
}
