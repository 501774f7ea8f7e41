//! Both spaces against the naive game, on whole small spaces and along random walks on wide boards.

mod inverse;
mod pushes;
mod reachable;
mod solutions;
mod successors;
mod words;
