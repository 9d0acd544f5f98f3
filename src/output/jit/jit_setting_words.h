/* SPDX-License-Identifier: GPL-2.0-only */
/* What a setting of the runtime means, whether a variable or a runtimeconfig.json says it. */
#ifndef NT_OUTPUT_JIT_SETTING_WORDS_H
#define NT_OUTPUT_JIT_SETTING_WORDS_H

#include "output/jit/jit_report.h"

/* In words, when it is in force, decides how much is compiled, and is not as it would be by itself; else NULL. A constant. */
const char *nt_jit_setting_words(const struct nt_jit_setting *setting);

/* Is in force in both what means the same? DOTNET_TieredCompilation=0 and System.Runtime.TieredCompilation=false do. Those of files count where both files were
   read. */
bool nt_jit_same_settings(const struct nt_jit_report *x, const struct nt_jit_report *y);

#endif
