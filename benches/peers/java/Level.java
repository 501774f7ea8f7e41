import java.util.ArrayList;
import java.util.List;

/**
 * One level in the space of moves, packed into a long as in the Rust part of this package: the
 * player's square in the lowest six bits, and above them a bit for the box on each square inside the wall, with one unused bit
 * a row.
 */
final class Level implements Puzzle<Long, Level.Direction> {
    enum Direction { LEFT, UP, RIGHT, DOWN }

    private static final int PLAYER_BITS = 6;

    private final int stride;
    private final long floor;
    private final long initial;

    Level(List<String> rows) {
        stride = rows.get(0).length() - 1;
        floor = squares(rows, " @+$*.");
        initial = pack(squares(rows, "$*"), squares(rows, "@+"));
    }

    private long squares(List<String> rows, String tiles) {
        long squares = 0;
        for (int row = 1; row < rows.size() - 1; row++) {
            for (int column = 1; column < stride; column++) {
                if (tiles.indexOf(rows.get(row).charAt(column)) >= 0) {
                    squares |= 1L << ((row - 1) * stride + column - 1);
                }
            }
        }
        return squares;
    }

    private static long pack(long boxes, long player) {
        return boxes << PLAYER_BITS | Long.numberOfTrailingZeros(player);
    }

    private long shifted(long squares, Direction direction) {
        return switch (direction) {
            case LEFT -> squares >>> 1;
            case UP -> squares >>> stride;
            case RIGHT -> squares << 1;
            case DOWN -> squares << stride;
        };
    }

    @Override
    public Long initialPosition() {
        return initial;
    }

    /** Never: a census visits everything. */
    @Override
    public boolean isGoal(Long position) {
        return false;
    }

    @Override
    public List<Direction> legalMoves(Long position) {
        long boxes = position >>> PLAYER_BITS;
        long player = 1L << (position & ((1 << PLAYER_BITS) - 1));
        List<Direction> moves = new ArrayList<>(4);
        for (Direction direction : Direction.values()) {
            long ahead = shifted(player, direction);
            long beyond = shifted(ahead, direction);
            boolean isPush = (ahead & boxes) != 0;
            if ((ahead & floor) != 0 && (!isPush || (beyond & floor & ~boxes) != 0)) {
                moves.add(direction);
            }
        }
        return moves;
    }

    @Override
    public Long move(Long position, Direction direction) {
        long boxes = position >>> PLAYER_BITS;
        long ahead = shifted(1L << (position & ((1 << PLAYER_BITS) - 1)), direction);
        boolean isPush = (ahead & boxes) != 0;
        return pack(isPush ? boxes ^ ahead ^ shifted(ahead, direction) : boxes, ahead);
    }
}
