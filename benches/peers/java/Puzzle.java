import java.util.List;

/** A puzzle as positions and moves; positions are compared by {@code equals}. */
interface Puzzle<P, M> {
    P initialPosition();

    boolean isGoal(P position);

    List<M> legalMoves(P position);

    P move(P position, M move);
}
