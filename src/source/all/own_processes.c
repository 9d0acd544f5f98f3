// SPDX-License-Identifier: GPL-2.0-only
#include "source/all/own_processes.h"

#include "source/contract/reader_process.h"
#include "source/core/core_process.h"
#include "source/decoder/decoder_process.h"

bool nt_own_process_served(int argc, char **argv, int *status)
{
	if (nt_decoder_is_meant(argc, argv))
		*status = nt_decoder_serve(argv[1]);
	else if (nt_reader_is_meant(argc, argv))
		*status = nt_reader_serve();
	else if (nt_core_is_meant(argc, argv))
		*status = nt_core_serve();
	else
		return false;
	return true;
}
