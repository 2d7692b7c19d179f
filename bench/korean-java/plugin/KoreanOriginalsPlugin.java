import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.ko.KoreanPartOfSpeechStopFilter;
import org.apache.lucene.analysis.ko.KoreanReadingFormFilter;
import org.apache.lucene.analysis.ko.KoreanTokenizer;
import org.apache.lucene.analysis.ko.KoreanTokenizer.DecompoundMode;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionLengthAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.bitbucket.eunjeon.seunjeon.ConnectionCostDict;
import org.bitbucket.eunjeon.seunjeon.Eojeol;
import org.bitbucket.eunjeon.seunjeon.EojeolParagraph;
import org.bitbucket.eunjeon.seunjeon.Eojeoler;
import org.bitbucket.eunjeon.seunjeon.LNode;
import org.bitbucket.eunjeon.seunjeon.LexiconDict;
import org.bitbucket.eunjeon.seunjeon.MorphemeType;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.analysis.AbstractTokenFilterFactory;
import org.elasticsearch.index.analysis.AbstractTokenizerFactory;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;
import scala.collection.JavaConverters;

/**
 * An Elasticsearch 6.8 plugin over the original libraries, as seunjeon's own is on no public server: seunjeon 1.5.0's
 * analysis (lattice, eojeols, decomposition) and Lucene 7.7.3's nori. Here is only what stands between them and
 * Elasticsearch: reading settings, and laying out tokens by the rules of ../shared/korean/README.md.
 */
