// SPDX-License-Identifier: GPL-2.0-only
#include "decode/common/setting_line.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_of_a_key(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

static bool has_control(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (((unsigned char)text[i] < ' ' && text[i] != '\t') || text[i] == 127)
			return true;
	return false;
}

/* Where what stands behind the value begins: at a # that is the first sign, or has a blank before it. */
static const char *remark(const char *from, const char *end)
{
	for (const char *at = from; at < end; at++)
		if (*at == '#' && (at == from || is_blank(at[-1])))
			return at;
	return end;
}

static const char *take_value(const char *at, const char *end, struct nt_setting_line *out)
{
	while (at < end && is_blank(*at))
		at++;
	end = remark(at, end);
	while (end > at && is_blank(end[-1]))
		end--;
	out->value = at;
	out->value_length = (size_t)(end - at);
	return NULL;
}

/* Returns what is wrong. */
static const char *take(struct nt_setting_line *out)
{
	const char *at = out->text, *end = out->text + out->length;
	if (out->length > NT_SETTING_LINE_BYTES)
		return "it is longer than 4096 bytes; shorten it";
	if (has_control(out->text, out->length))
		return "it has control characters; take them out";
	while (at < end && is_blank(*at))
		at++;
	if (at == end || *at == '#')
		return NULL;
	const char *key = at;
	while (at < end && is_of_a_key(*at))
		at++;
	size_t length = (size_t)(at - key);
	while (at < end && is_blank(*at))
		at++;
	if (!length || at == end || *at != '=')
		return "it is not `key = value`; put a # before what is a remark";
	out->key = key;
	out->key_length = length;
	return take_value(at + 1, end, out);
}

bool nt_setting_line_next(const char *text, size_t length, size_t *at, struct nt_setting_line *out)
{
	unsigned number = *at ? out->number + 1 : 1;
	if (*at >= length)
		return false;
	const char *line = text + *at, *end = memchr(line, '\n', length - *at);
	*out = (struct nt_setting_line){ .number = number, .text = line, .length = end ? (size_t)(end - line) : length - *at };
	*at += out->length + (end ? 1 : 0);
	if (out->length && line[out->length - 1] == '\r')
		out->length--;
	out->problem = take(out);
	return true;
}
