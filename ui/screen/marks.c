// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/marks.h"

const struct nt_mark nt_marks[] = {
	{ "!", "Out of its range: a tile, a row. The line below the tiles says the worst of it in a sentence, and the key that shows it." },
	{ "(+1)", "So many more findings: ! goes to the row of it, ! again to the next." },
	{ "No ...", "No finding: for how long, and what nobody could look at." },
	{ "blank", "Not known, and never 0; a tile says why." },
	{ "~  >", "An estimate; at least so much: something was lost, or seen in part." },
	{ ".  dim", "It has ended; it is idle, or was not told of lately." },
	{ "● ○ ·", "A source delivers; it cannot, see 0; it is not wanted. ASCII: * o ." },
	{ "▁▄█", "A cell an interval, the newest right. A full one is what the title says (0..500M); of a tile the largest, or what would "
		 "be much." },
};
const size_t nt_mark_count = sizeof(nt_marks) / sizeof(nt_marks[0]);