public final class KoreanOriginalsPlugin extends Plugin implements AnalysisPlugin {
  @Override
  public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
    return Map.of("seunjeon_tokenizer", SeunjeonFactory::new, "nori_tokenizer", NoriFactory::new);
  }

  @Override
  public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
    return Map.of("nori_part_of_speech", NoriStopFactory::new, "nori_readingform", NoriReadingFactory::new);
  }

  static final class NoriFactory extends AbstractTokenizerFactory {
    private final DecompoundMode mode;

    NoriFactory(IndexSettings index, Object environment, String name, Settings settings) {
      super(index, name, settings);
      mode = DecompoundMode.valueOf(settings.get("decompound_mode", "discard").toUpperCase(Locale.ROOT));
    }

    @Override
    public Tokenizer create() {
      return new KoreanTokenizer(TokenStream.DEFAULT_TOKEN_ATTRIBUTE_FACTORY, null, mode, false);
    }
  }

  static final class NoriStopFactory extends AbstractTokenFilterFactory {
    NoriStopFactory(IndexSettings index, Object environment, String name, Settings settings) {
      super(index, name, settings);
    }

    @Override
    public TokenStream create(TokenStream input) {
      return new KoreanPartOfSpeechStopFilter(input);
    }
  }

  static final class NoriReadingFactory extends AbstractTokenFilterFactory {
    NoriReadingFactory(IndexSettings index, Object environment, String name, Settings settings) {
      super(index, name, settings);
    }

    @Override
    public TokenStream create(TokenStream input) {
      return new KoreanReadingFormFilter(input);
    }
  }

  static final class SeunjeonFactory extends AbstractTokenizerFactory {
    private static LexiconDict lexicon;
    private static ConnectionCostDict costs;
    private static final List<String> POSES = Arrays.asList("N", "SL", "SH", "SN", "XR", "V", "M", "UNK");
    final boolean eojeols;
    final boolean decompound;
    final boolean deinflect;
    final boolean tagging;
    final Set<String> poses;
    final int maxUnknownLength;
    final List<String> words;

    SeunjeonFactory(IndexSettings index, Object environment, String name, Settings settings) {
      super(index, name, settings);
      eojeols = settings.getAsBoolean("index_eojeol", true);
      decompound = settings.getAsBoolean("decompound", true);
      deinflect = settings.getAsBoolean("deinflect", true);
      tagging = settings.getAsBoolean("pos_tagging", true);
      poses = new HashSet<>(settings.getAsList("index_poses", POSES));
      maxUnknownLength = settings.getAsInt("max_unk_length", 8);
      words = settings.getAsList("user_words");
      load();
    }

    private static synchronized void load() {
      if (lexicon != null) return;
      lexicon = new LexiconDict().load(false);
      costs = new ConnectionCostDict().load();
    }

    @Override
    public Tokenizer create() {
      return new SeunjeonTokenizer(this);
    }

    org.bitbucket.eunjeon.seunjeon.Tokenizer analysis() {
      org.bitbucket.eunjeon.seunjeon.Tokenizer analysis =
          new org.bitbucket.eunjeon.seunjeon.Tokenizer(lexicon, costs, false);
      analysis.setMaxUnkLength(maxUnknownLength);
      analysis.setUserDict(
          new LexiconDict().loadFromIterator(JavaConverters.asScalaIterator(words.iterator()), false));
      return analysis;
    }
  }

  static final class SeunjeonTokenizer extends Tokenizer {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
    private final PositionIncrementAttribute increment = addAttribute(PositionIncrementAttribute.class);
    private final PositionLengthAttribute length = addAttribute(PositionLengthAttribute.class);
    private final TypeAttribute type = addAttribute(TypeAttribute.class);
    private final SeunjeonFactory options;
    private final org.bitbucket.eunjeon.seunjeon.Tokenizer analysis;
    private List<Token> tokens = List.of();
    private int next;
    private int finalOffset;

    SeunjeonTokenizer(SeunjeonFactory options) {
      this.options = options;
      analysis = options.analysis();
    }

    @Override
    public boolean incrementToken() {
      if (next == tokens.size()) return false;
      clearAttributes();
      Token token = tokens.get(next++);
      term.append(token.term);
      finalOffset = correctOffset(token.end);
      offset.setOffset(correctOffset(Math.max(token.start, 0)), finalOffset);
      increment.setPositionIncrement(token.increment);
      length.setPositionLength(token.length);
      type.setType(token.type);
      return true;
    }

    @Override
    public void end() throws IOException {
      super.end();
      offset.setOffset(finalOffset, finalOffset);
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      StringBuilder text = new StringBuilder();
      char[] chunk = new char[4096];
      for (int n; (n = input.read(chunk)) > 0; ) text.append(chunk, 0, n);
      tokens = new ArrayList<>();
      next = 0;
      Iterable<EojeolParagraph> paragraphs =
          JavaConverters.asJavaIterable(Eojeoler.build(analysis.parseText(text.toString().toLowerCase(Locale.ROOT), true)));
      for (EojeolParagraph paragraph : paragraphs) {
        for (Eojeol eojeol : JavaConverters.seqAsJavaList(paragraph.eojeols())) add(eojeol);
      }
    }

    private void add(Eojeol whole) {
      Eojeol eojeol = options.decompound ? whole.deCompound() : whole;
      if (options.deinflect) eojeol = eojeol.deInflect();
      List<Token> own = new ArrayList<>();
      for (LNode node : eojeol.nodesJava()) {
        Object kind = node.morpheme().getMType();
        String[] poses = poses(node);
        boolean kept = kind.equals(MorphemeType.COMPOUND()) || kind.equals(MorphemeType.INFLECT())
            || kind.equals(MorphemeType.COMMON()) && options.poses.contains(poses[0]);
        if (!kept) continue;
        String pos = String.join("+", poses);
        own.add(new Token(tagged(node.morpheme().getSurface(), pos), node.beginOffset(), node.endOffset(), pos));
      }
      if (options.eojeols && !own.isEmpty()) addWhole(whole, own);
      tokens.addAll(own);
    }

    private void addWhole(Eojeol eojeol, List<Token> own) {
      int leading = 0;
      while (leading < own.size() && own.get(leading).start <= eojeol.beginOffset()) leading++;
      if (leading > 0) {
        Token last = own.get(leading - 1);
        if (last.start == eojeol.beginOffset() && last.end == eojeol.endOffset()) return;
      }
      Token token = new Token(tagged(eojeol.surface(), "EOJ"), eojeol.beginOffset(), eojeol.endOffset(), "EOJ");
      token.length = own.size();
      if (leading == 0) own.get(0).increment = 0;
      else token.increment = 0;
      own.add(leading, token);
    }

    private String tagged(String surface, String pos) {
      return options.tagging ? surface + "/" + pos : surface;
    }

    private static String[] poses(LNode node) {
      Object[] values = (Object[]) node.morpheme().getPoses().array();
      String[] names = new String[values.length];
      for (int i = 0; i < values.length; i++) names[i] = values[i].toString();
      return names;
    }
  }

  static final class Token {
    final String term;
    final int start;
    final int end;
    final String type;
    int increment = 1;
    int length = 1;

    Token(String term, int start, int end, String type) {
      this.term = term;
      this.start = start;
      this.end = end;
      this.type = type;
    }
  }
}
