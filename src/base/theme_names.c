// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/theme_name.h"

#include <string.h>

static const struct {
	const char *name, *words;
} themes[NT_THEME_COUNT] = {
	[NT_THEME_AUTO] = { "auto", "dark or light, as the terminal says of its background; without colours where NO_COLOR is set" },
	[NT_THEME_DARK] = { "dark", "for a dark background" },
	[NT_THEME_LIGHT] = { "light", "for a light background" },
	[NT_THEME_CONTRAST] = { "contrast", "the strongest contrasts, and nothing dim" },
	[NT_THEME_TERMINAL] = { "terminal", "the terminal's own 16 colours" },
	[NT_THEME_MONO] = { "mono", "no colours: bold, dim, underlined, reversed" },
};

const char *nt_theme_name(unsigned theme)
{
	return themes[theme < NT_THEME_COUNT ? theme : NT_THEME_AUTO].name;
}

const char *nt_theme_words(unsigned theme)
{
	return themes[theme < NT_THEME_COUNT ? theme : NT_THEME_AUTO].words;
}

enum nt_status nt_theme_parse(const char *name, enum nt_theme *out, struct nt_error *err)
{
	for (unsigned i = 0; i < NT_THEME_COUNT; i++)
		if (strcmp(name, themes[i].name) == 0) {
			*out = (enum nt_theme)i;
			return NT_OK;
		}
	return nt_error_set(err, NT_ERR_USAGE, "'%s' is no theme; say auto, dark, light, contrast, terminal or mono", name);
}
