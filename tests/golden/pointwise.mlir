// add.Tensor float32[2,3] float32[3] 1
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) -> (tensor<2x3xf32>) {
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3xf32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%1) : (tensor<2x3xf32>) -> ()
  }
}
// add.Tensor bfloat16[4] 1.5 1
module @golden {
  func.func public @main(%arg0: tensor<4xbf16>, %arg1: tensor<f64>) -> (tensor<4xbf16>) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<4xbf16>) -> tensor<4xf32>
    %1 = "stablehlo.convert"(%arg1) : (tensor<f64>) -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %3 = "stablehlo.add"(%0, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.convert"(%3) : (tensor<4xf32>) -> tensor<4xbf16>
    "func.return"(%4) : (tensor<4xbf16>) -> ()
  }
}
// add.Tensor int64[2] float32[2] 2
module @golden {
  func.func public @main(%arg0: tensor<2xi64>, %arg1: tensor<2xf32>, %arg2: tensor<i64>) -> (tensor<2xf32>) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<2xi64>) -> tensor<2xf32>
    %1 = "stablehlo.convert"(%arg2) : (tensor<i64>) -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %3 = "stablehlo.multiply"(%arg1, %2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %4 = "stablehlo.add"(%0, %3) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%4) : (tensor<2xf32>) -> ()
  }
}
// mul.Tensor float32[4] 1.0001
module @golden {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<f64>) -> (tensor<4xf32>) {
    %0 = "stablehlo.convert"(%arg1) : (tensor<f64>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }
}
// div.Tensor int32[4] int32[4]
module @golden {
  func.func public @main(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> (tensor<4xf32>) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<4xi32>) -> tensor<4xf32>
    %1 = "stablehlo.convert"(%arg1) : (tensor<4xi32>) -> tensor<4xf32>
    %2 = "stablehlo.divide"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }
}
// eq.Tensor float32[2,3] float32[2,3]
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> (tensor<2x3xi1>) {
    %0 = "stablehlo.compare"(%arg0, %arg1) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    "func.return"(%0) : (tensor<2x3xi1>) -> ()
  }
}
// where.self bool[2,1] float32[2,3] float32[3]
module @golden {
  func.func public @main(%arg0: tensor<2x1xi1>, %arg1: tensor<2x3xf32>, %arg2: tensor<3xf32>) -> (tensor<2x3xf32>) {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3xf32>
    %2 = "stablehlo.select"(%0, %arg1, %1) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%2) : (tensor<2x3xf32>) -> ()
  }
}
// clamp float32[4] 0 none
module @golden {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<i64>) -> (tensor<4xf32>) {
    %0 = "stablehlo.convert"(%arg1) : (tensor<i64>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = "stablehlo.maximum"(%arg0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }
}
// gelu float32[4] "none"
module @golden {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
    %0 = "stablehlo.constant"() <{value = dense<0x3F3504F3> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = "chlo.erf"(%2) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.constant"() <{value = dense<0x3F800000> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %6 = "stablehlo.add"(%5, %3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %7 = "stablehlo.constant"() <{value = dense<0x3F000000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %9 = "stablehlo.multiply"(%8, %6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %10 = "stablehlo.multiply"(%arg0, %9) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%10) : (tensor<4xf32>) -> ()
  }
}
// relu float32[4]
module @golden {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
    %0 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = "stablehlo.maximum"(%arg0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }
}
// tanh bfloat16[4]
module @golden {
  func.func public @main(%arg0: tensor<4xbf16>) -> (tensor<4xbf16>) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<4xbf16>) -> tensor<4xf32>
    %1 = "stablehlo.tanh"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.convert"(%1) : (tensor<4xf32>) -> tensor<4xbf16>
    "func.return"(%2) : (tensor<4xbf16>) -> ()
  }
}
// pow.Tensor_Scalar float32[4] 2
module @golden {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
    %0 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }
}
// _tp_convert float32[4] int8
module @golden {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xi8>) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<4xf32>) -> tensor<4xi32>
    %1 = "stablehlo.convert"(%0) : (tensor<4xi32>) -> tensor<4xi8>
    "func.return"(%1) : (tensor<4xi8>) -> ()
  }
}
// _tp_fill [2,3] float32 1.5
module @golden {
  func.func public @main(%arg0: tensor<f64>) -> (tensor<2x3xf32>) {
    %0 = "stablehlo.convert"(%arg0) : (tensor<f64>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    "func.return"(%1) : (tensor<2x3xf32>) -> ()
  }
}
