#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
How names of managed methods may differ between dotnet-trace (TraceEvent, which takes them from the runtime's events) and nettop (the perf map, and precompiled
images read in the same words). Run as a program, it writes doc/NAMES.md.
"""
import collections
import re

TRACE, NETTOP = "dotnet-trace", "nettop"

Method = collections.namedtuple("Method", "type name signature")

# In signatures of `side` what matches `pattern` is rewritten as `words`; after all rows both must be the same text. The order matters.
Difference = collections.namedtuple("Difference", "side pattern words example reason")
DIFFERENCES = (
    Difference(TRACE, r"  (?=\()", " ", "void  (int32)", "two blanks before the arguments"),
    Difference(TRACE, r"\bvalue class ", "valuetype ", "value class System.Guid", "ILAsm's older word"),
    Difference(TRACE, r"\bclass System\.String\b(?![.`/+\w])", "string", "class System.String", "ILAsm has a keyword"),
    Difference(TRACE, r"\bclass System\.Object\b(?![.`/+\w])", "object", "class System.Object", "ILAsm has a keyword"),
    Difference(TRACE, r"\bunsigned int(?=\d)", "uint", "unsigned int8", "ILAsm's newer word"),
    Difference(TRACE, r"\bunsigned int\b", "native uint", "unsigned int", "ILAsm's newer word"),
    Difference(TRACE, r"(?<![\w.`/+])(?<!native )int\b", "native int", "int", "ILAsm's newer word"),
    Difference(TRACE, r"\bwchar\b", "char", "wchar", "ILAsm's newer word"),
    Difference(TRACE, r"\brefany\b", "typedref", "refany", "ILAsm's newer word"),
    Difference(TRACE, r"\bgeneric ", "", "generic void (!!0)", "only events mark generic methods"),
    Difference(TRACE, r"\b(?:required|optional)_modifier \S+ ", "", "optional_modifier System.Runtime.CompilerServices.CallConvCdecl void()",
               "modifiers come in another order, some on one side only"),
    Difference(NETTOP, r" mod(?:opt|req)\([^()]*\)", "", "void modopt([System.Runtime]System.Runtime.CompilerServices.CallConvCdecl) *()", "the same"),
    Difference(TRACE, r"(?<=\bfnptr )unmanaged (?:cdecl |stdcall |thiscall |fastcall )?", "", "fnptr unmanaged cdecl void(int32)",
               "of a function pointer's calling convention events tell less"),
    Difference(NETTOP, r"(?<=\bmethod )unmanaged (?:cdecl |stdcall |thiscall |fastcall )?", "", "method unmanaged void *(int32)", "the same"),
    Difference(TRACE, r"\bfnptr ([^()]*)\(", r"method \1 *(", "fnptr void(int32)", "ILAsm's way of writing a function pointer"),
    Difference(TRACE, r"\bpMT: (0x[0-9a-f]+)", r"MT: \1", "pMT: 0x7f868054fe30", "dynamic methods: events have the type's address"),
    Difference(NETTOP, r"[^ (,<]+ /\* (MT: 0x[0-9a-f]+) \*/", r"\1", "System.Span`1 /* MT: 0x7f868054fe30 */", "the perf map its name, too"),
    Difference(NETTOP, r"\[[A-Za-z_][^][]*\](?=[A-Za-z_<])", "", "[System.Runtime]System.Guid", "only the perf map tells the assembly of a type"),
    Difference(NETTOP, r"(?<=class |etype )[^<>(),&*\[\] ]*/", "", "class System.Diagnostics.Process/State",
               "of a nested type, events tell the innermost name"),
    Difference(NETTOP, r"(?<=[\[,])0\.\.\.(?=[,\]])", "", "int32[0...,0...]", "only the perf map tells lower bounds of arrays, which are 0"),
)

# What is shown of a method whose name a C# compiler made: of `TYPE.METHOD` as dotnet-trace has it, without type arguments, what matches `pattern` is shown as `shown`.
Form = collections.namedtuple("Form", "what pattern shown example")
_OWNER = r"(?P<owner>.+?)(?:\+<>c(?:__DisplayClass\d+_\d+|__\d+)?)?"
FORMS = (
    Form("lambda", _OWNER + r"\.<(?P<written>[^<>]+)>b__(?:\d+_)?(?P<number>\d+)", "{owner}.{written} → lambda{number}", "Shop.Cart+<>c.<Total>b__3_1"),
    Form("local function", _OWNER + r"\.<(?P<written>[^<>]+)>g__(?P<local>\w+)\|\d+(?:_\d+)?", "{owner}.{written} → {local}", "Shop.Cart.<Total>g__Sum|3_0"),
    Form("async method, iterator", _OWNER + r"\+<(?P<written>[^<>]+)>d(?:__\d+)?\.MoveNext", "{kind} {owner}.{written}", "Shop.Cart+<TotalAsync>d__4.MoveNext"),
    Form("async lambda", _OWNER + r"\+<<(?P<written>[^<>]+)>b__(?:\d+_)?(?P<number>\d+)>d\.MoveNext", "{kind} {owner}.{written} → lambda{number}",
         "Shop.Cart+<>c+<<Run>b__5_0>d.MoveNext"),
    Form("async local function", _OWNER + r"\+<<(?P<written>[^<>]+)>g__(?P<local>\w+)\|\d+(?:_\d+)?>d\.MoveNext", "{kind} {owner}.{written} → {local}",
         "Shop.Cart+<<Run>g__Save|5_1>d.MoveNext"),
    Form("dynamic method", r"dynamicClass\.(?P<owner>.+)", "{owner}", "dynamicClass.lambda_method7"),
    Form("all others", r"(?P<owner>.+)", "{owner}", "Shop.Cart+Line.get_Price"),
)


class Comparison:
    """Compares by these tables, and counts what they were needed for: a row that nothing needs is dead."""

    def __init__(self):
        self.used = collections.Counter()

    def signature(self, side, text):
        """The form in which both sides' signatures are the same."""
        for row in DIFFERENCES:
            if row.side == side:
                text, count = re.subn(row.pattern, row.words, text)
                self.used[row] += count
        return text

    def differs(self, trace, nettop):
        """What is different between two `Method`s, in one word; None: nothing."""
        for what in ("type", "name"):
            if getattr(trace, what) != getattr(nettop, what):
                return what
        return None if self.signature(TRACE, trace.signature) == self.signature(NETTOP, nettop.signature) else "signature"

    def shown(self, method):
        """How a method of dotnet-trace's is shown, without type arguments and arguments."""
        name = without_brackets(f"{method.type}.{method.name}")
        row, found = next((row, found) for row in FORMS if (found := re.fullmatch(row.pattern, name)))
        self.used[row] += 1
        number = int(found.groupdict().get("number") or 0)
        words = found.groupdict() | {"number": f" #{number + 1}" if number else "", "kind": "iterator" if " bool " in f" {method.signature}" else "async"}
        return without_arguments(row.shown.format(**words).replace("+", "."))

    def dead(self):
        return [row for row in (*DIFFERENCES, *FORMS) if not self.used[row]]


