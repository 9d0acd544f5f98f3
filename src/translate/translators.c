// SPDX-License-Identifier: GPL-2.0-only
/* The list of what nettop opens besides recordings: a line each. */
#include "translate/ctf_folder.h"
#include "translate/gcdump_file.h"
#include "translate/nettrace_translate.h"
#include "translate/perf_data_translator.h"
#include "translate/translator.h"

const struct nt_translator nt_translators[] = {
	{ .what = "an LTTng folder", .translate = nt_ctf_folder_translate, .prepare = nt_ctf_folder_prepare },
	{ .what = "a .nettrace file", .recognises = nt_nettrace_is, .translate = nt_nettrace_translate },
	{ .what = "a .gcdump file", .recognises = nt_gcdump_file_is, .translate = nt_gcdump_file_translate },
	{ .what = "a file of perf record",
	  .recognises = nt_perf_data_is_meant,
	  .chooses = true,
	  .takes_names = true,
	  .translate = nt_perf_data_translate },
	{ NULL },
};
