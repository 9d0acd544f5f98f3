// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/leave.h"

unsigned nt_leave_overlay(struct nt_ui *ui)
{
	enum nt_overlay left = ui->overlay;
	ui->overlay = NT_OVERLAY_NONE;
	ui->page_top = 0;
	return left == NT_OVERLAY_HEAP ? NT_UI_HEAP_END : left == NT_OVERLAY_DUMP ? NT_UI_DUMP_LEFT : 0;
}
