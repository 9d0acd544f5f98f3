/* SPDX-License-Identifier: GPL-2.0-only */
/* What an option can be, where that is one of some words. */
#ifndef NT_APP_OPTION_WORDS_H
#define NT_APP_OPTION_WORDS_H

#include "app/common/options.h"

/* The words of this command's option, with blanks between them; NULL: it can be anything. */
const char *nt_option_words(enum nt_command command, const char *name);

#endif
