// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/type_names.h"

#include "base/hash.h"
#include "decode/names/type_name.h"

#include <string.h>

const char *nt_type_names_keep(const struct nt_names *names, const char *raw, size_t length)
{
	char shown[NT_METHOD_NAME_MAX];
	size_t shown_length = nt_type_name_show((struct nt_slice){ raw, length }, shown, sizeof(shown));
	return nt_texts_intern(names->texts, shown, shown_length);
}

static size_t arguments_at(const char *raw, size_t length)
{
	const char *open = memchr(raw, '[', length);
	return open ? (size_t)(open - raw) : length;
}

bool nt_type_names_may_be_within(const char *raw, size_t length)
{
	return !memchr(raw, '.', arguments_at(raw, length));
}

uint64_t nt_type_names_own(const char *raw, size_t length)
{
	size_t end = arguments_at(raw, length), begin = end;
	while (begin && raw[begin - 1] != '+')
		begin--;
	return end > begin ? nt_hash_bytes(raw + begin, end - begin) : 0;
}
