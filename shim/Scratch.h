// Memory for one op call, from a pool of the thread: taken in stack order, so that a call that runs another op on the same
// thread (a signal handler while we wait) does not disturb it.  No malloc in steady state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace torch_pjrt {

class Scratch {
 public:
  Scratch() : chunk_(pool().chunk), used_(pool().used) {}
  ~Scratch() {
    pool().chunk = chunk_;
    pool().used = used_;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // |n| uninitialised objects; they live until this Scratch ends.
  template <class T>
  T* take(size_t n) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(bytes(n * sizeof(T)));
  }

 private:
  struct Chunk {
    std::unique_ptr<char[]> data;
    size_t size;
  };
  struct Pool {
    std::vector<Chunk> chunks;
    size_t chunk = 0, used = 0;
  };
  static Pool& pool() {
    static thread_local Pool p;
    return p;
  }
  static void* bytes(size_t n) {
    Pool& p = pool();
    n = (n + 15) & ~size_t{15};
    while (p.chunk < p.chunks.size() && p.used + n > p.chunks[p.chunk].size) {
      p.chunk++;
      p.used = 0;
    }
    if (p.chunk == p.chunks.size()) {
      const size_t size = std::max(n, size_t{16} << 10 << p.chunk);
      p.chunks.push_back({std::make_unique<char[]>(size), size});
    }
    void* at = p.chunks[p.chunk].data.get() + p.used;
    p.used += n;
    return at;
  }

  size_t chunk_, used_;
};

} // namespace torch_pjrt
