import { describe, expect, it } from 'vitest'
import { AnalysisComponents } from '../analysis-components.ts'
import { analyzeText } from '../analyze-text.ts'

const components = new AnalysisComponents({}, { engineVersion: 'Elasticsearch_6.8' })

/** Attributes that `_analyze` with `explain` shows of each token. */
function explain(tokenizer: object, text: string): unknown[] {
  const attributes = ['leftPOS', 'rightPOS', 'posType', 'morphemes', 'reading']
  const answer = analyzeText(components, { texts: [text], tokenizer: { ...tokenizer }, explain: true, attributes })
  if (answer.kind !== 'chain') throw new Error(`answered ${answer.kind}`)
  return answer.tokenizer.tokens.map(({ token, attributes: shown }) => ({ token, ...shown }))
}

describe('explained tokens', () => {
  it('of nori name part of speech, type, parts and reading as the original does', () => {
    expect(explain({ type: 'nori_tokenizer', decompound_mode: 'none' }, '가락지나물은 學校')).toEqual([
      {
        token: '가락지나물',
        leftPOS: 'NNG(General Noun)',
        rightPOS: 'NNG(General Noun)',
        posType: 'COMPOUND',
        morphemes: '가락지/NNG(General Noun)+나물/NNG(General Noun)',
        reading: null,
      },
      {
        token: '은',
        leftPOS: 'J(Ending Particle)',
        rightPOS: 'J(Ending Particle)',
        posType: 'MORPHEME',
        morphemes: null,
        reading: null,
      },
      {
        token: '學校',
        leftPOS: 'NNG(General Noun)',
        rightPOS: 'NNG(General Noun)',
        posType: 'MORPHEME',
        morphemes: null,
        reading: '학교',
      },
    ])
  })

  it('of seunjeon carry the same, by its finer tags', () => {
    const whole = { type: 'seunjeon_tokenizer', index_eojeol: 'false', deinflect: 'false', decompound: 'false' }
    expect(explain(whole, '했다')[0]).toEqual({
      token: '했/V+EP',
      leftPOS: 'VV(Verb)',
      rightPOS: 'EP(Verbal endings)',
      posType: 'INFLECT',
      // Its second part is longer than the word and left out, as in the original.
      morphemes: '하/VV(Verb)',
      reading: null,
    })
    expect(explain(whole, '人間')[0]).toMatchObject({ token: '人間/N', reading: '인간' })
  })
})
