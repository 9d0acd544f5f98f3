#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Circles between files, headers and folders are found, and what looks like one is not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).with_name("check-circles.py")


def function(name, *calls):
    return f"void {name}(void)\n{{\n" + "".join(f"\t{call}();\n" for call in calls) + "}\n"


class Circles(unittest.TestCase):
    def check(self, files):
        """The status of the check on a tree of these files, and what it says."""
        with tempfile.TemporaryDirectory() as top:
            for name, text in files.items():
                path = pathlib.Path(top, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, CHECK, top], stdout=subprocess.PIPE, text=True, check=False)
            return done.returncode, done.stdout

    def assert_found(self, files, *texts):
        status, said = self.check(files)
        self.assertEqual(status, 1, said)
        for text in texts:
            self.assertIn(text, said)

    def test_a_line_is_none(self):
        status, said = self.check({"src/a/one.c": function("nt_one", "nt_two"), "src/b/two.c": function("nt_two", "nt_three"), "ui/three.c": function("nt_three")})
        self.assertEqual(status, 0, said)

    def test_two_files_in_one_folder(self):
        self.assert_found({"src/a/one.c": function("nt_one", "nt_two"), "src/a/two.c": function("nt_two", "nt_one")}, "circle of 2 files", "src/a/one -> src/a/two: nt_two")

    def test_three_files(self):
        self.assert_found({"src/a/one.c": function("nt_one", "nt_two"), "src/a/two.c": function("nt_two", "nt_three"), "src/a/three.c": function("nt_three", "nt_one")},
                          "circle of 3 files")

    def test_a_table_that_is_used(self):
        self.assert_found({"src/a/one.c": "const int nt_table[] = { 1 };\n" + function("nt_one", "nt_two"), "src/a/two.c": "void nt_two(void)\n{\n\tuse(nt_table);\n}\n"},
                          "circle of 2 files")

    def test_folders_whose_files_are_in_none(self):
        self.assert_found({"src/a/one.c": function("nt_one", "nt_two"), "src/b/two.c": function("nt_two"), "src/b/three.c": function("nt_three", "nt_four"), "src/a/four.c": function("nt_four")},
                          "circle of 2 folders", "a -> b: nt_two", "b -> a: nt_four")

    def test_headers_that_include_each_other(self):
        self.assert_found({"src/a/one.h": '#include "a/two.h"\n', "src/a/two.h": '#include "a/one.h"\n', "src/a/one.c": function("nt_one")}, "circle of 2 headers")

    def test_a_name_in_words_is_no_use(self):
        status, said = self.check({"src/a/one.c": function("nt_one", "nt_two"), "src/a/two.c": '/* nt_one() */\nvoid nt_two(void)\n{\n\tsay("nt_one");\n}\n'})
        self.assertEqual(status, 0, said)

    def test_an_empty_tree_is_no_success(self):
        self.assert_found({"readme": ""}, "no definitions found")


unittest.main()
