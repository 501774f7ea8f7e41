import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Counts the positions of a level: {@code java Census THREADS ROW...}; prints who,threads,states,seconds,peak_bytes. */
final class Census {
    private Census() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        List<String> rows = Arrays.asList(arguments).subList(1, arguments.length);
        var solver = new ConcurrentPuzzleSolver<>(new Level(rows), threads);
        long start = System.nanoTime();
        List<Level.Direction> solution = solver.solve();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (solution != null) {
            throw new IllegalStateException("a census has no goal");
        }
        System.out.println("java-puzzle," + threads + "," + solver.positionsSeen() + "," + seconds + "," + peakBytes());
    }

    private static long peakBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("no VmHWM in /proc/self/status");
    }
}
