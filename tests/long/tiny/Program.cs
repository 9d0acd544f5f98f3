// SPDX-License-Identifier: GPL-2.0-only
// Says that it is there and waits for the end of its input.
System.Console.WriteLine("ready");
while (System.Console.ReadLine() != null) { }
