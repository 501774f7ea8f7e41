//! Replay of solutions and the brute-force oracle: shares only data types with the solver.
