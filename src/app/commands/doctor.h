/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/commands: completion, config, core, diff, doctor, dump, env, events, export, heap, jit, map, record, replay, report, serve, stacks, symbols, threads. */
/* `nettop doctor`: what is missing for a full screen, and the least command or variable that brings it. */
#ifndef NT_APP_DOCTOR_H
#define NT_APP_DOCTOR_H

#include "app/common/options.h"
#include "target/needs/prerequisites.h"

/* Writes to standard output. Returns the exit status: 0 when the screen will be complete, 3 when not, others with the reason in *err. */
int nt_doctor_run(const struct nt_options *options, struct nt_error *err);

/* The verdicts of all prerequisites that apply, as text lines or as JSON. Returns whether all that the screen depends on is ok. */
bool nt_doctor_print(const struct nt_facts *facts, FILE *out);
bool nt_doctor_print_json(const struct nt_facts *facts, FILE *out);

#endif
