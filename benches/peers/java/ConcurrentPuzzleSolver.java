import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The concurrent puzzle solver that is taught in "Java Concurrency in Practice" (Goetz et al., 2006, section 8.5), written anew
 * after its description: each position is a task of a thread pool, a concurrent map decides which thread was
 * the first to see a position, a latch holds the first solution, and a count of open tasks tells when there is none.
 */
final class ConcurrentPuzzleSolver<P, M> {
    private final Puzzle<P, M> puzzle;
    private final ExecutorService pool;
    private final Set<P> seen = ConcurrentHashMap.newKeySet();
    private final AtomicLong openTasks = new AtomicLong();
    private final AtomicReference<PuzzleNode<P, M>> solution = new AtomicReference<>();
    private final CountDownLatch decided = new CountDownLatch(1);

    ConcurrentPuzzleSolver(Puzzle<P, M> puzzle, int threads) {
        this.puzzle = puzzle;
        this.pool = Executors.newFixedThreadPool(threads);
    }

    /** The moves of a solution, or null when every position has been seen and none is one. */
    List<M> solve() throws InterruptedException {
        try {
            P start = puzzle.initialPosition();
            seen.add(start);
            submit(new PuzzleNode<>(start, null, null));
            decided.await();
            PuzzleNode<P, M> found = solution.get();
            return found == null ? null : found.moves();
        } finally {
            pool.shutdown();
        }
    }

    long positionsSeen() {
        return seen.size();
    }

    private void submit(PuzzleNode<P, M> node) {
        openTasks.incrementAndGet();
        pool.execute(() -> run(node));
    }

    private void run(PuzzleNode<P, M> node) {
        try {
            if (solution.get() == null) {
                expand(node);
            }
        } finally {
            if (openTasks.decrementAndGet() == 0) {
                decided.countDown();
            }
        }
    }

    private void expand(PuzzleNode<P, M> node) {
        if (puzzle.isGoal(node.position)) {
            solution.compareAndSet(null, node);
            decided.countDown();
            return;
        }
        for (M move : puzzle.legalMoves(node.position)) {
            P next = puzzle.move(node.position, move);
            if (seen.add(next)) {
                submit(new PuzzleNode<>(next, move, node));
            }
        }
    }
}
