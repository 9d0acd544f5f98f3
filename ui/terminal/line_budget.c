// SPDX-License-Identifier: GPL-2.0-only
#include "ui/terminal/line_budget.h"

#include <string.h>

/* The most that an xterm takes to send the cursor somewhere, to change the look (all off, bold, underlined, two colours of 256), and to put that back. */
enum { MOVE_BYTES = 12, LOOK_BYTES = 36, BACK_BYTES = 16 };

void nt_line_budget_pass(struct nt_line_budget *budget, nt_time now)
{
	if (budget->at && now > budget->at)
		budget->bytes += (double)(now - budget->at) / (double)NT_NS_PER_S * NT_LINE_RATE;
	if (budget->bytes > NT_LINE_SAVED_BYTES)
		budget->bytes = NT_LINE_SAVED_BYTES;
	budget->at = now;
}

int nt_line_budget_take(struct nt_line_budget *budget, const struct nt_grid_cell *row, int from, int to, bool ascii)
{
	double cost = MOVE_BYTES, back = 0, spent = 0;
	int end = from;
	for (int x = from, style = NT_STYLE_PLAIN; x < to; x++) {
		/* The second cell of a wide character is sent with its first. */
		if (row[x].width) {
			cost += (ascii ? 1 : strlen(row[x].text)) + (row[x].style != style ? LOOK_BYTES : 0);
			style = row[x].style;
			back = style == NT_STYLE_PLAIN ? back : BACK_BYTES;
		}
		if (cost + back > budget->bytes)
			break;
		if (x + 1 < to && !row[x + 1].width)
			continue;
		end = x + 1;
		spent = cost + back;
	}
	budget->bytes -= spent;
	return end;
}