def _without(name, opening, closing):
    kept, depth = [], 0
    for letter in name:
        depth += letter in opening
        if not depth:
            kept.append(letter)
        depth -= letter in closing
    return "".join(kept)


def without_brackets(name):
    """A type's name without arity and type arguments: A`1+B[C[D]].M -> A+B.M."""
    return _without(re.sub(r"`\d+", "", name), "[", "]")


def without_arguments(shown):
    """A displayed name in the same way: A<X>.B.M(int) -> A.B.M. (So <Main> leaves nothing.)"""
    return _without(shown, "<(", ">)")


def of_perf_map(text):
    """`RET [Assembly] Type::Method(ARGS)[Tier]` as a Method; None: of another form."""
    text = re.sub(r"(?<=\))\[\w+\]$", "", text)
    depth, at = 0, len(text)
    while at > 0 and (depth or at == len(text)):
        at -= 1
        depth += (text[at] == ")") - (text[at] == "(")
    found = re.fullmatch(r"(.*?) \[[^\]]*\] (.*?)::(.+)", text[:at])
    return Method(found[2], found[3], f"{found[1]} {text[at:]}") if found else None


def document():
    def table(head, rows):
        print("|", " | ".join(head), "|\n" + "|---" * len(head) + "|")
        for row in rows:
            print("|", " | ".join(row), "|")

    def code(text):
        escaped = text.replace("|", "\\|")
        return f"`` {escaped} ``" if text else "nothing"

    print("# Names of methods: dotnet-trace and nettop\n")
    print("Made by `make doc/NAMES.md` from `tests/live/nt_live/method_names.py`, by which `tests/live/test_names.py` compares all methods of live processes. Type and method are the same")
    print("to the letter; of signatures, no other difference than these is allowed, and each is found in those processes.\n")
    table(("in the names of", "for example", "pattern", "is the same as", "because"),
          [(row.side, code(row.example), code(row.pattern), code(re.sub(row.pattern, row.words, row.example).strip()), row.reason) for row in DIFFERENCES])
    print("\ndotnet-trace writes `Type.Method(ARGS)`, nettop's raw name (key `r`) is `RET [Assembly] Type::Method(ARGS)[Tier]`.\n")
    print("## Shown\n\nWhat a compiler made is shown as it was written:\n")
    table(("written as", "dotnet-trace", "nettop"),
          [(row.what, code(row.example), code(Comparison().shown(Method(*row.example.rsplit(".", 1), "instance void ()")))) for row in FORMS])


if __name__ == "__main__":
    document()
