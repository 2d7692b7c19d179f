import fc from 'fast-check'

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'the', 'Word', 'I', 'of', ' ', ' ', '  ', '. ', '.', '! ', '? ') },
  fc.constantFrom(...`bzAZ09 _'".,;:#*-!?()[]/@&%$\n\r\t\f\0~`),
  fc.constantFrom(
    ...["don't", 'U.S.A.', '3.14', '$3', '1,000', 'a_b', 'x-y', '50%', '\r\n', ' \r\n', '."', '.) ', '. "A', '.  b'],
    ...['É', 'ß', 'İ', 'Σ', 'ας', '\u212a', 'ж', '…', '’', '“', '”', '—', '«', '\xa0', '\xad', '\u2028', '\u2029'],
    ...[
      '한국어',
      '다. ',
      '요! ',
      'ㅋㅋ',
      '\u1100\u1161',
      '漢字',
      '。',
      '！',
      '？',
      '．',
      'カタ',
      'ひら',
      'ー',
      '।',
      '£',
    ],
    ...[
      '😀',
      '👍🏽',
      '👨‍👩‍👧',
      '🇰🇷',
      '1\ufe0f\u20e3',
      'Ⓜ',
      '𝒳',
      '𠀀',
      '\ud83d',
      '\udc00',
      '\u200d',
      '\ufe0f',
      '\u2027',
    ],
    ...['\u0301', '\u3000', 'ש"ש', 'ไทย', '٣', '٪', '％'],
  ),
)

/** Texts of words, blanks and everything that rules of breaks and tokens treat in a way of its own, for tests. */
const oddTexts = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

/** The same, some with a long stretch of one kind. */
export const longOddTexts = fc.oneof(
  { weight: 5, arbitrary: oddTexts },
  fc
    .tuple(oddTexts, fc.constantFrom('x', '漢', '한', 'ab.', ' '), oddTexts)
    .map(([before, filler, after]) => before + filler.repeat(300) + after),
)
