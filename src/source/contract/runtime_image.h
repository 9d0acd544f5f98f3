/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of the images in a process's memory describes its runtime's data. */
#ifndef NT_SOURCE_RUNTIME_IMAGE_H
#define NT_SOURCE_RUNTIME_IMAGE_H

#include "decode/contract/contract.h"

/* libcoreclr.so, else (a single file) whichever has it, by the list of mappings (/proc/PID/maps) that `maps` is open at. As nt_contract_open(). */
enum nt_descriptor_result nt_runtime_image_open(struct nt_contract *contract, struct nt_memory *memory, int maps);

#endif
