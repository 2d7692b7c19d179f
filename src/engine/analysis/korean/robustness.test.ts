import { describe, expect, it } from 'vitest'
import type { Analyzer } from '../analyzer.ts'
import { createIndexAnalyzers } from '../create-index-analyzers.ts'

const settings = {
  'index.analysis.tokenizer.mixed.type': 'nori_tokenizer',
  'index.analysis.tokenizer.mixed.decompound_mode': 'mixed',
  'index.analysis.tokenizer.mixed.discard_punctuation': 'false',
  'index.analysis.analyzer.seunjeon.tokenizer': 'seunjeon_tokenizer',
  'index.analysis.analyzer.mixed.tokenizer': 'mixed',
  'index.analysis.analyzer.folded.tokenizer': 'nori_tokenizer',
  'index.analysis.analyzer.folded.char_filter': ['nfkc_cf'],
}
const analyzers = createIndexAnalyzers(settings, { engineVersion: 'OpenSearch_2.19' })
const names = ['seunjeon', 'mixed', 'folded']
const analyzer = (name: string): Analyzer => analyzers.analyzer(name)!

const texts: Readonly<Record<string, string>> = {
  'U+FFFF alone': '\uffff',
  'U+FFFF among words': '학교\uffff에서\uffff',
  'lone surrogates': '\ud800학교\udc00에서\ud800',
  'every unit once': Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join(''),
  'a million letters without a space': 'a'.repeat(1_000_000),
  'a megabyte of syllables without a space': '대한민국만세우리나라'.repeat(35_000),
  '100,000 exclamation marks': '!'.repeat(100_000),
  '100,000 spaces': ' '.repeat(100_000),
  '100,000 line feeds': '\n'.repeat(100_000),
  '100,000 identical jamo': 'ㅋ'.repeat(100_000),
  '100,000 conjoining jamo': '\u1100\u1161'.repeat(50_000),
  '100,000 hanja numerals': '一'.repeat(100_000),
  '100,000 marks on one letter': `e${'\u0301\u0323'.repeat(50_000)}`,
  '100,000 emoji': '😀'.repeat(100_000),
}

describe('Korean analyzers with hostile text', () => {
  describe.each(names)('%s', (name) => {
    it.each(Object.keys(texts))('gets through %s with offsets inside the text', (what) => {
      const text = texts[what]!
      const tokens = analyzer(name).analyze(text)
      let outside = 0
      for (let i = 0; i < tokens.length; i++) {
        const start = tokens.startOffsets[i]!
        const end = tokens.endOffsets[i]!
        // Lower-casing makes İ longer, and the original does not correct offsets for it.
        if (start < 0 || start > end || end > text.length + 1) outside++
      }
      expect(outside).toBe(0)
    })
  })
})

describe('time', () => {
  const runs: Readonly<Record<string, string>> = {
    syllables: '대한민국만세우리나라',
    jamo: 'ㅋ',
    'the same syllable': '가',
    letters: 'a',
    'exclamation marks': '!',
    'hanja numerals': '一',
    'marks of two classes': '\u0301\u0323',
    'words and spaces': '학교에서 집으로 가는 길에 ',
  }

  it.each(Object.keys(runs))('grows with the length of a run of %s, not its square', (what) => {
    const unit = runs[what]!
    const text = (length: number) => unit.repeat(length / unit.length)
    for (const name of names) {
      const one = analyzer(name)
      one.analyze(text(10_000))
      const short = cpuMs(() => one.analyze(text(10_000)))
      const long = cpuMs(() => one.analyze(text(80_000)))
      // Eight times the text: 8 when linear, 64 when quadratic. Times too short to tell are let be.
      expect(long, `${name}: ${short} ms, then ${long} ms`).toBeLessThan(Math.max(short, 10) * 24)
    }
  })
})

/** The least of two, as other processes disturb. */
function cpuMs(run: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 2; i++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
