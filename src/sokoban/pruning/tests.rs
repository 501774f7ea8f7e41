//! Rules on their textbook examples, near misses, and soundness by brute force.

mod examples;
mod ladder;
mod soundness;
