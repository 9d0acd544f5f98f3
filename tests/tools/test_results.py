#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The writer of doc/RESULTS.md: what was measured again is replaced, what was not stays."""
import unittest

from results import replace

TABLE = "| decoder | inputs | on |\n|---|---|---|\n"
OLD = (f"# Results\n\n<!-- make fuzz: begin -->\n\nof the first run\n\n{TABLE}| clr | 1 | Monday |\n| gone | 2 | Monday |\n| text | 3 | Monday |\n\n<!-- make fuzz: end -->\n\n"
       f"<!-- make fuzz-long: begin -->\n\n{TABLE}| text | 9 | Sunday |\n\n<!-- make fuzz-long: end -->\n")
DECODERS = ["clr", "pdb", "text"]


class Results(unittest.TestCase):
    def rows(self, text):
        return [line for line in text.split("<!-- make fuzz: end -->")[0].splitlines() if line.startswith("| ") and "decoder" not in line]

    def test_row_is_replaced_and_others_stay(self):
        text = replace(OLD, "fuzz", f"of the second run\n\n{TABLE}| clr | 5 | Friday |\n", DECODERS)
        self.assertEqual(self.rows(text), ["| clr | 5 | Friday |", "| text | 3 | Monday |"])
        self.assertNotIn("of the first run", text)
        self.assertEqual(text.count("|---|---|---|\n"), 2)

    def test_new_row_goes_to_its_place(self):
        text = replace(OLD, "fuzz", f"{TABLE}| pdb | 5 | Friday |\n", DECODERS)
        self.assertEqual(self.rows(text), ["| clr | 1 | Monday |", "| pdb | 5 | Friday |", "| text | 3 | Monday |"])

    def test_row_of_a_decoder_that_is_gone_goes(self):
        self.assertNotIn("| gone |", replace(OLD, "fuzz", f"{TABLE}| clr | 5 | Friday |\n", DECODERS))

    def test_other_section_stays_as_it_is(self):
        text = replace(OLD, "fuzz", f"{TABLE}| text | 5 | Friday |\n", DECODERS)
        self.assertEqual(text.split("<!-- make fuzz: end -->")[1], OLD.split("<!-- make fuzz: end -->")[1])

    def test_without_rows_all_is_replaced(self):
        self.assertEqual(self.rows(replace(OLD, "fuzz", f"{TABLE}| clr | 5 | Friday |\n")), ["| clr | 5 | Friday |"])
        self.assertNotIn("Monday", replace(OLD, "fuzz", "no table"))

    def test_text_without_table_that_keeps_rows(self):
        self.assertIn("no table", replace(OLD, "fuzz", "no table", DECODERS))

    def test_first_of_its_name_is_appended(self):
        text = replace(OLD, "other", "words")
        self.assertTrue(text.startswith(OLD.rstrip()))
        self.assertTrue(text.endswith("<!-- make other: begin -->\n\nwords\n\n<!-- make other: end -->\n"))

    def test_twice_is_once(self):
        once = replace(OLD, "fuzz", f"{TABLE}| clr | 5 | Friday |\n", DECODERS)
        self.assertEqual(replace(once, "fuzz", f"{TABLE}| clr | 5 | Friday |\n", DECODERS), once)


unittest.main()
