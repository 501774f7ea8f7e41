import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A position with the way that led to it, from which the solution is read backwards. */
class PuzzleNode<P, M> {
    final P position;
    private final M move;
    private final PuzzleNode<P, M> previous;

    PuzzleNode(P position, M move, PuzzleNode<P, M> previous) {
        this.position = position;
        this.move = move;
        this.previous = previous;
    }

    List<M> moves() {
        Deque<M> moves = new ArrayDeque<>();
        for (PuzzleNode<P, M> node = this; node.move != null; node = node.previous) {
            moves.addFirst(node.move);
        }
        return List.copyOf(moves);
    }
}
