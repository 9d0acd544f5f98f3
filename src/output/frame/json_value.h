/* SPDX-License-Identifier: GPL-2.0-only */
/* Values as JSON: unknown is null, never 0; texts of the target are made safe. New references. */
#ifndef NT_OUTPUT_JSON_VALUE_H
#define NT_OUTPUT_JSON_VALUE_H

#include <jansson.h>
#include <stdio.h>

#include "nettop/column.h"

json_t *nt_json_u64(struct nt_u64 value);
json_t *nt_json_f64(struct nt_f64 value);

/* Text of the target may hold any bytes: valid UTF-8 without control characters is made of it. NULL gives null. */
json_t *nt_json_text(const char *text);

/* Such a text, written as it goes: for what is too long to be made as a value first. */
void nt_json_put_text(FILE *out, const char *text);

/* The same as nt_json_text(); "" gives null, too: there is none. */
json_t *nt_json_text_if_any(const char *text);

/* As the unit says; never of a trend. */
json_t *nt_json_cell(enum nt_unit unit, struct nt_cell cell);

#endif
