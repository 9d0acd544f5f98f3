// SPDX-License-Identifier: GPL-2.0-only
// A shop on ASP.NET Core in which what goes wrong in production can be switched on while it is open; and the world around it. README.md beside it says what is said to it.
using System;

namespace Shop;

internal static class Program
{
    private static int Main(string[] args)
    {
        switch (args)
        {
            case ["serve", string payments]:
                return Service.Run(new Uri(payments));
            case ["world"]:
                return World.Run();
            default:
                Console.Error.WriteLine("usage: shop serve URL-OF-PAYMENTS | shop world");
                return 2;
        }
    }
}
