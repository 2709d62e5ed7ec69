// Every spelling of a ciphertext type, and the one it is printed in.
// RUN: sluice-opt --verify-roundtrip %s | FileCheck %s

// CHECK: func.func private @floating(!ckks.ct)
func.func private @floating(!ckks.ct)
// CHECK: func.func private @settled(!ckks.ct<level = 9, scale = 2^45>)
func.func private @settled(!ckks.ct<level=9,scale=2^45>)
// CHECK: func.func private @order(!ckks.ct<level = 0, scale = 2^45, size = 3>)
func.func private @order(!ckks.ct<size = 3, scale = 2^45, level = 0>)
// CHECK: func.func private @default_size(!ckks.ct<level = 0, scale = 2^45>)
func.func private @default_size(!ckks.ct<level = 0, scale = 2^45, size = 2>)
// CHECK: func.func private @quotient(!ckks.ct<level = 3, scale = 2^90 * q3^-1>)
func.func private @quotient(!ckks.ct<level = 3, scale = q3^-1 * 2^90>)
// CHECK: func.func private @root(!ckks.ct<level = 3, scale = 2^(45/2) * q3^(1/2), size = 3>)
func.func private @root(!ckks.ct<level = 3, scale = 2^(45/2) * q3^(2/4), size = 3>)
// CHECK: func.func private @one(!ckks.ct<level = 3, scale = 2^0>)
func.func private @one(!ckks.ct<level = 3, scale = q3 * q3^-1>)
// CHECK: func.func private @nested() -> tuple<!ckks.ct<level = 1, scale = q0^-1>, !ckks.ct>
func.func private @nested() -> tuple<!ckks.ct<level = 1, scale = q0^-1>, !ckks.ct>
// CHECK: func.func private @ephemeral(!ckks.ct<level = 0, scale = 2^45, secret = ephemeral, slots = 8>)
func.func private @ephemeral(!ckks.ct<level = 0, scale = 2^45, slots = 8, secret = ephemeral>)
// CHECK: func.func private @main(!ckks.ct<level = 0, scale = 2^45>)
func.func private @main(!ckks.ct<level = 0, scale = 2^45, secret = main>)
