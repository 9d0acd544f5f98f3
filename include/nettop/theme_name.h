/* SPDX-License-Identifier: GPL-2.0-only */
/* In which colours a screen is shown. */
#ifndef NETTOP_THEME_NAME_H
#define NETTOP_THEME_NAME_H

#include "nettop/status.h"

enum nt_theme {
	NT_THEME_AUTO, /* as the terminal's background is, where the terminal says what it is */
	NT_THEME_DARK,
	NT_THEME_LIGHT,
	NT_THEME_CONTRAST,
	NT_THEME_TERMINAL,
	NT_THEME_MONO,
	NT_THEME_COUNT
};

/* A word in lower case, as --theme has it, and what it is, for people. Never NULL; of a value out of range those of the first. */
const char *nt_theme_name(unsigned theme);
const char *nt_theme_words(unsigned theme);

/* The theme of that name. USAGE when there is none, with those that there are in `err`. */
enum nt_status nt_theme_parse(const char *name, enum nt_theme *out, struct nt_error *err);

#endif
