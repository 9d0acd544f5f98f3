// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/type_names.h"

#include "decode/names/type_name.h"

const char *nt_type_names_keep(const struct nt_names *names, const char *raw, size_t length)
{
	char shown[NT_METHOD_NAME_MAX];
	size_t shown_length = nt_type_name_show((struct nt_slice){ raw, length }, shown, sizeof(shown));
	return nt_texts_intern(names->texts, shown, shown_length);
}
