import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.bitbucket.eunjeon.seunjeon.Analyzer;
import org.bitbucket.eunjeon.seunjeon.LNode;

/**
 * The analyzer that the seunjeon plugin wraps, on texts from standard input, one a line in base64 of UTF-16LE.
 *
 *   java Seunjeon SECONDS    prints UTF-16 units a second of the thread's CPU time, after one warm-up pass
 */
public final class Seunjeon {
  public static void main(String[] args) throws Exception {
    List<String> texts = new ArrayList<>();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line; (line = in.readLine()) != null; ) {
      texts.add(new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_16LE));
    }
    double seconds = Double.parseDouble(args[0]);
    run(texts);
    long units = 0;
    long start = cpuNanos();
    double elapsed;
    do {
      units += run(texts);
      elapsed = (cpuNanos() - start) / 1e9;
    } while (elapsed < seconds);
    System.out.printf(Locale.ROOT, "%.0f%n", units / elapsed);
    if (tokens == 0) System.exit(1);
  }

  private static long tokens;

  // What the plugin does without eojeols: lower case, parse, take compounds and inflected words apart, make terms.
  static long run(List<String> texts) {
    long units = 0;
    for (String text : texts) {
      for (LNode node : Analyzer.parseJava(text.toLowerCase())) {
        for (LNode part : node.deCompoundJava()) {
          for (LNode token : part.deInflectJava()) tokens += token.morpheme().getSurface().length();
        }
      }
      units += text.length();
    }
    return units;
  }

  static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
