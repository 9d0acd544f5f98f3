/* SPDX-License-Identifier: GPL-2.0-only */
/* With what a program was started, as a report says it. */
#ifndef NT_APP_REPORT_SETTINGS_H
#define NT_APP_REPORT_SETTINGS_H

#include "output/jit/jit_report.h"
#include "target/process/target.h"

/*
 * Its settings alone, sorted: the caller's, for nt_jit_report_free(). What may be a secret has no value. Without a target nothing is known; of one that has ended its
 * variables are, as they were read when it lived. May wait for the
 * target's files (target/process/runtime_config_file.h).
 */
struct nt_jit_report *nt_report_settings(const struct nt_target *target);

#endif
