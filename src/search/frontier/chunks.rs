//! A double-ended queue in chunks: grows and shrinks without copying what it holds.

use std::collections::VecDeque;

/// Bytes of a full chunk: large enough to amortise its allocation, small enough that a thousand
/// buckets of them do not matter.
const CHUNK_BYTES: usize = 64 * 1024;

/// A double-ended queue of chunks. Elements enter at the back and leave at either end.
///
/// The first chunk grows like any vector, so a small queue stays small; later ones are allocated
/// whole. One emptied chunk is kept for the next need, so that a queue whose length oscillates round
/// a chunk boundary does not allocate each time.
#[derive(Debug)]
pub struct ChunkDeque<N> {
    chunks: VecDeque<Vec<N>>,
    /// Elements of the first chunk that have already left.
    head: usize,
    spare: Option<Vec<N>>,
    len: usize,
    bytes: usize,
}

impl<N> Default for ChunkDeque<N> {
    fn default() -> Self {
        Self {
            chunks: VecDeque::new(),
            head: 0,
            spare: None,
            len: 0,
            bytes: 0,
        }
    }
}

impl<N: Copy> ChunkDeque<N> {
    /// Elements of a full chunk.
    const CHUNK: usize = if size_of::<N>() == 0 {
        CHUNK_BYTES
    } else if CHUNK_BYTES / size_of::<N>() < 16 {
        16
    } else {
        CHUNK_BYTES / size_of::<N>()
    };

    /// Number of elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes allocated for elements.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds an element at the back. O(1) amortised.
    #[inline]
    pub fn push_back(&mut self, element: N) {
        match self.chunks.back_mut() {
            Some(chunk) if chunk.len() < chunk.capacity() => chunk.push(element),
            _ => self.push_into_new_room(element),
        }
        self.len += 1;
    }

    fn push_into_new_room(&mut self, element: N) {
        match self.chunks.back_mut() {
            Some(chunk) if chunk.len() < Self::CHUNK => {
                let before = chunk.capacity();
                let wanted = (before * 2).clamp(4, Self::CHUNK);
                chunk.reserve_exact(wanted - chunk.len());
                self.bytes += (chunk.capacity() - before) * size_of::<N>();
                chunk.push(element);
            }
            last => {
                let capacity = if last.is_some() { Self::CHUNK } else { 4 };
                let mut chunk = self.spare.take().unwrap_or_else(|| {
                    let chunk = Vec::with_capacity(capacity);
                    self.bytes += chunk.capacity() * size_of::<N>();
                    chunk
                });
                chunk.push(element);
                self.chunks.push_back(chunk);
            }
        }
    }

    /// Takes the newest element. O(1).
    #[inline]
    pub fn pop_back(&mut self) -> Option<N> {
        let only = self.chunks.len() == 1;
        let chunk = self.chunks.back_mut()?;
        let element = chunk.pop()?;
        self.len -= 1;
        if chunk.is_empty() || (only && chunk.len() == self.head) {
            self.retire_back();
        }
        Some(element)
    }

    /// Takes the oldest element. O(1).
    #[inline]
    pub fn pop_front(&mut self) -> Option<N> {
        let chunk = self.chunks.front()?;
        let element = *chunk.get(self.head)?;
        self.head += 1;
        self.len -= 1;
        if self.head == chunk.len() {
            let chunk = self.chunks.pop_front();
            self.head = 0;
            self.keep_or_free(chunk);
        }
        Some(element)
    }

    /// Reverses the newest `count` elements, or all if there are fewer.
    pub fn reverse_newest(&mut self, count: usize) {
        let count = count.min(self.len);
        match self.chunks.back_mut() {
            Some(chunk) if chunk.len() >= count => {
                let start = chunk.len() - count;
                chunk[start..].reverse();
            }
            _ => {
                let newest: Vec<N> = (0..count).filter_map(|_| self.pop_back()).collect();
                for element in newest {
                    self.push_back(element);
                }
            }
        }
    }

    /// All elements, oldest first, as the chunks they lie in.
    #[must_use]
    pub fn into_chunks(mut self) -> Vec<Vec<N>> {
        if let Some(first) = self.chunks.front_mut() {
            first.drain(..self.head);
        }
        self.chunks.into()
    }

    fn retire_back(&mut self) {
        if self.chunks.len() == 1 {
            self.head = 0;
        }
        let chunk = self.chunks.pop_back();
        self.keep_or_free(chunk);
    }

    /// Keeps the larger of the chunk and the spare one, frees the other.
    fn keep_or_free(&mut self, chunk: Option<Vec<N>>) {
        let Some(mut chunk) = chunk else { return };
        chunk.clear();
        let freed = match &mut self.spare {
            Some(spare) => {
                if spare.capacity() < chunk.capacity() {
                    std::mem::swap(spare, &mut chunk);
                }
                chunk.capacity()
            }
            None => {
                self.spare = Some(chunk);
                0
            }
        };
        self.bytes -= freed * size_of::<N>();
    }
}

#[cfg(test)]
mod tests {
    use super::ChunkDeque;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    #[derive(Debug, Clone, Copy)]
    enum Op {
        Push(u32),
        PopBack,
        PopFront,
        Reverse(usize),
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            4 => any::<u32>().prop_map(Op::Push),
            2 => Just(Op::PopBack),
            2 => Just(Op::PopFront),
            1 => (0usize..9).prop_map(Op::Reverse),
        ]
    }

    /// An element so large that a chunk holds only the minimum of 16, so that short sequences of
    /// operations cross chunk boundaries.
    type Wide = [u32; 4096];

    fn wide(value: u32) -> Wide {
        [value; 4096]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn behaves_like_the_standard_deque(ops in proptest::collection::vec(op(), 0..400)) {
            let mut deque = ChunkDeque::<Wide>::default();
            let mut model = VecDeque::new();
            for op in ops {
                match op {
                    Op::Push(value) => {
                        deque.push_back(wide(value));
                        model.push_back(value);
                    }
                    Op::PopBack => prop_assert_eq!(deque.pop_back().map(|e| e[0]), model.pop_back()),
                    Op::PopFront => prop_assert_eq!(deque.pop_front().map(|e| e[0]), model.pop_front()),
                    Op::Reverse(count) => {
                        deque.reverse_newest(count);
                        let start = model.len().saturating_sub(count);
                        model.make_contiguous()[start..].reverse();
                    }
                }
                prop_assert_eq!(deque.len(), model.len());
                prop_assert!(deque.bytes() >= deque.len() * size_of::<Wide>());
            }
            let rest: Vec<u32> = deque.into_chunks().into_iter().flatten().map(|e| e[0]).collect();
            prop_assert_eq!(rest, Vec::from(model));
        }
    }

    #[test]
    fn an_emptied_deque_keeps_one_chunk_only() {
        let mut deque = ChunkDeque::<Wide>::default();
        for value in 0..100 {
            deque.push_back(wide(value));
        }
        let full = deque.bytes();
        while deque.pop_front().is_some() {}
        assert!(full >= 100 * size_of::<Wide>());
        assert!(deque.bytes() <= 16 * size_of::<Wide>());
    }
}
