//! A double-ended queue in chunks: grows and shrinks without copying what it holds.

use std::collections::VecDeque;

/// Bytes of a full chunk: large enough to amortise its allocation, small enough that a thousand
/// buckets of them do not matter.
const CHUNK_BYTES: usize = 64 * 1024;

/// A double-ended queue of chunks. Elements enter at the back and leave at either end.
///
/// A chunk that is the only one grows like any vector, so a small queue stays small; later ones are allocated
/// whole. One emptied chunk is kept for the next need, so that a queue whose length oscillates round
/// a chunk boundary does not allocate each time.
#[derive(Debug)]
pub struct ChunkDeque<N> {
    /// The oldest chunk, if some of it has left; empty otherwise.
    front: Vec<N>,
    /// Elements of `front` that have already left.
    head: usize,
    /// Chunks between the first and the last, none of them empty.
    middle: VecDeque<Vec<N>>,
    /// The newest chunk.
    back: Vec<N>,
    spare: Option<Vec<N>>,
    len: usize,
    bytes: usize,
}

impl<N> Default for ChunkDeque<N> {
    fn default() -> Self {
        Self {
            front: Vec::new(),
            head: 0,
            middle: VecDeque::new(),
            back: Vec::new(),
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
        if self.back.len() == self.back.capacity() {
            self.make_room_at_the_back();
        }
        self.back.push(element);
        self.len += 1;
    }

    #[cold]
    fn make_room_at_the_back(&mut self) {
        let before = self.back.capacity();
        if before >= Self::CHUNK {
            let full = std::mem::take(&mut self.back);
            self.middle.push_back(full);
        }
        if self.back.capacity() == 0
            && let Some(spare) = self.spare.take()
        {
            self.back = spare;
            return;
        }
        let before = self.back.capacity();
        let is_only = self.middle.is_empty() && self.front.is_empty();
        let wanted = if is_only {
            (before * 2).clamp(4, Self::CHUNK)
        } else {
            Self::CHUNK
        };
        self.back.reserve_exact(wanted - self.back.len());
        self.bytes += (self.back.capacity() - before) * size_of::<N>();
    }

    /// Takes the newest element. O(1).
    #[inline]
    pub fn pop_back(&mut self) -> Option<N> {
        if self.back.is_empty() {
            self.find_newest();
        }
        let element = self.back.pop()?;
        self.len -= 1;
        if self.back.is_empty() {
            let emptied = std::mem::take(&mut self.back);
            self.keep_or_free(emptied);
        }
        Some(element)
    }

    /// Makes the newest chunk that has elements the last one, if there is any.
    #[cold]
    fn find_newest(&mut self) {
        let newest = self.middle.pop_back().unwrap_or_else(|| {
            let mut front = std::mem::take(&mut self.front);
            front.drain(..std::mem::take(&mut self.head));
            front
        });
        let emptied = std::mem::replace(&mut self.back, newest);
        self.keep_or_free(emptied);
    }

    /// Takes the oldest element. O(1).
    #[inline]
    pub fn pop_front(&mut self) -> Option<N> {
        if self.front.is_empty() {
            self.find_oldest();
        }
        let element = *self.front.get(self.head)?;
        self.head += 1;
        self.len -= 1;
        if self.head == self.front.len() {
            let emptied = std::mem::take(&mut self.front);
            self.head = 0;
            self.keep_or_free(emptied);
        }
        Some(element)
    }

    /// Makes the oldest chunk that has elements the first one, if there is any.
    #[cold]
    fn find_oldest(&mut self) {
        self.front = self
            .middle
            .pop_front()
            .unwrap_or_else(|| std::mem::take(&mut self.back));
    }

    /// Reverses the newest `count` elements, or all if there are fewer.
    #[inline]
    pub fn reverse_newest(&mut self, count: usize) {
        let count = count.min(self.len);
        if let Some(start) = self.back.len().checked_sub(count) {
            self.back[start..].reverse();
        } else {
            self.reverse_over_chunks(count);
        }
    }

    #[cold]
    fn reverse_over_chunks(&mut self, count: usize) {
        let newest: Vec<N> = (0..count).filter_map(|_| self.pop_back()).collect();
        for element in newest {
            self.push_back(element);
        }
    }

    /// All elements, oldest first, as the chunks they lie in.
    #[must_use]
    pub fn into_chunks(mut self) -> Vec<Vec<N>> {
        self.front.drain(..self.head);
        let mut chunks = Vec::with_capacity(self.middle.len() + 2);
        chunks.push(self.front);
        chunks.extend(self.middle);
        chunks.push(self.back);
        chunks.retain(|chunk| !chunk.is_empty());
        chunks
    }

    /// Keeps the larger of the chunk and the spare one, frees the other.
    #[cold]
    fn keep_or_free(&mut self, mut chunk: Vec<N>) {
        if chunk.capacity() == 0 {
            return;
        }
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
