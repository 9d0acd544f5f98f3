/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lies in memory of an ELF image before the program runs: the bytes of the file, with the relocations that need nothing but the image's address (ELF gABI, "Dynamic Section"; R_X86_64_RELATIVE). So constants of a build are known of a
 * process whose memory lacks them. What the program has changed since is not in it, nor what other images give to it. Pure, of hostile bytes.
 */
#ifndef NT_DECODE_IMAGE_DATA_H
#define NT_DECODE_IMAGE_DATA_H

#include "decode/common/window.h"

enum { NT_IMAGE_DATA_PAGE = 4096 };

/* The page at `address` of an image whose begin is mapped at `base`; both are multiples of the page. False: the image has none there, or has relocations of a form that is not known (DT_RELR). */
bool nt_image_data_page(struct nt_window *file, uint64_t base, uint64_t address, uint8_t page[NT_IMAGE_DATA_PAGE]);

#endif
