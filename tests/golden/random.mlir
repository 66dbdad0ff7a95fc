// uniform float32[4] 0 1 gen
module @golden {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<f64>, %arg2: tensor<f64>, %arg3: tensor<2xui64>) -> (tensor<4xf32>) {
    %0 = "stablehlo.slice"(%arg3) <{start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui64>) -> tensor<1xui64>
    %1 = "stablehlo.reshape"(%0) : (tensor<1xui64>) -> tensor<ui64>
    %2 = "stablehlo.constant"() <{value = dense<0x00000000FFFFFFFF> : tensor<ui64>}> : () -> tensor<ui64>
    %3 = "stablehlo.and"(%1, %2) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
    %4 = "stablehlo.convert"(%3) : (tensor<ui64>) -> tensor<ui32>
    %5 = "stablehlo.constant"() <{value = dense<0x0000000000000020> : tensor<ui64>}> : () -> tensor<ui64>
    %6 = "stablehlo.shift_right_logical"(%1, %5) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
    %7 = "stablehlo.convert"(%6) : (tensor<ui64>) -> tensor<ui32>
    %8 = "stablehlo.slice"(%arg3) <{start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<2xui64>) -> tensor<1xui64>
    %9 = "stablehlo.reshape"(%8) : (tensor<1xui64>) -> tensor<ui64>
    %10 = "stablehlo.and"(%9, %2) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
    %11 = "stablehlo.convert"(%10) : (tensor<ui64>) -> tensor<ui32>
    %12 = "stablehlo.shift_right_logical"(%9, %5) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
    %13 = "stablehlo.convert"(%12) : (tensor<ui64>) -> tensor<ui32>
    %14 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x4xui32>
    %15 = "stablehlo.constant"() <{value = dense<0x00000080> : tensor<ui32>}> : () -> tensor<ui32>
    %16 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1x4xui32>
    %17 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %18 = "stablehlo.multiply"(%16, %17) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %19 = "stablehlo.add"(%18, %14) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %20 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %21 = "stablehlo.add"(%20, %19) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %22 = "stablehlo.compare"(%21, %20) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type UNSIGNED>}> : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xi1>
    %23 = "stablehlo.convert"(%22) : (tensor<1x4xi1>) -> tensor<1x4xui32>
    %24 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<ui32>}> : () -> tensor<ui32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %26 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %27 = "stablehlo.add"(%26, %23) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %28 = "stablehlo.constant"() <{value = dense<0x0000FFFF> : tensor<ui32>}> : () -> tensor<ui32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %30 = "stablehlo.and"(%21, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %31 = "stablehlo.constant"() <{value = dense<0x00000010> : tensor<ui32>}> : () -> tensor<ui32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %33 = "stablehlo.shift_right_logical"(%21, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %34 = "stablehlo.constant"() <{value = dense<0x00001F53> : tensor<ui32>}> : () -> tensor<ui32>
    %35 = "stablehlo.constant"() <{value = dense<0x0000D251> : tensor<ui32>}> : () -> tensor<ui32>
    %36 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %37 = "stablehlo.multiply"(%30, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %38 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %39 = "stablehlo.multiply"(%30, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %40 = "stablehlo.multiply"(%33, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %41 = "stablehlo.multiply"(%33, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %42 = "stablehlo.and"(%40, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %43 = "stablehlo.and"(%39, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %44 = "stablehlo.shift_right_logical"(%37, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %45 = "stablehlo.add"(%44, %43) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %46 = "stablehlo.add"(%45, %42) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %47 = "stablehlo.shift_right_logical"(%46, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %48 = "stablehlo.shift_right_logical"(%40, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %49 = "stablehlo.add"(%48, %47) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %50 = "stablehlo.shift_right_logical"(%39, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %51 = "stablehlo.add"(%41, %50) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %52 = "stablehlo.add"(%51, %49) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %53 = "stablehlo.constant"() <{value = dense<0xD2511F53> : tensor<ui32>}> : () -> tensor<ui32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %55 = "stablehlo.multiply"(%21, %54) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %56 = "stablehlo.and"(%25, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %57 = "stablehlo.shift_right_logical"(%25, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %58 = "stablehlo.constant"() <{value = dense<0x00008D57> : tensor<ui32>}> : () -> tensor<ui32>
    %59 = "stablehlo.constant"() <{value = dense<0x0000CD9E> : tensor<ui32>}> : () -> tensor<ui32>
    %60 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %61 = "stablehlo.multiply"(%56, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %62 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %63 = "stablehlo.multiply"(%56, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %64 = "stablehlo.multiply"(%57, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %65 = "stablehlo.multiply"(%57, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %66 = "stablehlo.and"(%64, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %67 = "stablehlo.and"(%63, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %68 = "stablehlo.shift_right_logical"(%61, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %69 = "stablehlo.add"(%68, %67) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %70 = "stablehlo.add"(%69, %66) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %71 = "stablehlo.shift_right_logical"(%70, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %72 = "stablehlo.shift_right_logical"(%64, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %73 = "stablehlo.add"(%72, %71) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %74 = "stablehlo.shift_right_logical"(%63, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %75 = "stablehlo.add"(%65, %74) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %76 = "stablehlo.add"(%75, %73) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %77 = "stablehlo.constant"() <{value = dense<0xCD9E8D57> : tensor<ui32>}> : () -> tensor<ui32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %79 = "stablehlo.multiply"(%25, %78) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %80 = "stablehlo.xor"(%76, %27) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %81 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %82 = "stablehlo.xor"(%80, %81) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %83 = "stablehlo.xor"(%52, %25) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %84 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %85 = "stablehlo.xor"(%83, %84) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %86 = "stablehlo.constant"() <{value = dense<0x9E3779B9> : tensor<ui32>}> : () -> tensor<ui32>
    %87 = "stablehlo.add"(%4, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %88 = "stablehlo.constant"() <{value = dense<0xBB67AE85> : tensor<ui32>}> : () -> tensor<ui32>
    %89 = "stablehlo.add"(%7, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %90 = "stablehlo.and"(%82, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %91 = "stablehlo.shift_right_logical"(%82, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %92 = "stablehlo.multiply"(%90, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %93 = "stablehlo.multiply"(%90, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %94 = "stablehlo.multiply"(%91, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %95 = "stablehlo.multiply"(%91, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %96 = "stablehlo.and"(%94, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %97 = "stablehlo.and"(%93, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %98 = "stablehlo.shift_right_logical"(%92, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %99 = "stablehlo.add"(%98, %97) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %100 = "stablehlo.add"(%99, %96) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %101 = "stablehlo.shift_right_logical"(%100, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %102 = "stablehlo.shift_right_logical"(%94, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %103 = "stablehlo.add"(%102, %101) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %104 = "stablehlo.shift_right_logical"(%93, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %105 = "stablehlo.add"(%95, %104) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %106 = "stablehlo.add"(%105, %103) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %107 = "stablehlo.multiply"(%82, %54) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %108 = "stablehlo.and"(%85, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %109 = "stablehlo.shift_right_logical"(%85, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %110 = "stablehlo.multiply"(%108, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %111 = "stablehlo.multiply"(%108, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %112 = "stablehlo.multiply"(%109, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %113 = "stablehlo.multiply"(%109, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %114 = "stablehlo.and"(%112, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %115 = "stablehlo.and"(%111, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %116 = "stablehlo.shift_right_logical"(%110, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %117 = "stablehlo.add"(%116, %115) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %118 = "stablehlo.add"(%117, %114) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %119 = "stablehlo.shift_right_logical"(%118, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %120 = "stablehlo.shift_right_logical"(%112, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %121 = "stablehlo.add"(%120, %119) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %122 = "stablehlo.shift_right_logical"(%111, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %123 = "stablehlo.add"(%113, %122) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %124 = "stablehlo.add"(%123, %121) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %125 = "stablehlo.multiply"(%85, %78) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %126 = "stablehlo.xor"(%124, %79) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %127 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %128 = "stablehlo.xor"(%126, %127) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %129 = "stablehlo.xor"(%106, %55) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %130 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %131 = "stablehlo.xor"(%129, %130) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %132 = "stablehlo.add"(%87, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %133 = "stablehlo.add"(%89, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %134 = "stablehlo.and"(%128, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %135 = "stablehlo.shift_right_logical"(%128, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %136 = "stablehlo.multiply"(%134, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %137 = "stablehlo.multiply"(%134, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %138 = "stablehlo.multiply"(%135, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %139 = "stablehlo.multiply"(%135, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %140 = "stablehlo.and"(%138, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %141 = "stablehlo.and"(%137, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %142 = "stablehlo.shift_right_logical"(%136, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %143 = "stablehlo.add"(%142, %141) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %144 = "stablehlo.add"(%143, %140) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %145 = "stablehlo.shift_right_logical"(%144, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %146 = "stablehlo.shift_right_logical"(%138, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %147 = "stablehlo.add"(%146, %145) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %148 = "stablehlo.shift_right_logical"(%137, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %149 = "stablehlo.add"(%139, %148) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %150 = "stablehlo.add"(%149, %147) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %151 = "stablehlo.multiply"(%128, %54) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %152 = "stablehlo.and"(%131, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %153 = "stablehlo.shift_right_logical"(%131, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %154 = "stablehlo.multiply"(%152, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %155 = "stablehlo.multiply"(%152, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %156 = "stablehlo.multiply"(%153, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %157 = "stablehlo.multiply"(%153, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %158 = "stablehlo.and"(%156, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %159 = "stablehlo.and"(%155, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %160 = "stablehlo.shift_right_logical"(%154, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %161 = "stablehlo.add"(%160, %159) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %162 = "stablehlo.add"(%161, %158) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %163 = "stablehlo.shift_right_logical"(%162, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %164 = "stablehlo.shift_right_logical"(%156, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %165 = "stablehlo.add"(%164, %163) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %166 = "stablehlo.shift_right_logical"(%155, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %167 = "stablehlo.add"(%157, %166) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %168 = "stablehlo.add"(%167, %165) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %169 = "stablehlo.multiply"(%131, %78) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %170 = "stablehlo.xor"(%168, %125) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %171 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %172 = "stablehlo.xor"(%170, %171) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %173 = "stablehlo.xor"(%150, %107) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %174 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %175 = "stablehlo.xor"(%173, %174) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %176 = "stablehlo.add"(%132, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %177 = "stablehlo.add"(%133, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %178 = "stablehlo.and"(%172, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %179 = "stablehlo.shift_right_logical"(%172, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %180 = "stablehlo.multiply"(%178, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %181 = "stablehlo.multiply"(%178, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %182 = "stablehlo.multiply"(%179, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %183 = "stablehlo.multiply"(%179, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %184 = "stablehlo.and"(%182, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %185 = "stablehlo.and"(%181, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %186 = "stablehlo.shift_right_logical"(%180, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %187 = "stablehlo.add"(%186, %185) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %188 = "stablehlo.add"(%187, %184) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %189 = "stablehlo.shift_right_logical"(%188, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %190 = "stablehlo.shift_right_logical"(%182, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %191 = "stablehlo.add"(%190, %189) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %192 = "stablehlo.shift_right_logical"(%181, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %193 = "stablehlo.add"(%183, %192) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %194 = "stablehlo.add"(%193, %191) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %195 = "stablehlo.multiply"(%172, %54) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %196 = "stablehlo.and"(%175, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %197 = "stablehlo.shift_right_logical"(%175, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %198 = "stablehlo.multiply"(%196, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %199 = "stablehlo.multiply"(%196, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %200 = "stablehlo.multiply"(%197, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %201 = "stablehlo.multiply"(%197, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %202 = "stablehlo.and"(%200, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %203 = "stablehlo.and"(%199, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %204 = "stablehlo.shift_right_logical"(%198, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %205 = "stablehlo.add"(%204, %203) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %206 = "stablehlo.add"(%205, %202) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %207 = "stablehlo.shift_right_logical"(%206, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %208 = "stablehlo.shift_right_logical"(%200, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %209 = "stablehlo.add"(%208, %207) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %210 = "stablehlo.shift_right_logical"(%199, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %211 = "stablehlo.add"(%201, %210) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %212 = "stablehlo.add"(%211, %209) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %213 = "stablehlo.multiply"(%175, %78) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %214 = "stablehlo.xor"(%212, %169) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %215 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %216 = "stablehlo.xor"(%214, %215) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %217 = "stablehlo.xor"(%194, %151) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %218 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %219 = "stablehlo.xor"(%217, %218) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %220 = "stablehlo.add"(%176, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %221 = "stablehlo.add"(%177, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %222 = "stablehlo.and"(%216, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %223 = "stablehlo.shift_right_logical"(%216, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %224 = "stablehlo.multiply"(%222, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %225 = "stablehlo.multiply"(%222, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %226 = "stablehlo.multiply"(%223, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %227 = "stablehlo.multiply"(%223, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %228 = "stablehlo.and"(%226, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %229 = "stablehlo.and"(%225, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %230 = "stablehlo.shift_right_logical"(%224, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %231 = "stablehlo.add"(%230, %229) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %232 = "stablehlo.add"(%231, %228) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %233 = "stablehlo.shift_right_logical"(%232, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %234 = "stablehlo.shift_right_logical"(%226, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %235 = "stablehlo.add"(%234, %233) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %236 = "stablehlo.shift_right_logical"(%225, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %237 = "stablehlo.add"(%227, %236) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %238 = "stablehlo.add"(%237, %235) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %239 = "stablehlo.multiply"(%216, %54) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %240 = "stablehlo.and"(%219, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %241 = "stablehlo.shift_right_logical"(%219, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %242 = "stablehlo.multiply"(%240, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %243 = "stablehlo.multiply"(%240, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %244 = "stablehlo.multiply"(%241, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %245 = "stablehlo.multiply"(%241, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %246 = "stablehlo.and"(%244, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %247 = "stablehlo.and"(%243, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %248 = "stablehlo.shift_right_logical"(%242, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %249 = "stablehlo.add"(%248, %247) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %250 = "stablehlo.add"(%249, %246) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %251 = "stablehlo.shift_right_logical"(%250, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %252 = "stablehlo.shift_right_logical"(%244, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %253 = "stablehlo.add"(%252, %251) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %254 = "stablehlo.shift_right_logical"(%243, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %255 = "stablehlo.add"(%245, %254) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %256 = "stablehlo.add"(%255, %253) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %257 = "stablehlo.multiply"(%219, %78) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %258 = "stablehlo.xor"(%256, %213) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %259 = "stablehlo.broadcast_in_dim"(%220) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %260 = "stablehlo.xor"(%258, %259) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %261 = "stablehlo.xor"(%238, %195) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %262 = "stablehlo.broadcast_in_dim"(%221) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %263 = "stablehlo.xor"(%261, %262) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %264 = "stablehlo.add"(%220, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %265 = "stablehlo.add"(%221, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %266 = "stablehlo.and"(%260, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %267 = "stablehlo.shift_right_logical"(%260, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %268 = "stablehlo.multiply"(%266, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %269 = "stablehlo.multiply"(%266, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %270 = "stablehlo.multiply"(%267, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %271 = "stablehlo.multiply"(%267, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %272 = "stablehlo.and"(%270, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %273 = "stablehlo.and"(%269, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %274 = "stablehlo.shift_right_logical"(%268, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %275 = "stablehlo.add"(%274, %273) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %276 = "stablehlo.add"(%275, %272) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %277 = "stablehlo.shift_right_logical"(%276, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %278 = "stablehlo.shift_right_logical"(%270, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %279 = "stablehlo.add"(%278, %277) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %280 = "stablehlo.shift_right_logical"(%269, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %281 = "stablehlo.add"(%271, %280) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %282 = "stablehlo.add"(%281, %279) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %283 = "stablehlo.multiply"(%260, %54) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %284 = "stablehlo.and"(%263, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %285 = "stablehlo.shift_right_logical"(%263, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %286 = "stablehlo.multiply"(%284, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %287 = "stablehlo.multiply"(%284, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %288 = "stablehlo.multiply"(%285, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %289 = "stablehlo.multiply"(%285, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %290 = "stablehlo.and"(%288, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %291 = "stablehlo.and"(%287, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %292 = "stablehlo.shift_right_logical"(%286, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %293 = "stablehlo.add"(%292, %291) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %294 = "stablehlo.add"(%293, %290) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %295 = "stablehlo.shift_right_logical"(%294, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %296 = "stablehlo.shift_right_logical"(%288, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %297 = "stablehlo.add"(%296, %295) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %298 = "stablehlo.shift_right_logical"(%287, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %299 = "stablehlo.add"(%289, %298) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %300 = "stablehlo.add"(%299, %297) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %301 = "stablehlo.multiply"(%263, %78) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %302 = "stablehlo.xor"(%300, %257) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %303 = "stablehlo.broadcast_in_dim"(%264) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %304 = "stablehlo.xor"(%302, %303) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %305 = "stablehlo.xor"(%282, %239) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %306 = "stablehlo.broadcast_in_dim"(%265) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %307 = "stablehlo.xor"(%305, %306) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %308 = "stablehlo.add"(%264, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %309 = "stablehlo.add"(%265, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %310 = "stablehlo.and"(%304, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %311 = "stablehlo.shift_right_logical"(%304, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %312 = "stablehlo.multiply"(%310, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %313 = "stablehlo.multiply"(%310, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %314 = "stablehlo.multiply"(%311, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %315 = "stablehlo.multiply"(%311, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %316 = "stablehlo.and"(%314, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %317 = "stablehlo.and"(%313, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %318 = "stablehlo.shift_right_logical"(%312, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %319 = "stablehlo.add"(%318, %317) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %320 = "stablehlo.add"(%319, %316) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %321 = "stablehlo.shift_right_logical"(%320, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %322 = "stablehlo.shift_right_logical"(%314, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %323 = "stablehlo.add"(%322, %321) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %324 = "stablehlo.shift_right_logical"(%313, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %325 = "stablehlo.add"(%315, %324) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %326 = "stablehlo.add"(%325, %323) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %327 = "stablehlo.multiply"(%304, %54) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %328 = "stablehlo.and"(%307, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %329 = "stablehlo.shift_right_logical"(%307, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %330 = "stablehlo.multiply"(%328, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %331 = "stablehlo.multiply"(%328, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %332 = "stablehlo.multiply"(%329, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %333 = "stablehlo.multiply"(%329, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %334 = "stablehlo.and"(%332, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %335 = "stablehlo.and"(%331, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %336 = "stablehlo.shift_right_logical"(%330, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %337 = "stablehlo.add"(%336, %335) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %338 = "stablehlo.add"(%337, %334) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %339 = "stablehlo.shift_right_logical"(%338, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %340 = "stablehlo.shift_right_logical"(%332, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %341 = "stablehlo.add"(%340, %339) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %342 = "stablehlo.shift_right_logical"(%331, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %343 = "stablehlo.add"(%333, %342) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %344 = "stablehlo.add"(%343, %341) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %345 = "stablehlo.multiply"(%307, %78) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %346 = "stablehlo.xor"(%344, %301) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %347 = "stablehlo.broadcast_in_dim"(%308) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %348 = "stablehlo.xor"(%346, %347) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %349 = "stablehlo.xor"(%326, %283) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %350 = "stablehlo.broadcast_in_dim"(%309) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %351 = "stablehlo.xor"(%349, %350) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %352 = "stablehlo.add"(%308, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %353 = "stablehlo.add"(%309, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %354 = "stablehlo.and"(%348, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %355 = "stablehlo.shift_right_logical"(%348, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %356 = "stablehlo.multiply"(%354, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %357 = "stablehlo.multiply"(%354, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %358 = "stablehlo.multiply"(%355, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %359 = "stablehlo.multiply"(%355, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %360 = "stablehlo.and"(%358, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %361 = "stablehlo.and"(%357, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %362 = "stablehlo.shift_right_logical"(%356, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %363 = "stablehlo.add"(%362, %361) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %364 = "stablehlo.add"(%363, %360) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %365 = "stablehlo.shift_right_logical"(%364, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %366 = "stablehlo.shift_right_logical"(%358, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %367 = "stablehlo.add"(%366, %365) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %368 = "stablehlo.shift_right_logical"(%357, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %369 = "stablehlo.add"(%359, %368) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %370 = "stablehlo.add"(%369, %367) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %371 = "stablehlo.multiply"(%348, %54) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %372 = "stablehlo.and"(%351, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %373 = "stablehlo.shift_right_logical"(%351, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %374 = "stablehlo.multiply"(%372, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %375 = "stablehlo.multiply"(%372, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %376 = "stablehlo.multiply"(%373, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %377 = "stablehlo.multiply"(%373, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %378 = "stablehlo.and"(%376, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %379 = "stablehlo.and"(%375, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %380 = "stablehlo.shift_right_logical"(%374, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %381 = "stablehlo.add"(%380, %379) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %382 = "stablehlo.add"(%381, %378) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %383 = "stablehlo.shift_right_logical"(%382, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %384 = "stablehlo.shift_right_logical"(%376, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %385 = "stablehlo.add"(%384, %383) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %386 = "stablehlo.shift_right_logical"(%375, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %387 = "stablehlo.add"(%377, %386) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %388 = "stablehlo.add"(%387, %385) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %389 = "stablehlo.xor"(%388, %345) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %390 = "stablehlo.broadcast_in_dim"(%352) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %391 = "stablehlo.xor"(%389, %390) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %392 = "stablehlo.xor"(%370, %327) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %393 = "stablehlo.broadcast_in_dim"(%353) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %394 = "stablehlo.xor"(%392, %393) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %395 = "stablehlo.add"(%352, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %396 = "stablehlo.add"(%353, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %397 = "stablehlo.and"(%391, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %398 = "stablehlo.shift_right_logical"(%391, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %399 = "stablehlo.multiply"(%397, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %400 = "stablehlo.multiply"(%397, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %401 = "stablehlo.multiply"(%398, %36) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %402 = "stablehlo.multiply"(%398, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %403 = "stablehlo.and"(%401, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %404 = "stablehlo.and"(%400, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %405 = "stablehlo.shift_right_logical"(%399, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %406 = "stablehlo.add"(%405, %404) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %407 = "stablehlo.add"(%406, %403) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %408 = "stablehlo.shift_right_logical"(%407, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %409 = "stablehlo.shift_right_logical"(%401, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %410 = "stablehlo.add"(%409, %408) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %411 = "stablehlo.shift_right_logical"(%400, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %412 = "stablehlo.add"(%402, %411) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %413 = "stablehlo.add"(%412, %410) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %414 = "stablehlo.multiply"(%394, %78) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %415 = "stablehlo.xor"(%413, %371) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %416 = "stablehlo.broadcast_in_dim"(%396) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %417 = "stablehlo.xor"(%415, %416) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %418 = "stablehlo.add"(%395, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %419 = "stablehlo.and"(%417, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %420 = "stablehlo.shift_right_logical"(%417, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %421 = "stablehlo.multiply"(%419, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %422 = "stablehlo.multiply"(%419, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %423 = "stablehlo.multiply"(%420, %60) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %424 = "stablehlo.multiply"(%420, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %425 = "stablehlo.and"(%423, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %426 = "stablehlo.and"(%422, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %427 = "stablehlo.shift_right_logical"(%421, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %428 = "stablehlo.add"(%427, %426) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %429 = "stablehlo.add"(%428, %425) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %430 = "stablehlo.shift_right_logical"(%429, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %431 = "stablehlo.shift_right_logical"(%423, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %432 = "stablehlo.add"(%431, %430) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %433 = "stablehlo.shift_right_logical"(%422, %32) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %434 = "stablehlo.add"(%424, %433) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %435 = "stablehlo.add"(%434, %432) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %436 = "stablehlo.xor"(%435, %414) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %437 = "stablehlo.broadcast_in_dim"(%418) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %438 = "stablehlo.xor"(%436, %437) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %439 = "stablehlo.reshape"(%438) : (tensor<1x4xui32>) -> tensor<1x1x4xui32>
    %440 = "stablehlo.reshape"(%439) : (tensor<1x1x4xui32>) -> tensor<4xui32>
    %441 = "stablehlo.constant"() <{value = dense<0x33800000> : tensor<f32>}> : () -> tensor<f32>
    %442 = "stablehlo.constant"() <{value = dense<0x00000008> : tensor<ui32>}> : () -> tensor<ui32>
    %443 = "stablehlo.broadcast_in_dim"(%442) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %444 = "stablehlo.shift_right_logical"(%440, %443) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %445 = "stablehlo.convert"(%444) : (tensor<4xui32>) -> tensor<4xf32>
    %446 = "stablehlo.broadcast_in_dim"(%441) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %447 = "stablehlo.multiply"(%445, %446) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %448 = "stablehlo.convert"(%arg1) : (tensor<f64>) -> tensor<f32>
    %449 = "stablehlo.convert"(%arg2) : (tensor<f64>) -> tensor<f32>
    %450 = "stablehlo.subtract"(%449, %448) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %451 = "stablehlo.broadcast_in_dim"(%450) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %452 = "stablehlo.multiply"(%447, %451) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %453 = "stablehlo.broadcast_in_dim"(%448) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %454 = "stablehlo.add"(%452, %453) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%454) : (tensor<4xf32>) -> ()
  }
}
// native_dropout float32[4] 0.5 true gen
module @golden {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<f64>, %arg2: tensor<2xui64>) -> (tensor<4xf32>, tensor<4xi1>) {
    %0 = "stablehlo.constant"() <{value = dense<0x3FF0000000000000> : tensor<f64>}> : () -> tensor<f64>
    %1 = "stablehlo.subtract"(%0, %arg1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %2 = "stablehlo.slice"(%arg2) <{start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui64>) -> tensor<1xui64>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui64>) -> tensor<ui64>
    %4 = "stablehlo.constant"() <{value = dense<0x00000000FFFFFFFF> : tensor<ui64>}> : () -> tensor<ui64>
    %5 = "stablehlo.and"(%3, %4) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
    %6 = "stablehlo.convert"(%5) : (tensor<ui64>) -> tensor<ui32>
    %7 = "stablehlo.constant"() <{value = dense<0x0000000000000020> : tensor<ui64>}> : () -> tensor<ui64>
    %8 = "stablehlo.shift_right_logical"(%3, %7) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
    %9 = "stablehlo.convert"(%8) : (tensor<ui64>) -> tensor<ui32>
    %10 = "stablehlo.slice"(%arg2) <{start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<2xui64>) -> tensor<1xui64>
    %11 = "stablehlo.reshape"(%10) : (tensor<1xui64>) -> tensor<ui64>
    %12 = "stablehlo.and"(%11, %4) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
    %13 = "stablehlo.convert"(%12) : (tensor<ui64>) -> tensor<ui32>
    %14 = "stablehlo.shift_right_logical"(%11, %7) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
    %15 = "stablehlo.convert"(%14) : (tensor<ui64>) -> tensor<ui32>
    %16 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x4xui32>
    %17 = "stablehlo.constant"() <{value = dense<0x00000080> : tensor<ui32>}> : () -> tensor<ui32>
    %18 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1x4xui32>
    %19 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %20 = "stablehlo.multiply"(%18, %19) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %21 = "stablehlo.add"(%20, %16) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %22 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %23 = "stablehlo.add"(%22, %21) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %24 = "stablehlo.compare"(%23, %22) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type UNSIGNED>}> : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xi1>
    %25 = "stablehlo.convert"(%24) : (tensor<1x4xi1>) -> tensor<1x4xui32>
    %26 = "stablehlo.constant"() <{value = dense<0x00000000> : tensor<ui32>}> : () -> tensor<ui32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %28 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %29 = "stablehlo.add"(%28, %25) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %30 = "stablehlo.constant"() <{value = dense<0x0000FFFF> : tensor<ui32>}> : () -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %32 = "stablehlo.and"(%23, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %33 = "stablehlo.constant"() <{value = dense<0x00000010> : tensor<ui32>}> : () -> tensor<ui32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %35 = "stablehlo.shift_right_logical"(%23, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %36 = "stablehlo.constant"() <{value = dense<0x00001F53> : tensor<ui32>}> : () -> tensor<ui32>
    %37 = "stablehlo.constant"() <{value = dense<0x0000D251> : tensor<ui32>}> : () -> tensor<ui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %39 = "stablehlo.multiply"(%32, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %40 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %41 = "stablehlo.multiply"(%32, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %42 = "stablehlo.multiply"(%35, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %43 = "stablehlo.multiply"(%35, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %44 = "stablehlo.and"(%42, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %45 = "stablehlo.and"(%41, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %46 = "stablehlo.shift_right_logical"(%39, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %47 = "stablehlo.add"(%46, %45) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %48 = "stablehlo.add"(%47, %44) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %49 = "stablehlo.shift_right_logical"(%48, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %50 = "stablehlo.shift_right_logical"(%42, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %51 = "stablehlo.add"(%50, %49) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %52 = "stablehlo.shift_right_logical"(%41, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %53 = "stablehlo.add"(%43, %52) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %54 = "stablehlo.add"(%53, %51) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %55 = "stablehlo.constant"() <{value = dense<0xD2511F53> : tensor<ui32>}> : () -> tensor<ui32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %57 = "stablehlo.multiply"(%23, %56) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %58 = "stablehlo.and"(%27, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %59 = "stablehlo.shift_right_logical"(%27, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %60 = "stablehlo.constant"() <{value = dense<0x00008D57> : tensor<ui32>}> : () -> tensor<ui32>
    %61 = "stablehlo.constant"() <{value = dense<0x0000CD9E> : tensor<ui32>}> : () -> tensor<ui32>
    %62 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %63 = "stablehlo.multiply"(%58, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %64 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %65 = "stablehlo.multiply"(%58, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %66 = "stablehlo.multiply"(%59, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %67 = "stablehlo.multiply"(%59, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %68 = "stablehlo.and"(%66, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %69 = "stablehlo.and"(%65, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %70 = "stablehlo.shift_right_logical"(%63, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %71 = "stablehlo.add"(%70, %69) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %72 = "stablehlo.add"(%71, %68) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %73 = "stablehlo.shift_right_logical"(%72, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %74 = "stablehlo.shift_right_logical"(%66, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %75 = "stablehlo.add"(%74, %73) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %76 = "stablehlo.shift_right_logical"(%65, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %77 = "stablehlo.add"(%67, %76) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %78 = "stablehlo.add"(%77, %75) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %79 = "stablehlo.constant"() <{value = dense<0xCD9E8D57> : tensor<ui32>}> : () -> tensor<ui32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %81 = "stablehlo.multiply"(%27, %80) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %82 = "stablehlo.xor"(%78, %29) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %83 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %84 = "stablehlo.xor"(%82, %83) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %85 = "stablehlo.xor"(%54, %27) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %86 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %87 = "stablehlo.xor"(%85, %86) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %88 = "stablehlo.constant"() <{value = dense<0x9E3779B9> : tensor<ui32>}> : () -> tensor<ui32>
    %89 = "stablehlo.add"(%6, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %90 = "stablehlo.constant"() <{value = dense<0xBB67AE85> : tensor<ui32>}> : () -> tensor<ui32>
    %91 = "stablehlo.add"(%9, %90) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %92 = "stablehlo.and"(%84, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %93 = "stablehlo.shift_right_logical"(%84, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %94 = "stablehlo.multiply"(%92, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %95 = "stablehlo.multiply"(%92, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %96 = "stablehlo.multiply"(%93, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %97 = "stablehlo.multiply"(%93, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %98 = "stablehlo.and"(%96, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %99 = "stablehlo.and"(%95, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %100 = "stablehlo.shift_right_logical"(%94, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %101 = "stablehlo.add"(%100, %99) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %102 = "stablehlo.add"(%101, %98) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %103 = "stablehlo.shift_right_logical"(%102, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %104 = "stablehlo.shift_right_logical"(%96, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %105 = "stablehlo.add"(%104, %103) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %106 = "stablehlo.shift_right_logical"(%95, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %107 = "stablehlo.add"(%97, %106) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %108 = "stablehlo.add"(%107, %105) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %109 = "stablehlo.multiply"(%84, %56) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %110 = "stablehlo.and"(%87, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %111 = "stablehlo.shift_right_logical"(%87, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %112 = "stablehlo.multiply"(%110, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %113 = "stablehlo.multiply"(%110, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %114 = "stablehlo.multiply"(%111, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %115 = "stablehlo.multiply"(%111, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %116 = "stablehlo.and"(%114, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %117 = "stablehlo.and"(%113, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %118 = "stablehlo.shift_right_logical"(%112, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %119 = "stablehlo.add"(%118, %117) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %120 = "stablehlo.add"(%119, %116) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %121 = "stablehlo.shift_right_logical"(%120, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %122 = "stablehlo.shift_right_logical"(%114, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %123 = "stablehlo.add"(%122, %121) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %124 = "stablehlo.shift_right_logical"(%113, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %125 = "stablehlo.add"(%115, %124) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %126 = "stablehlo.add"(%125, %123) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %127 = "stablehlo.multiply"(%87, %80) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %128 = "stablehlo.xor"(%126, %81) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %129 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %130 = "stablehlo.xor"(%128, %129) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %131 = "stablehlo.xor"(%108, %57) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %132 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %133 = "stablehlo.xor"(%131, %132) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %134 = "stablehlo.add"(%89, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %135 = "stablehlo.add"(%91, %90) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %136 = "stablehlo.and"(%130, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %137 = "stablehlo.shift_right_logical"(%130, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %138 = "stablehlo.multiply"(%136, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %139 = "stablehlo.multiply"(%136, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %140 = "stablehlo.multiply"(%137, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %141 = "stablehlo.multiply"(%137, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %142 = "stablehlo.and"(%140, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %143 = "stablehlo.and"(%139, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %144 = "stablehlo.shift_right_logical"(%138, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %145 = "stablehlo.add"(%144, %143) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %146 = "stablehlo.add"(%145, %142) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %147 = "stablehlo.shift_right_logical"(%146, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %148 = "stablehlo.shift_right_logical"(%140, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %149 = "stablehlo.add"(%148, %147) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %150 = "stablehlo.shift_right_logical"(%139, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %151 = "stablehlo.add"(%141, %150) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %152 = "stablehlo.add"(%151, %149) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %153 = "stablehlo.multiply"(%130, %56) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %154 = "stablehlo.and"(%133, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %155 = "stablehlo.shift_right_logical"(%133, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %156 = "stablehlo.multiply"(%154, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %157 = "stablehlo.multiply"(%154, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %158 = "stablehlo.multiply"(%155, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %159 = "stablehlo.multiply"(%155, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %160 = "stablehlo.and"(%158, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %161 = "stablehlo.and"(%157, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %162 = "stablehlo.shift_right_logical"(%156, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %163 = "stablehlo.add"(%162, %161) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %164 = "stablehlo.add"(%163, %160) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %165 = "stablehlo.shift_right_logical"(%164, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %166 = "stablehlo.shift_right_logical"(%158, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %167 = "stablehlo.add"(%166, %165) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %168 = "stablehlo.shift_right_logical"(%157, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %169 = "stablehlo.add"(%159, %168) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %170 = "stablehlo.add"(%169, %167) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %171 = "stablehlo.multiply"(%133, %80) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %172 = "stablehlo.xor"(%170, %127) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %173 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %174 = "stablehlo.xor"(%172, %173) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %175 = "stablehlo.xor"(%152, %109) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %176 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %177 = "stablehlo.xor"(%175, %176) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %178 = "stablehlo.add"(%134, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %179 = "stablehlo.add"(%135, %90) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %180 = "stablehlo.and"(%174, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %181 = "stablehlo.shift_right_logical"(%174, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %182 = "stablehlo.multiply"(%180, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %183 = "stablehlo.multiply"(%180, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %184 = "stablehlo.multiply"(%181, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %185 = "stablehlo.multiply"(%181, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %186 = "stablehlo.and"(%184, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %187 = "stablehlo.and"(%183, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %188 = "stablehlo.shift_right_logical"(%182, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %189 = "stablehlo.add"(%188, %187) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %190 = "stablehlo.add"(%189, %186) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %191 = "stablehlo.shift_right_logical"(%190, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %192 = "stablehlo.shift_right_logical"(%184, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %193 = "stablehlo.add"(%192, %191) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %194 = "stablehlo.shift_right_logical"(%183, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %195 = "stablehlo.add"(%185, %194) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %196 = "stablehlo.add"(%195, %193) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %197 = "stablehlo.multiply"(%174, %56) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %198 = "stablehlo.and"(%177, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %199 = "stablehlo.shift_right_logical"(%177, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %200 = "stablehlo.multiply"(%198, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %201 = "stablehlo.multiply"(%198, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %202 = "stablehlo.multiply"(%199, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %203 = "stablehlo.multiply"(%199, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %204 = "stablehlo.and"(%202, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %205 = "stablehlo.and"(%201, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %206 = "stablehlo.shift_right_logical"(%200, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %207 = "stablehlo.add"(%206, %205) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %208 = "stablehlo.add"(%207, %204) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %209 = "stablehlo.shift_right_logical"(%208, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %210 = "stablehlo.shift_right_logical"(%202, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %211 = "stablehlo.add"(%210, %209) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %212 = "stablehlo.shift_right_logical"(%201, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %213 = "stablehlo.add"(%203, %212) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %214 = "stablehlo.add"(%213, %211) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %215 = "stablehlo.multiply"(%177, %80) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %216 = "stablehlo.xor"(%214, %171) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %217 = "stablehlo.broadcast_in_dim"(%178) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %218 = "stablehlo.xor"(%216, %217) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %219 = "stablehlo.xor"(%196, %153) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %220 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %221 = "stablehlo.xor"(%219, %220) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %222 = "stablehlo.add"(%178, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %223 = "stablehlo.add"(%179, %90) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %224 = "stablehlo.and"(%218, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %225 = "stablehlo.shift_right_logical"(%218, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %226 = "stablehlo.multiply"(%224, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %227 = "stablehlo.multiply"(%224, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %228 = "stablehlo.multiply"(%225, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %229 = "stablehlo.multiply"(%225, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %230 = "stablehlo.and"(%228, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %231 = "stablehlo.and"(%227, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %232 = "stablehlo.shift_right_logical"(%226, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %233 = "stablehlo.add"(%232, %231) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %234 = "stablehlo.add"(%233, %230) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %235 = "stablehlo.shift_right_logical"(%234, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %236 = "stablehlo.shift_right_logical"(%228, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %237 = "stablehlo.add"(%236, %235) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %238 = "stablehlo.shift_right_logical"(%227, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %239 = "stablehlo.add"(%229, %238) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %240 = "stablehlo.add"(%239, %237) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %241 = "stablehlo.multiply"(%218, %56) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %242 = "stablehlo.and"(%221, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %243 = "stablehlo.shift_right_logical"(%221, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %244 = "stablehlo.multiply"(%242, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %245 = "stablehlo.multiply"(%242, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %246 = "stablehlo.multiply"(%243, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %247 = "stablehlo.multiply"(%243, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %248 = "stablehlo.and"(%246, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %249 = "stablehlo.and"(%245, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %250 = "stablehlo.shift_right_logical"(%244, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %251 = "stablehlo.add"(%250, %249) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %252 = "stablehlo.add"(%251, %248) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %253 = "stablehlo.shift_right_logical"(%252, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %254 = "stablehlo.shift_right_logical"(%246, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %255 = "stablehlo.add"(%254, %253) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %256 = "stablehlo.shift_right_logical"(%245, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %257 = "stablehlo.add"(%247, %256) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %258 = "stablehlo.add"(%257, %255) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %259 = "stablehlo.multiply"(%221, %80) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %260 = "stablehlo.xor"(%258, %215) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %261 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %262 = "stablehlo.xor"(%260, %261) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %263 = "stablehlo.xor"(%240, %197) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %264 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %265 = "stablehlo.xor"(%263, %264) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %266 = "stablehlo.add"(%222, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %267 = "stablehlo.add"(%223, %90) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %268 = "stablehlo.and"(%262, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %269 = "stablehlo.shift_right_logical"(%262, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %270 = "stablehlo.multiply"(%268, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %271 = "stablehlo.multiply"(%268, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %272 = "stablehlo.multiply"(%269, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %273 = "stablehlo.multiply"(%269, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %274 = "stablehlo.and"(%272, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %275 = "stablehlo.and"(%271, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %276 = "stablehlo.shift_right_logical"(%270, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %277 = "stablehlo.add"(%276, %275) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %278 = "stablehlo.add"(%277, %274) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %279 = "stablehlo.shift_right_logical"(%278, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %280 = "stablehlo.shift_right_logical"(%272, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %281 = "stablehlo.add"(%280, %279) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %282 = "stablehlo.shift_right_logical"(%271, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %283 = "stablehlo.add"(%273, %282) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %284 = "stablehlo.add"(%283, %281) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %285 = "stablehlo.multiply"(%262, %56) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %286 = "stablehlo.and"(%265, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %287 = "stablehlo.shift_right_logical"(%265, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %288 = "stablehlo.multiply"(%286, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %289 = "stablehlo.multiply"(%286, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %290 = "stablehlo.multiply"(%287, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %291 = "stablehlo.multiply"(%287, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %292 = "stablehlo.and"(%290, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %293 = "stablehlo.and"(%289, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %294 = "stablehlo.shift_right_logical"(%288, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %295 = "stablehlo.add"(%294, %293) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %296 = "stablehlo.add"(%295, %292) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %297 = "stablehlo.shift_right_logical"(%296, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %298 = "stablehlo.shift_right_logical"(%290, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %299 = "stablehlo.add"(%298, %297) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %300 = "stablehlo.shift_right_logical"(%289, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %301 = "stablehlo.add"(%291, %300) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %302 = "stablehlo.add"(%301, %299) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %303 = "stablehlo.multiply"(%265, %80) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %304 = "stablehlo.xor"(%302, %259) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %305 = "stablehlo.broadcast_in_dim"(%266) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %306 = "stablehlo.xor"(%304, %305) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %307 = "stablehlo.xor"(%284, %241) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %308 = "stablehlo.broadcast_in_dim"(%267) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %309 = "stablehlo.xor"(%307, %308) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %310 = "stablehlo.add"(%266, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %311 = "stablehlo.add"(%267, %90) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %312 = "stablehlo.and"(%306, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %313 = "stablehlo.shift_right_logical"(%306, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %314 = "stablehlo.multiply"(%312, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %315 = "stablehlo.multiply"(%312, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %316 = "stablehlo.multiply"(%313, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %317 = "stablehlo.multiply"(%313, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %318 = "stablehlo.and"(%316, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %319 = "stablehlo.and"(%315, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %320 = "stablehlo.shift_right_logical"(%314, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %321 = "stablehlo.add"(%320, %319) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %322 = "stablehlo.add"(%321, %318) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %323 = "stablehlo.shift_right_logical"(%322, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %324 = "stablehlo.shift_right_logical"(%316, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %325 = "stablehlo.add"(%324, %323) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %326 = "stablehlo.shift_right_logical"(%315, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %327 = "stablehlo.add"(%317, %326) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %328 = "stablehlo.add"(%327, %325) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %329 = "stablehlo.multiply"(%306, %56) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %330 = "stablehlo.and"(%309, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %331 = "stablehlo.shift_right_logical"(%309, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %332 = "stablehlo.multiply"(%330, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %333 = "stablehlo.multiply"(%330, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %334 = "stablehlo.multiply"(%331, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %335 = "stablehlo.multiply"(%331, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %336 = "stablehlo.and"(%334, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %337 = "stablehlo.and"(%333, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %338 = "stablehlo.shift_right_logical"(%332, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %339 = "stablehlo.add"(%338, %337) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %340 = "stablehlo.add"(%339, %336) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %341 = "stablehlo.shift_right_logical"(%340, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %342 = "stablehlo.shift_right_logical"(%334, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %343 = "stablehlo.add"(%342, %341) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %344 = "stablehlo.shift_right_logical"(%333, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %345 = "stablehlo.add"(%335, %344) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %346 = "stablehlo.add"(%345, %343) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %347 = "stablehlo.multiply"(%309, %80) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %348 = "stablehlo.xor"(%346, %303) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %349 = "stablehlo.broadcast_in_dim"(%310) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %350 = "stablehlo.xor"(%348, %349) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %351 = "stablehlo.xor"(%328, %285) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %352 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %353 = "stablehlo.xor"(%351, %352) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %354 = "stablehlo.add"(%310, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %355 = "stablehlo.add"(%311, %90) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %356 = "stablehlo.and"(%350, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %357 = "stablehlo.shift_right_logical"(%350, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %358 = "stablehlo.multiply"(%356, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %359 = "stablehlo.multiply"(%356, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %360 = "stablehlo.multiply"(%357, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %361 = "stablehlo.multiply"(%357, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %362 = "stablehlo.and"(%360, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %363 = "stablehlo.and"(%359, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %364 = "stablehlo.shift_right_logical"(%358, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %365 = "stablehlo.add"(%364, %363) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %366 = "stablehlo.add"(%365, %362) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %367 = "stablehlo.shift_right_logical"(%366, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %368 = "stablehlo.shift_right_logical"(%360, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %369 = "stablehlo.add"(%368, %367) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %370 = "stablehlo.shift_right_logical"(%359, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %371 = "stablehlo.add"(%361, %370) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %372 = "stablehlo.add"(%371, %369) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %373 = "stablehlo.multiply"(%350, %56) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %374 = "stablehlo.and"(%353, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %375 = "stablehlo.shift_right_logical"(%353, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %376 = "stablehlo.multiply"(%374, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %377 = "stablehlo.multiply"(%374, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %378 = "stablehlo.multiply"(%375, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %379 = "stablehlo.multiply"(%375, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %380 = "stablehlo.and"(%378, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %381 = "stablehlo.and"(%377, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %382 = "stablehlo.shift_right_logical"(%376, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %383 = "stablehlo.add"(%382, %381) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %384 = "stablehlo.add"(%383, %380) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %385 = "stablehlo.shift_right_logical"(%384, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %386 = "stablehlo.shift_right_logical"(%378, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %387 = "stablehlo.add"(%386, %385) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %388 = "stablehlo.shift_right_logical"(%377, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %389 = "stablehlo.add"(%379, %388) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %390 = "stablehlo.add"(%389, %387) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %391 = "stablehlo.xor"(%390, %347) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %392 = "stablehlo.broadcast_in_dim"(%354) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %393 = "stablehlo.xor"(%391, %392) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %394 = "stablehlo.xor"(%372, %329) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %395 = "stablehlo.broadcast_in_dim"(%355) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %396 = "stablehlo.xor"(%394, %395) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %397 = "stablehlo.add"(%354, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %398 = "stablehlo.add"(%355, %90) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %399 = "stablehlo.and"(%393, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %400 = "stablehlo.shift_right_logical"(%393, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %401 = "stablehlo.multiply"(%399, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %402 = "stablehlo.multiply"(%399, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %403 = "stablehlo.multiply"(%400, %38) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %404 = "stablehlo.multiply"(%400, %40) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %405 = "stablehlo.and"(%403, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %406 = "stablehlo.and"(%402, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %407 = "stablehlo.shift_right_logical"(%401, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %408 = "stablehlo.add"(%407, %406) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %409 = "stablehlo.add"(%408, %405) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %410 = "stablehlo.shift_right_logical"(%409, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %411 = "stablehlo.shift_right_logical"(%403, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %412 = "stablehlo.add"(%411, %410) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %413 = "stablehlo.shift_right_logical"(%402, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %414 = "stablehlo.add"(%404, %413) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %415 = "stablehlo.add"(%414, %412) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %416 = "stablehlo.multiply"(%396, %80) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %417 = "stablehlo.xor"(%415, %373) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %418 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %419 = "stablehlo.xor"(%417, %418) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %420 = "stablehlo.add"(%397, %88) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %421 = "stablehlo.and"(%419, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %422 = "stablehlo.shift_right_logical"(%419, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %423 = "stablehlo.multiply"(%421, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %424 = "stablehlo.multiply"(%421, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %425 = "stablehlo.multiply"(%422, %62) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %426 = "stablehlo.multiply"(%422, %64) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %427 = "stablehlo.and"(%425, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %428 = "stablehlo.and"(%424, %31) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %429 = "stablehlo.shift_right_logical"(%423, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %430 = "stablehlo.add"(%429, %428) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %431 = "stablehlo.add"(%430, %427) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %432 = "stablehlo.shift_right_logical"(%431, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %433 = "stablehlo.shift_right_logical"(%425, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %434 = "stablehlo.add"(%433, %432) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %435 = "stablehlo.shift_right_logical"(%424, %34) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %436 = "stablehlo.add"(%426, %435) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %437 = "stablehlo.add"(%436, %434) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %438 = "stablehlo.xor"(%437, %416) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %439 = "stablehlo.broadcast_in_dim"(%420) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1x4xui32>
    %440 = "stablehlo.xor"(%438, %439) : (tensor<1x4xui32>, tensor<1x4xui32>) -> tensor<1x4xui32>
    %441 = "stablehlo.reshape"(%440) : (tensor<1x4xui32>) -> tensor<1x1x4xui32>
    %442 = "stablehlo.reshape"(%441) : (tensor<1x1x4xui32>) -> tensor<4xui32>
    %443 = "stablehlo.constant"() <{value = dense<0x33800000> : tensor<f32>}> : () -> tensor<f32>
    %444 = "stablehlo.constant"() <{value = dense<0x00000008> : tensor<ui32>}> : () -> tensor<ui32>
    %445 = "stablehlo.broadcast_in_dim"(%444) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4xui32>
    %446 = "stablehlo.shift_right_logical"(%442, %445) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %447 = "stablehlo.convert"(%446) : (tensor<4xui32>) -> tensor<4xf32>
    %448 = "stablehlo.broadcast_in_dim"(%443) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %449 = "stablehlo.multiply"(%447, %448) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %450 = "stablehlo.convert"(%1) : (tensor<f64>) -> tensor<f32>
    %451 = "stablehlo.broadcast_in_dim"(%450) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %452 = "stablehlo.compare"(%449, %451) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %453 = "stablehlo.constant"() <{value = dense<0x0000000000000000> : tensor<f64>}> : () -> tensor<f64>
    %454 = "stablehlo.divide"(%0, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
    %455 = "stablehlo.compare"(%1, %453) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %456 = "stablehlo.select"(%455, %453, %454) : (tensor<i1>, tensor<f64>, tensor<f64>) -> tensor<f64>
    %457 = "stablehlo.convert"(%456) : (tensor<f64>) -> tensor<f32>
    %458 = "stablehlo.broadcast_in_dim"(%457) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %459 = "stablehlo.multiply"(%arg0, %458) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %460 = "stablehlo.convert"(%452) : (tensor<4xi1>) -> tensor<4xf32>
    %461 = "stablehlo.multiply"(%459, %460) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%461, %452) : (tensor<4xf32>, tensor<4xi1>) -> ()
  }
}
