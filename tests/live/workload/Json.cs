// SPDX-License-Identifier: GPL-2.0-only
// One JSON object per answer, built in a buffer that lives as long as the process: an answer allocates nothing and,
// being compiled once and for all, is never re-jitted. So a mark does not change what it reports.
using System;
using System.Runtime.CompilerServices;

namespace Workload;

internal sealed unsafe class Json
{
    private const MethodImplOptions Fixed = MethodImplOptions.AggressiveOptimization;

    private readonly byte[] _text = GC.AllocateUninitializedArray<byte>(1 << 20, pinned: true);
    private int _length;
    private bool _needsComma;

    [MethodImpl(Fixed)]
    public void Begin()
    {
        _length = 0;
        _needsComma = false;
        Put((byte)'{');
    }

    [MethodImpl(Fixed)]
    public void Number(ReadOnlySpan<byte> name, long value)
    {
        Name(name);
        Digits(value);
        _needsComma = true;
    }

    [MethodImpl(Fixed)]
    public void Flag(ReadOnlySpan<byte> name, bool value)
    {
        Name(name);
        Raw(value ? "true"u8 : "false"u8);
        _needsComma = true;
    }

    [MethodImpl(Fixed)]
    public void Text(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value)
    {
        Name(name);
        Put((byte)'"');
        foreach (byte c in value)
        {
            if (c < 0x20)
                continue;
            if (c == '"' || c == '\\')
                Put((byte)'\\');
            Put(c);
        }
        Put((byte)'"');
        _needsComma = true;
    }

    [MethodImpl(Fixed)]
    public void BeginArray(ReadOnlySpan<byte> name)
    {
        Name(name);
        Put((byte)'[');
        _needsComma = false;
    }

    [MethodImpl(Fixed)]
    public void EndArray()
    {
        Put((byte)']');
        _needsComma = true;
    }

    [MethodImpl(Fixed)]
    public void BeginObject()
    {
        if (_needsComma)
            Put((byte)',');
        Put((byte)'{');
        _needsComma = false;
    }

    [MethodImpl(Fixed)]
    public void EndObject()
    {
        Put((byte)'}');
        _needsComma = true;
    }

    /// <summary>Ends the object and writes it as one line to standard output.</summary>
    [MethodImpl(Fixed)]
    public void Send()
    {
        Put((byte)'}');
        Put((byte)'\n');
        fixed (byte* text = _text)
        {
            for (int sent = 0; sent < _length;)
            {
                nint n = Native.Write(1, text + sent, _length - sent);
                if (n <= 0)
                    Environment.Exit(1);
                sent += (int)n;
            }
        }
    }

    [MethodImpl(Fixed)]
    private void Name(ReadOnlySpan<byte> name)
    {
        if (_needsComma)
            Put((byte)',');
        Put((byte)'"');
        Raw(name);
        Put((byte)'"');
        Put((byte)':');
    }

    [MethodImpl(Fixed)]
    private void Digits(long value)
    {
        byte* digits = stackalloc byte[20];
        int count = 0;
        ulong rest = value < 0 ? (ulong)-value : (ulong)value;
        do
        {
            digits[count++] = (byte)('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (value < 0)
            Put((byte)'-');
        while (count > 0)
            Put(digits[--count]);
    }

    [MethodImpl(Fixed)]
    private void Raw(ReadOnlySpan<byte> bytes)
    {
        foreach (byte c in bytes)
            Put(c);
    }

    [MethodImpl(Fixed)]
    private void Put(byte c) => _text[_length++] = c;
}
