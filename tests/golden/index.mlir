// cat {float32[2,3];float32[4,3]} 0
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<4x3xf32>) -> (tensor<6x3xf32>) {
    %0 = "stablehlo.concatenate"(%arg0, %arg1) <{dimension = 0 : i64}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
    "func.return"(%0) : (tensor<6x3xf32>) -> ()
  }
}
// embedding float32[10,4] int64[2,3] -1 false false
module @golden {
  func.func public @main(%arg0: tensor<10x4xf32>, %arg1: tensor<2x3xi64>) -> (tensor<2x3x4xf32>, tensor<i1>) {
    %0 = "stablehlo.constant"() <{value = dense<0x000000000000000A> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x3xi64>
    %2 = "stablehlo.compare"(%arg1, %1) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
    %3 = "stablehlo.constant"() <{value = dense<0x0000000000000000> : tensor<i64>}> : () -> tensor<i64>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x3xi64>
    %5 = "stablehlo.compare"(%arg1, %4) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi1>
    %6 = "stablehlo.or"(%5, %2) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %7 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%9: tensor<i1>, %10: tensor<i1>):
      %11 = "stablehlo.or"(%9, %10) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%11) : (tensor<i1>) -> ()
    }) : (tensor<2x3xi1>, tensor<i1>) -> tensor<i1>
    %12 = "stablehlo.convert"(%arg1) : (tensor<2x3xi64>) -> tensor<2x3xi32>
    %13 = "stablehlo.gather"(%arg0, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false}> : (tensor<10x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
    "func.return"(%13, %8) : (tensor<2x3x4xf32>, tensor<i1>) -> ()
  }
}
// gather float32[2,3] 1 int64[2,2] false
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x2xi64>) -> (tensor<2x2xf32>, tensor<i1>) {
    %0 = "stablehlo.constant"() <{value = dense<0x0000000000000003> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x2xi64>
    %2 = "stablehlo.compare"(%arg1, %1) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi1>
    %3 = "stablehlo.constant"() <{value = dense<0x0000000000000000> : tensor<i64>}> : () -> tensor<i64>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x2xi64>
    %5 = "stablehlo.compare"(%arg1, %4) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi1>
    %6 = "stablehlo.or"(%5, %2) : (tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<2x2xi1>
    %7 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%9: tensor<i1>, %10: tensor<i1>):
      %11 = "stablehlo.or"(%9, %10) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%11) : (tensor<i1>) -> ()
    }) : (tensor<2x2xi1>, tensor<i1>) -> tensor<i1>
    %12 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x2xi32>
    %13 = "stablehlo.reshape"(%12) : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %14 = "stablehlo.convert"(%arg1) : (tensor<2x2xi64>) -> tensor<2x2xi32>
    %15 = "stablehlo.reshape"(%14) : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %16 = "stablehlo.concatenate"(%13, %15) <{dimension = 2 : i64}> : (tensor<2x2x1xi32>, tensor<2x2x1xi32>) -> tensor<2x2x2xi32>
    %17 = "stablehlo.gather"(%arg0, %16) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false}> : (tensor<2x3xf32>, tensor<2x2x2xi32>) -> tensor<2x2xf32>
    "func.return"(%17, %8) : (tensor<2x2xf32>, tensor<i1>) -> ()
  }
}
// index_select float32[5,3] 0 int64[2]
module @golden {
  func.func public @main(%arg0: tensor<5x3xf32>, %arg1: tensor<2xi64>) -> (tensor<2x3xf32>, tensor<i1>) {
    %0 = "stablehlo.constant"() <{value = dense<0x0000000000000005> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2xi64>
    %2 = "stablehlo.compare"(%arg1, %1) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %3 = "stablehlo.constant"() <{value = dense<0x0000000000000000> : tensor<i64>}> : () -> tensor<i64>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2xi64>
    %5 = "stablehlo.compare"(%arg1, %4) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %6 = "stablehlo.or"(%5, %2) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
    %7 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 0>}> ({
    ^bb0(%9: tensor<i1>, %10: tensor<i1>):
      %11 = "stablehlo.or"(%9, %10) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%11) : (tensor<i1>) -> ()
    }) : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
    %12 = "stablehlo.convert"(%arg1) : (tensor<2xi64>) -> tensor<2xi32>
    %13 = "stablehlo.gather"(%arg0, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
    "func.return"(%13, %8) : (tensor<2x3xf32>, tensor<i1>) -> ()
  }
}
// scatter_add float32[2,3] 1 int64[2,2] float32[2,2]
module @golden {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x2xi64>, %arg2: tensor<2x2xf32>) -> (tensor<2x3xf32>, tensor<i1>) {
    %0 = "stablehlo.constant"() <{value = dense<0x0000000000000003> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x2xi64>
    %2 = "stablehlo.compare"(%arg1, %1) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi1>
    %3 = "stablehlo.constant"() <{value = dense<0x0000000000000000> : tensor<i64>}> : () -> tensor<i64>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x2xi64>
    %5 = "stablehlo.compare"(%arg1, %4) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi1>
    %6 = "stablehlo.or"(%5, %2) : (tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<2x2xi1>
    %7 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%9: tensor<i1>, %10: tensor<i1>):
      %11 = "stablehlo.or"(%9, %10) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%11) : (tensor<i1>) -> ()
    }) : (tensor<2x2xi1>, tensor<i1>) -> tensor<i1>
    %12 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x2xi32>
    %13 = "stablehlo.reshape"(%12) : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %14 = "stablehlo.convert"(%arg1) : (tensor<2x2xi64>) -> tensor<2x2xi32>
    %15 = "stablehlo.reshape"(%14) : (tensor<2x2xi32>) -> tensor<2x2x1xi32>
    %16 = "stablehlo.concatenate"(%13, %15) <{dimension = 2 : i64}> : (tensor<2x2x1xi32>, tensor<2x2x1xi32>) -> tensor<2x2x2xi32>
    %17 = "stablehlo.scatter"(%arg0, %16, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%18: tensor<f32>, %19: tensor<f32>):
      %20 = "stablehlo.add"(%18, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%20) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<2x2x2xi32>, tensor<2x2xf32>) -> tensor<2x3xf32>
    "func.return"(%17, %8) : (tensor<2x3xf32>, tensor<i1>) -> ()
  }
}
// nll_loss_forward float32[2,5] int64[2] none 1 -100
module @golden {
  func.func public @main(%arg0: tensor<2x5xf32>, %arg1: tensor<2xi64>) -> (tensor<f32>, tensor<f32>, tensor<i1>) {
    %0 = "stablehlo.reshape"(%arg1) : (tensor<2xi64>) -> tensor<2x1xi64>
    %1 = "stablehlo.constant"() <{value = dense<0x0000000000000000> : tensor<i64>}> : () -> tensor<i64>
    %2 = "stablehlo.constant"() <{value = dense<0xFFFFFFFFFFFFFF9C> : tensor<i64>}> : () -> tensor<i64>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x1xi64>
    %4 = "stablehlo.compare"(%0, %3) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x1xi1>
    %5 = "stablehlo.constant"() <{value = dense<0x0000000000000005> : tensor<i64>}> : () -> tensor<i64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x1xi64>
    %7 = "stablehlo.compare"(%0, %6) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x1xi1>
    %8 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<2x1xi64>
    %9 = "stablehlo.compare"(%0, %8) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x1xi1>
    %10 = "stablehlo.or"(%9, %7) : (tensor<2x1xi1>, tensor<2x1xi1>) -> tensor<2x1xi1>
    %11 = "stablehlo.and"(%4, %10) : (tensor<2x1xi1>, tensor<2x1xi1>) -> tensor<2x1xi1>
    %12 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %13 = "stablehlo.reduce"(%11, %12) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%14: tensor<i1>, %15: tensor<i1>):
      %16 = "stablehlo.or"(%14, %15) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%16) : (tensor<i1>) -> ()
    }) : (tensor<2x1xi1>, tensor<i1>) -> tensor<i1>
    %17 = "stablehlo.select"(%4, %0, %8) : (tensor<2x1xi1>, tensor<2x1xi64>, tensor<2x1xi64>) -> tensor<2x1xi64>
    %18 = "stablehlo.constant"() <{value = dense<0x3F800000> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1xf32>
    %20 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1xf32>
    %22 = "stablehlo.select"(%4, %19, %21) : (tensor<2x1xi1>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %23 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x1xi32>
    %24 = "stablehlo.reshape"(%23) : (tensor<2x1xi32>) -> tensor<2x1x1xi32>
    %25 = "stablehlo.convert"(%17) : (tensor<2x1xi64>) -> tensor<2x1xi32>
    %26 = "stablehlo.reshape"(%25) : (tensor<2x1xi32>) -> tensor<2x1x1xi32>
    %27 = "stablehlo.concatenate"(%24, %26) <{dimension = 2 : i64}> : (tensor<2x1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x2xi32>
    %28 = "stablehlo.gather"(%arg0, %27) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false}> : (tensor<2x5xf32>, tensor<2x1x2xi32>) -> tensor<2x1xf32>
    %29 = "stablehlo.multiply"(%28, %22) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %30 = "stablehlo.negate"(%29) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %31 = "stablehlo.select"(%4, %30, %21) : (tensor<2x1xi1>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<2x1xf32>) -> tensor<2xf32>
    %33 = "stablehlo.reduce"(%22, %20) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%34: tensor<f32>, %35: tensor<f32>):
      %36 = "stablehlo.add"(%34, %35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%36) : (tensor<f32>) -> ()
    }) : (tensor<2x1xf32>, tensor<f32>) -> tensor<f32>
    %37 = "stablehlo.reduce"(%32, %20) <{dimensions = array<i64: 0>}> ({
    ^bb0(%38: tensor<f32>, %39: tensor<f32>):
      %40 = "stablehlo.add"(%38, %39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%40) : (tensor<f32>) -> ()
    }) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %41 = "stablehlo.divide"(%37, %33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%41, %33, %13) : (tensor<f32>, tensor<f32>, tensor<i1>) -> ()
  }
}
