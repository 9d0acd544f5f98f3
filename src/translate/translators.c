// SPDX-License-Identifier: GPL-2.0-only
/* The list of what nettop opens besides recordings: a line each. */
#include "translate/translator.h"

const struct nt_translator nt_translators[] = {
	{ NULL },
};
