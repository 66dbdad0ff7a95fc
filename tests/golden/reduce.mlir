// sum float32[2,3] none
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<f32>) {
    %0 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = "stablehlo.add"(%2, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%1) : (tensor<f32>) -> ()
  }
}
// sum.dim_IntList bfloat16[2,3] [1] true none
module @golden {
  func.func public @main(%arg0: tensor<2x3xbf16>) -> (tensor<2x1xbf16>) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<2x3xbf16>) -> tensor<2x3xf32>
    %1 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %6 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %7 = "stablehlo.convert"(%6) : (tensor<2x1xf32>) -> tensor<2x1xbf16>
    "func.return"(%7) : (tensor<2x1xbf16>) -> ()
  }
}
// mean.dim float32[2,3] [0] false none
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<3xf32>) {
    %0 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = "stablehlo.add"(%2, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %5 = "stablehlo.constant"() <{value = dense<0x40000000> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %7 = "stablehlo.divide"(%1, %6) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%7) : (tensor<3xf32>) -> ()
  }
}
// amax float32[2,3] [1] false
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<2xf32>) {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.compare"(%0, %0) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = "stablehlo.select"(%2, %1, %0) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.bitcast_convert"(%3) : (tensor<f32>) -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<0x0000001F> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.shift_right_arithmetic"(%4, %5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0x7FFFFFFF> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.and"(%6, %7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.xor"(%4, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %10 = "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %11 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %12 = "stablehlo.select"(%10, %11, %arg0) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %13 = "stablehlo.bitcast_convert"(%12) : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %14 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %15 = "stablehlo.shift_right_arithmetic"(%13, %14) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %16 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %17 = "stablehlo.and"(%15, %16) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %18 = "stablehlo.xor"(%13, %17) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %19 = "stablehlo.reduce"(%18, %9) <{dimensions = array<i64: 1>}> ({
    ^bb0(%20: tensor<i32>, %21: tensor<i32>):
      %22 = "stablehlo.maximum"(%20, %21) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%22) : (tensor<i32>) -> ()
    }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    %23 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %24 = "stablehlo.shift_right_arithmetic"(%19, %23) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %25 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %26 = "stablehlo.and"(%24, %25) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %27 = "stablehlo.xor"(%19, %26) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %28 = "stablehlo.bitcast_convert"(%27) : (tensor<2xi32>) -> tensor<2xf32>
    "func.return"(%28) : (tensor<2xf32>) -> ()
  }
}
// argmax float32[2,3] 1 false
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<2xi64>) {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.compare"(%0, %0) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = "stablehlo.select"(%2, %1, %0) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.bitcast_convert"(%3) : (tensor<f32>) -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<0x0000001F> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.shift_right_arithmetic"(%4, %5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0x7FFFFFFF> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.and"(%6, %7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.xor"(%4, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %10 = "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %11 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %12 = "stablehlo.select"(%10, %11, %arg0) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %13 = "stablehlo.bitcast_convert"(%12) : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %14 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %15 = "stablehlo.shift_right_arithmetic"(%13, %14) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %16 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %17 = "stablehlo.and"(%15, %16) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %18 = "stablehlo.xor"(%13, %17) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %19 = "stablehlo.reduce"(%18, %9) <{dimensions = array<i64: 1>}> ({
    ^bb0(%20: tensor<i32>, %21: tensor<i32>):
      %22 = "stablehlo.maximum"(%20, %21) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%22) : (tensor<i32>) -> ()
    }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    %23 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %24 = "stablehlo.shift_right_arithmetic"(%19, %23) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %25 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %26 = "stablehlo.and"(%24, %25) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %27 = "stablehlo.xor"(%19, %26) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %28 = "stablehlo.bitcast_convert"(%27) : (tensor<2xi32>) -> tensor<2xf32>
    %29 = "stablehlo.reshape"(%28) : (tensor<2xf32>) -> tensor<2x1xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %31 = "stablehlo.compare"(%arg0, %30) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %32 = "stablehlo.or"(%31, %10) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %33 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi64>
    %34 = "stablehlo.constant"() <{value = dense<0x0000000000000003> : tensor<i64>}> : () -> tensor<i64>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x3xi64>
    %36 = "stablehlo.select"(%32, %33, %35) : (tensor<2x3xi1>, tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
    %37 = "stablehlo.reduce"(%36, %34) <{dimensions = array<i64: 1>}> ({
    ^bb0(%38: tensor<i64>, %39: tensor<i64>):
      %40 = "stablehlo.minimum"(%38, %39) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%40) : (tensor<i64>) -> ()
    }) : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
    %41 = "stablehlo.reshape"(%37) : (tensor<2xi64>) -> tensor<2x1xi64>
    %42 = "stablehlo.reshape"(%41) : (tensor<2x1xi64>) -> tensor<2xi64>
    "func.return"(%42) : (tensor<2xi64>) -> ()
  }
}
// any bool[2,3]
module @golden {
  func.func public @main(%arg0: tensor<2x3xi1>) -> (tensor<i1>) {
    %0 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%2: tensor<i1>, %3: tensor<i1>):
      %4 = "stablehlo.or"(%2, %3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%4) : (tensor<i1>) -> ()
    }) : (tensor<2x3xi1>, tensor<i1>) -> tensor<i1>
    "func.return"(%1) : (tensor<i1>) -> ()
  }
}
// _softmax float32[2,3] 1 false
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.compare"(%0, %0) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = "stablehlo.select"(%2, %1, %0) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.bitcast_convert"(%3) : (tensor<f32>) -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<0x0000001F> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.shift_right_arithmetic"(%4, %5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0x7FFFFFFF> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.and"(%6, %7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.xor"(%4, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %10 = "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %11 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %12 = "stablehlo.select"(%10, %11, %arg0) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %13 = "stablehlo.bitcast_convert"(%12) : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %14 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %15 = "stablehlo.shift_right_arithmetic"(%13, %14) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %16 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %17 = "stablehlo.and"(%15, %16) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %18 = "stablehlo.xor"(%13, %17) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %19 = "stablehlo.reduce"(%18, %9) <{dimensions = array<i64: 1>}> ({
    ^bb0(%20: tensor<i32>, %21: tensor<i32>):
      %22 = "stablehlo.maximum"(%20, %21) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%22) : (tensor<i32>) -> ()
    }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    %23 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %24 = "stablehlo.shift_right_arithmetic"(%19, %23) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %25 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %26 = "stablehlo.and"(%24, %25) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %27 = "stablehlo.xor"(%19, %26) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %28 = "stablehlo.bitcast_convert"(%27) : (tensor<2xi32>) -> tensor<2xf32>
    %29 = "stablehlo.reshape"(%28) : (tensor<2xf32>) -> tensor<2x1xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %31 = "stablehlo.subtract"(%arg0, %30) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %32 = "stablehlo.exponential"(%31) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %33 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 1>}> ({
    ^bb0(%35: tensor<f32>, %36: tensor<f32>):
      %37 = "stablehlo.add"(%35, %36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%37) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %38 = "stablehlo.reshape"(%34) : (tensor<2xf32>) -> tensor<2x1xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %40 = "stablehlo.divide"(%32, %39) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%40) : (tensor<2x3xf32>) -> ()
  }
}
// _log_softmax float32[2,3] -1 false
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.compare"(%0, %0) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = "stablehlo.select"(%2, %1, %0) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.bitcast_convert"(%3) : (tensor<f32>) -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<0x0000001F> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.shift_right_arithmetic"(%4, %5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0x7FFFFFFF> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.and"(%6, %7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.xor"(%4, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %10 = "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %11 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %12 = "stablehlo.select"(%10, %11, %arg0) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %13 = "stablehlo.bitcast_convert"(%12) : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %14 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %15 = "stablehlo.shift_right_arithmetic"(%13, %14) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %16 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %17 = "stablehlo.and"(%15, %16) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %18 = "stablehlo.xor"(%13, %17) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %19 = "stablehlo.reduce"(%18, %9) <{dimensions = array<i64: 1>}> ({
    ^bb0(%20: tensor<i32>, %21: tensor<i32>):
      %22 = "stablehlo.maximum"(%20, %21) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%22) : (tensor<i32>) -> ()
    }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    %23 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %24 = "stablehlo.shift_right_arithmetic"(%19, %23) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %25 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %26 = "stablehlo.and"(%24, %25) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %27 = "stablehlo.xor"(%19, %26) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %28 = "stablehlo.bitcast_convert"(%27) : (tensor<2xi32>) -> tensor<2xf32>
    %29 = "stablehlo.reshape"(%28) : (tensor<2xf32>) -> tensor<2x1xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %31 = "stablehlo.subtract"(%arg0, %30) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %32 = "stablehlo.exponential"(%31) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %33 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 1>}> ({
    ^bb0(%35: tensor<f32>, %36: tensor<f32>):
      %37 = "stablehlo.add"(%35, %36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%37) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %38 = "stablehlo.reshape"(%34) : (tensor<2xf32>) -> tensor<2x1xf32>
    %39 = "stablehlo.log"(%38) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %41 = "stablehlo.subtract"(%31, %40) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%41) : (tensor<2x3xf32>) -> ()
  }
}
// native_layer_norm float32[2,3] [3] float32[3] float32[3] 1e-05
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<f64>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>) {
    %0 = "stablehlo.constant"() <{value = dense<0x40400000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%arg0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %6 = "stablehlo.reshape"(%2) : (tensor<2xf32>) -> tensor<2x1xf32>
    %7 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1xf32>
    %8 = "stablehlo.divide"(%6, %7) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %10 = "stablehlo.subtract"(%arg0, %9) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %11 = "stablehlo.multiply"(%10, %10) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %12 = "stablehlo.reduce"(%11, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%13: tensor<f32>, %14: tensor<f32>):
      %15 = "stablehlo.add"(%13, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %16 = "stablehlo.reshape"(%12) : (tensor<2xf32>) -> tensor<2x1xf32>
    %17 = "stablehlo.divide"(%16, %7) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %18 = "stablehlo.convert"(%arg3) : (tensor<f64>) -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1xf32>
    %20 = "stablehlo.add"(%17, %19) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %21 = "stablehlo.rsqrt"(%20) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %23 = "stablehlo.multiply"(%10, %22) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %24 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3xf32>
    %25 = "stablehlo.multiply"(%23, %24) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %26 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3xf32>
    %27 = "stablehlo.add"(%25, %26) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%27, %8, %21) : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> ()
  }
}
