import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.ko.KoreanAnalyzer;
import org.apache.lucene.analysis.ko.KoreanTokenizer;
import org.apache.lucene.analysis.ko.KoreanTokenizer.DecompoundMode;
import org.apache.lucene.analysis.ko.POS;
import org.apache.lucene.analysis.ko.dict.UserDictionary;
import org.apache.lucene.analysis.ko.tokenattributes.PartOfSpeechAttribute;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionLengthAttribute;

/**
 * Lucene's nori on texts from standard input, one a line in base64 of UTF-16LE.
 *
 *   java Nori tokens MODE [punct] [number] [rules=a;b c;…]   prints a JSON array of tokens a line
 *   java Nori analyzer                                       the same by the nori analyzer
 *   java Nori speed MODE SECONDS                             prints UTF-16 units a second of the thread's CPU time, after one
 *                                                        warm-up pass
 */
public final class Nori {
  public static void main(String[] args) throws Exception {
    List<String> texts = new ArrayList<>();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line; (line = in.readLine()) != null; ) {
      texts.add(units(Base64.getDecoder().decode(line)));
    }
    if (args[0].equals("speed")) speed(texts, args[1], Double.parseDouble(args[2]));
    else tokens(texts, args);
  }

  // Unit by unit, so that a lone surrogate stays one.
  static String units(byte[] bytes) {
    char[] units = new char[bytes.length / 2];
    for (int i = 0; i < units.length; i++) units[i] = (char) ((bytes[2 * i] & 0xff) | (bytes[2 * i + 1] & 0xff) << 8);
    return new String(units);
  }

  static void speed(List<String> texts, String mode, double seconds) throws Exception {
    Tokenizer tokenizer = tokenizer(mode, null, true);
    run(tokenizer, texts);
    long units = 0;
    long start = cpuNanos();
    double elapsed;
    do {
      units += run(tokenizer, texts);
      elapsed = (cpuNanos() - start) / 1e9;
    } while (elapsed < seconds);
    System.out.printf(Locale.ROOT, "%.0f%n", units / elapsed);
  }

  static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  static long run(Tokenizer tokenizer, List<String> texts) throws Exception {
    CharTermAttribute term = tokenizer.getAttribute(CharTermAttribute.class);
    long units = 0;
    for (String text : texts) {
      tokenizer.setReader(new StringReader(text));
      tokenizer.reset();
      while (tokenizer.incrementToken()) term.toString();
      tokenizer.end();
      tokenizer.close();
      units += text.length();
    }
    return units;
  }

  static void tokens(List<String> texts, String[] args) throws Exception {
    boolean punctuation = false;
    boolean number = false;
    UserDictionary user = null;
    for (String arg : args) {
      if (arg.equals("punct")) punctuation = true;
      if (arg.equals("number")) number = true;
      if (arg.startsWith("rules=")) user = UserDictionary.open(new StringReader(arg.substring(6).replace(';', '\n')));
    }
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String text : texts) {
      TokenStream stream;
      if (args[0].equals("analyzer")) {
        Analyzer analyzer = new KoreanAnalyzer();
        stream = analyzer.tokenStream("f", text);
      } else {
        Tokenizer tokenizer = tokenizer(args[1], user, !punctuation);
        tokenizer.setReader(new StringReader(text));
        stream = number ? numberFilter(tokenizer) : tokenizer;
      }
      out.println(print(stream));
    }
    out.flush();
  }

  static String print(TokenStream stream) throws Exception {
    CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
    OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
    PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
    PositionLengthAttribute length = stream.addAttribute(PositionLengthAttribute.class);
    PartOfSpeechAttribute pos = stream.addAttribute(PartOfSpeechAttribute.class);
    StringBuilder out = new StringBuilder("[");
    stream.reset();
    while (stream.incrementToken()) {
      if (out.length() > 1) out.append(',');
      out.append("[\"").append(escape(term.toString())).append("\",").append(offset.startOffset()).append(',')
          .append(offset.endOffset()).append(',').append(increment.getPositionIncrement()).append(',')
          .append(length.getPositionLength()).append(",\"").append(pos.getLeftPOS().name()).append("\"]");
    }
    stream.end();
    stream.close();
    return out.append(']').toString();
  }

  static String escape(String text) {
    StringBuilder out = new StringBuilder();
    for (char c : text.toCharArray()) {
      if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') out.append(c);
      else out.append(String.format("\\u%04x", (int) c));
    }
    return out.toString();
  }

  // Constructors differ by release.
  static Tokenizer tokenizer(String mode, UserDictionary user, boolean discardPunctuation) throws Exception {
    DecompoundMode decompound = DecompoundMode.valueOf(mode.toUpperCase(Locale.ROOT));
    try {
      return KoreanTokenizer.class
          .getConstructor(org.apache.lucene.util.AttributeFactory.class, UserDictionary.class, DecompoundMode.class, boolean.class, boolean.class)
          .newInstance(TokenStream.DEFAULT_TOKEN_ATTRIBUTE_FACTORY, user, decompound, false, discardPunctuation);
    } catch (NoSuchMethodException e) {
      if (!discardPunctuation) throw e;
      return KoreanTokenizer.class
          .getConstructor(org.apache.lucene.util.AttributeFactory.class, UserDictionary.class, DecompoundMode.class, boolean.class)
          .newInstance(TokenStream.DEFAULT_TOKEN_ATTRIBUTE_FACTORY, user, decompound, false);
    }
  }

  static TokenStream numberFilter(TokenStream input) throws Exception {
    return (TokenStream) Class.forName("org.apache.lucene.analysis.ko.KoreanNumberFilter").getConstructor(TokenStream.class).newInstance(input);
  }
}
