import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Passes a payload through thimble-server before it is sent, and on as it is if anything goes wrong.
 *
 * <pre>payload = Stage.stage(payload);</pre>
 *
 * As a program: reads a payload from standard input and writes it to standard output. Java 11 or later, no libraries.
 */
public final class Stage {
    private static final Map<String, String> ENVIRONMENT = System.getenv();
    private static final String URL = ENVIRONMENT.getOrDefault("THIMBLE_URL", "http://127.0.0.1:8080");
    private static final double DEADLINE = Double.parseDouble(ENVIRONMENT.getOrDefault("THIMBLE_DEADLINE", "10"));
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** The payload with its picture made ready, or the same text. */
    public static String stage(String payload) {
        try {
            var request = HttpRequest.newBuilder(URI.create(URL + "/v1/stage"))
                    .header("Content-Type", "application/json")
                    .header("Thimble-Deadline", Double.toString(DEADLINE))
                    .POST(BodyPublishers.ofString(payload));
            if (ENVIRONMENT.containsKey("THIMBLE_TOKEN")) {
                request.header("Authorization", "Bearer " + ENVIRONMENT.get("THIMBLE_TOKEN"));
            }
            // Longer than the service may take, which answers by the deadline with what it has. The limit of
            // a request alone ends with the answer's head.
            var limit = Duration.ofMillis((long) ((DEADLINE + 1) * 1000));
            var response = CLIENT.sendAsync(request.timeout(limit).build(), BodyHandlers.ofString())
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
            var body = response.body().strip();
            // A proxy may answer in place of the service.
            if (response.statusCode() != 200 || response.headers().firstValue("Thimble-Outcome").isEmpty()
                    || !body.startsWith("{") || !body.endsWith("}")) {
                throw new IOException("status " + response.statusCode());
            }
            return body;
        } catch (Exception error) {
            System.err.println("not staged: " + error);
            return payload;
        }
    }

    public static void main(String[] arguments) throws IOException {
        var payload = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        System.out.write(stage(payload).getBytes(StandardCharsets.UTF_8));
        System.out.flush();
        // The client's threads would keep the process until an unfinished answer ends.
        System.exit(0);
    }
}
