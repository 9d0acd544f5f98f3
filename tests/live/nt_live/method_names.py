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

# What is shown of a method whose name a compiler made: of `TYPE.METHOD` as dotnet-trace has it, without type arguments, what matches `pattern` is shown as `shown`. `made` in live
# processes of the long test, else told by pairs that were recorded (tests/data/method_names/pairs.tsv) and by the table of tests/unit/decode/test_method_name.c.
Form = collections.namedtuple("Form", "compiler what pattern shown example live", defaults=(False,))
_OWNER = r"(?P<owner>.+?)(?:\+<>c(?:__DisplayClass\d+_\d+|__\d+)?)?"
_BODY = r"\+<(?P<written>[^<>]+(?:<[^<>]*>[^<>]*)*)>d(?:__\d+)?"
_MEMBER = r"(?:[\w.]+\.)?(?P<member>\w+(?:<.*>)?\.\w+)|(?P<plain>\.c?ctor|\w+)"
_VB_CLOSURE = r"(?:\+_Closure\$__(?:(?P<of>\d+)-\d+)?)?"
_VB_LAMBDA = r"_Lambda\$__(?P<lambda>R?\d+(?:-\d+)?)"
_VB_BODY = r"\+VB\$StateMachine_\d+_(?P<written>\w+)"
_FS_LINE = r"(?P<written>[^+@]+)(?P<line>@\d+(?:-\d+)?)T?"
FORMS = (
    Form("C#", "lambda", _OWNER + r"\.<(?P<written>[^<>]+)>b__(?:\d+_)?(?P<number>\d+)", "{owner}.{written} → lambda{number}", "Shop.Cart+<>c.<Total>b__3_1", True),
    Form("C#", "local function", _OWNER + r"\.<(?P<written>[^<>]+)>g__(?P<local>\w+)\|\d+(?:_\d+)?", "{owner}.{written} → {local}", "Shop.Cart.<Total>g__Sum|3_0", True),
    Form("C#", "async method, iterator", _OWNER + _BODY + r"\.MoveNext", "{kind} {owner}.{written}", "Shop.Cart+<TotalAsync>d__4.MoveNext", True),
    Form("C#", "async lambda", _OWNER + r"\+<<(?P<written>[^<>]+)>b__(?:\d+_)?(?P<number>\d+)>d\.MoveNext", "{kind} {owner}.{written} → lambda{number}",
         "Shop.Cart+<>c+<<Run>b__5_0>d.MoveNext", True),
    Form("C#", "async local function", _OWNER + r"\+<<(?P<written>[^<>]+)>g__(?P<local>\w+)\|\d+(?:_\d+)?>d\.MoveNext", "{kind} {owner}.{written} → {local}",
         "Shop.Cart+<<Run>g__Save|5_1>d.MoveNext", True),
    Form("C#", "`finally` of an iterator", _OWNER + _BODY + r"\.<>m__Finally\d+", "{owner}.{written} → finally", "Shop.Cart+<Rows>d__1.<>m__Finally1"),
    Form("C#", "what an iterator has besides", _OWNER + _BODY + rf"\.(?:{_MEMBER})", "{owner}.{written} → {member}",
         "Shop.Cart+<Rows>d__1.System.Collections.IEnumerator.get_Current"),
    Form("VB", "lambda (of method 1, the 4th)", r"(?P<owner>.+?)" + _VB_CLOSURE + r"\." + _VB_LAMBDA, "{owner} → lambda {of}{lambda}", "Shop.Cart+_Closure$__1-0._Lambda$__3"),
    Form("VB", "async lambda", r"(?P<owner>.+?)" + _VB_CLOSURE + r"\+VB\$StateMachine__" + _VB_LAMBDA + r"\.MoveNext", "{kind} {owner} → lambda {of}{lambda}",
         "Shop.Cart+_Closure$__+VB$StateMachine___Lambda$__1-2.MoveNext"),
    Form("VB", "async method, iterator", r"(?P<owner>.+)" + _VB_BODY + r"\.MoveNext", "{kind} {owner}.{written}", "Shop.Cart+VB$StateMachine_2_TotalAsync.MoveNext"),
    Form("VB", "what an iterator has besides", r"(?P<owner>.+)" + _VB_BODY + rf"\.(?:{_MEMBER})", "{owner}.{written} → {member}", "Shop.Cart+VB$StateMachine_4_Rows.get_Current"),
    Form("VB", "what an iterator lambda has besides", r"(?P<owner>.+?)" + _VB_CLOSURE + r"\+VB\$StateMachine__" + _VB_LAMBDA + rf"\.(?:{_MEMBER})",
         "{owner} → lambda {of}{lambda} → {member}", "Shop.Cart+_Closure$__1-0+VB$StateMachine___Lambda$__3.get_Current"),
    Form("F#", "function in a function, part of `async { }`", r"(?P<owner>.+)\+" + _FS_LINE + r"\.Invoke", "{owner}.{written} → lambda {line}", "Shop.Cart+total@11-1.Invoke"),
    Form("F#", "`task { }`", r"(?P<owner>.+)\+" + _FS_LINE + r"\.MoveNext", "async {owner}.{written} {line}", "Shop.Cart+loadAsync@31.MoveNext"),
    Form("F#", "`seq { }`", r"(?P<owner>.+)\+" + _FS_LINE + r"\.GenerateNext", "seq {owner}.{written} {line}", "Shop.Cart+rows@12.GenerateNext"),
    Form("F#", "what these have besides, object expression", r"(?P<owner>.+)\+" + _FS_LINE + rf"\.(?:{_MEMBER})", "{owner}.{written} {line} → {member}",
         "Shop.Cart+create@61.System.IDisposable.Dispose"),
    Form("F#", "local function", r"(?P<owner>.+)\.(?![gs]et_)" + _FS_LINE, "{owner} → {written} {line}", "Shop.Cart.loop@49"),
    Form("F#", "the statements of file Cart.fs", r"(?P<owner>\$.+)\.main@", "{owner}.main@", "<StartupCode$Shop>.$Cart.main@"),
    Form("emitted", "expression tree", r"dynamicClass\.(?P<owner>lambda_method\d*)", "expression tree {owner}", "dynamicClass.lambda_method7", True),
    Form("emitted", "call by `dynamic`", r"dynamicClass\.CallSite\.Target", "call site", "dynamicClass.CallSite.Target"),
    Form("emitted", "regex (`RegexOptions.Compiled`)", r"dynamicClass\.(?P<owner>Regex\d+_.+)", "compiled regex {owner}", "dynamicClass.Regex1_Scan"),
    Form("emitted", "resolver of a service", r"dynamicClass\.ResolveService", "DI resolver ResolveService", "dynamicClass.ResolveService"),
    Form("emitted", "call by reflection", r"dynamicClass\.InvokeStub_(?P<owner>.+)", "reflection call of {owner}", "dynamicClass.InvokeStub_Cart.Total"),
    Form("emitted", "P/Invoke", r"dynamicClass\.IL_STUB_PInvoke", "P/Invoke stub", "dynamicClass.IL_STUB_PInvoke"),
    Form("emitted", "call from native code", r"dynamicClass\.IL_STUB_ReversePInvoke", "reverse P/Invoke stub", "dynamicClass.IL_STUB_ReversePInvoke"),
    Form("emitted", "other code of the runtime", r"dynamicClass\.IL_STUB_(?P<owner>.+)", "IL stub {owner}", "dynamicClass.IL_STUB_Array_Set"),
    Form("emitted", "dynamic method", r"dynamicClass\.(?P<owner>.+)", "{owner}", "dynamicClass.Twice", True),
    Form("any", "all others", r"(?P<owner>.+)", "{owner}", "Shop.Cart+Line.get_Price", True),
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
        """How a method of dotnet-trace's is shown, without type arguments and arguments. What goes on with an async method is told by its box's last type argument."""
        box = re.fullmatch(r".*StateMachineBox`1\[(.*)\]", method.type)
        machine = _last_argument(box[1]) if box else ""
        if re.search(r"\+(?:<.+>d(?:__\d+)?|VB\$StateMachine_\w+|[^+@]+@\d+(?:-\d+)?)(?:`\d+)?(?:\[.*\])?$", machine):
            return self.shown(Method(machine, "MoveNext", "instance void ()")) + " → resumed"
        name = re.sub(r"^<StartupCode\$[^<>]*>\.", "", without_brackets(f"{method.type}.{method.name}"))
        row, found = next((row, found) for row in FORMS if (found := re.fullmatch(row.pattern, name)))
        self.used[row] += 1
        words = {key: text or "" for key, text in found.groupdict().items()}
        if "written" in words:  # in the name of a type, where a dot ends a namespace, compilers write `-` for it
            words["written"] = words["written"].replace("-", ".")
        number = int(words.get("number") or 0)
        words |= {"number": f" #{number + 1}" if number else "", "kind": "iterator" if " bool " in f" {method.signature}" else "async"}
        words |= {"member": words.get("member") or words.get("plain"), "of": f"{words.get('of')}-" if words.get("of") and "-" not in words["lambda"] else ""}
        return without_arguments(row.shown.format(**words).replace("+", "."))

    def dead(self):
        return [row for row in (*DIFFERENCES, *(form for form in FORMS if form.live)) if not self.used[row]]


def _without(name, opening, closing):
    kept, depth = [], 0
    for letter in name:
        depth += letter in opening
        if not depth:
            kept.append(letter)
        depth -= letter in closing
    return "".join(kept)


def _last_argument(arguments):
    """A,B[C,D] -> B[C,D]."""
    depth = 0
    for at in range(len(arguments) - 1, -1, -1):
        depth += (arguments[at] in "]>") - (arguments[at] in "[<")
        if arguments[at] == "," and not depth:
            return arguments[at + 1:]
    return arguments


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


STUBS = """
## Stubs

`P/Invoke stub(string, ref int, int)` says no method, because it is none's: the runtime makes one stub for methods whose signatures and marshalling are the same, and tells it at each call
what to call. Of 300 methods with 4 signatures, all called, .NET 8, 9 and 10 had 4 stubs (`tests/live/test_names.py` has two with one). The event ILStubGenerated (id 88, keyword 0x2000) has a namespace and a
name, which are never null, but those of the stub's first caller: each of the 4 named one method of 75, and no event tells of the others. It would cost 8.1 KB a stub, most of it the IL as text, and no CPU time that
could be measured (8.3 ms in place of 7.7 ms for all calls, medians of 7 runs); of stubs that were there before nettop no rundown tells. So nettop does not ask for it. The signature is
that of the stub's own load, or of its line in the perf map.
Who calls is in the call stacks.
"""


NATIVE_AOT = """
## Native AOT

The compiler's symbols have an underscore for whatever is no letter or digit: `app_Shop_Cart_Line__Price` may be `Shop.Cart.Line.Price`, `Shop.Cart_Line.Price`, `Shop_Cart.Line.Price`, ... in `app`, or in
`app.Shop`. DWARF has a method's own name as it was written, and its type's mangled. Neither is in an executable as it is published, which is stripped.

But it has, for the stack traces of its own exceptions, a table of the methods with their types and signatures, and another one for those that reflection finds. nettop reads these, of
.NET 8, 9 and 10: so methods are called as everywhere else, and have kind r2r. Of a program of 1.6 MB (3443 pieces of code, .NET 10) they name all 3177 that were written as methods, without
and with symbols alike; the rest are the compiler's (`__GetFieldHelper`, thunks). A handler of exceptions is a function of its own, beside whose unwind data stands which method it is in. `tests/live/test_ahead.py` compares the names with the source. What they do not tell:

| what | is shown as |
|---|---|
| instances of a generic type, and of most what its parameters are called | one row, `Box<T>.Put(T)`; of several `Box<TA, TB>` |
| methods that the compiler made one because their code is the same (`OptimizationPreference=Size`, `StackTraceSupport=false`) | one of them |
| with `StackTraceSupport=false`, all that reflection does not find | its symbol (below); without symbols its bounds |
| what the compiler added | the same |

Of a symbol only that is undone which is certain: `S_P_CoreLib_System_Threading_Thread__StartThread` is `System_Threading_Thread.StartThread`, as two underscores stand between type and method, and nowhere else in it; a symbol with
more of them stays as it is.
"""


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
    print("## Shown\n\nWhat a compiler made is shown as it was written. Visual Basic numbers the methods of a type and the lambdas of a method, F# tells the line (and which one in it); so the names do, too.")
    print("A generic method has as many parameters behind its name as its signature tells, `Spin<T0>(T0, int)`: one row for all instances where an event or a perf map names it, as neither tells them apart. The runtime's own data do (from .NET 9 on): `Spin<int>(int, int)`.")
    print("All methods of the box in which the runtime keeps an async method's state are one row, `async Shop.Cart.TotalAsync → resumed`.")
    print("Types of a dynamic method's arguments are in the runtime's own data (from .NET 9 on) and, the primitive ones, in the perf map; else they are `?`, and those that all of a kind have are left out.\n")
    table(("compiler", "written as", "dotnet-trace", "nettop"),
          [(row.compiler, row.what, code(row.example), code(Comparison().shown(Method(*row.example.rsplit(".", 1), "instance void ()")))) for row in FORMS])
    print(STUBS + NATIVE_AOT, end="")


if __name__ == "__main__":
    document()
