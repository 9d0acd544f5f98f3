// SPDX-License-Identifier: GPL-2.0-only
/* The list of what nettop opens besides recordings: a line each. */
#include "translate/ctf_folder.h"
#include "translate/gcdump_file.h"
#include "translate/nettrace_translate.h"
#include "translate/translator.h"

const struct nt_translator nt_translators[] = {
	{ "an LTTng folder", NULL, nt_ctf_folder_translate, .prepare = nt_ctf_folder_prepare },
	{ "a .nettrace file", nt_nettrace_is, nt_nettrace_translate, NULL },
	{ "a .gcdump file", nt_gcdump_file_is, nt_gcdump_file_translate, NULL },
	{ NULL },
};
