// SPDX-License-Identifier: GPL-2.0-only
#ifndef EMIT_H
#define EMIT_H

// Emit so many events of a kind. Found by dlsym().
void emit_one_field(int count);
void emit_ten_fields(int count);

#endif
