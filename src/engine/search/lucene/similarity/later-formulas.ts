import { javaFloat } from '../../../java/java-number-text.ts'
import type { NormalizationFormula, SimilarityFormula } from '../../../mapping/similarity-formula.ts'
import { type Explanation, explainCount, explainMatch } from '../explanation.ts'
import type { Formula, FormulaStatistics } from './formula.ts'

const fround = Math.fround
const LOG_2 = Math.log(2)
const log2 = (x: number): number => Math.log(x) / LOG_2

type Kind<K extends SimilarityFormula['kind']> = Extract<SimilarityFormula, { kind: K }>

/** How Lucene 8 and later compute a similarity of SimilarityBase: in doubles. @source org.apache.lucene.search.similarities */
export function laterFormula(formula: SimilarityFormula): Formula {
  switch (formula.kind) {
    case 'DFR':
      return divergence(formula)
    case 'IB':
      return information(formula)
    case 'DFI':
      return independence(formula)
    case 'LMDirichlet':
      return dirichlet(formula.mu)
    case 'LMJelinekMercer':
      return jelinekMercer(formula.lambda)
  }
}

/** A formula by what it says of its parts. */
function formulaOf(
  name: string,
  told: string,
  score: Formula['score'],
  parts: (statistics: FormulaStatistics, freq: Explanation, length: number) => readonly Explanation[],
): Formula {
  return {
    score,
    explain: (statistics, _doc, freq, length) =>
      explainMatch(
        fround(score(statistics, freq.value, length)),
        `score(${name}, freq=${javaFloat(freq.value)}), computed as ${told} from:`,
        parts(statistics, freq, length),
      ),
  }
}

const boosted = ({ boost }: FormulaStatistics, told = 'boost, query boost'): Explanation[] =>
  boost === 1 ? [] : [explainMatch(boost, told)]
const tfnTold = (tfn: number): Explanation => explainMatch(fround(tfn), 'tfn, normalized term frequency')
const lengthTold = (length: number): Explanation => explainMatch(length, 'dl, length of field')
const documentsTold = (n: FormulaStatistics): Explanation =>
  explainCount(n.documents, 'N, total number of documents with field')

function normalized(
  { kind, parameter }: NormalizationFormula,
  n: FormulaStatistics,
  tf: number,
  length: number,
): number {
  switch (kind) {
    case 'no':
      return tf
    case 'h1':
      return tf * parameter * (n.averageLength / length)
    case 'h2':
      return tf * log2(1 + (parameter * n.averageLength) / length)
    case 'h3':
      // What stands for the field is a float here.
      return (
        ((tf + fround(parameter * fround(fround(n.totalTermFreq + 1) / fround(n.tokens + 1)))) / (length + parameter)) *
        parameter
      )
    case 'z':
      return tf * (n.averageLength / length) ** parameter
  }
}

function explainNormalized(
  formula: NormalizationFormula,
  n: FormulaStatistics,
  freq: Explanation,
  length: number,
): Explanation {
  const { kind, parameter } = formula
  if (kind === 'no') return explainCount(1, 'no normalization')
  const tf = explainMatch(freq.value, 'tf, number of occurrences of term in the document')
  const average = explainMatch(fround(n.averageLength), 'avgfl, average length of field across all documents')
  const own = explainMatch(length, 'fl, field length of the document')
  const c = explainMatch(parameter, 'c, hyper-parameter')
  const [told, details] = {
    h1: ['NormalizationH1, computed as tf * c * (avgfl / fl) from:', [tf, c, average, own]] as const,
    h2: ['NormalizationH2, computed as tf * log2(1 + c * avgfl / fl) from:', [tf, c, average, own]] as const,
    h3: [
      'NormalizationH3, computed as (tf + mu * ((F+1) / (T+1))) / (fl + mu) * mu from:',
      [
        tf,
        explainMatch(parameter, 'mu, smoothing parameter'),
        explainMatch(n.totalTermFreq, 'F,  total number of occurrences of term across all documents'),
        explainMatch(n.tokens, 'T, total number of tokens of the field across all documents'),
        own,
      ],
    ] as const,
    z: [
      'NormalizationZ, computed as tf * Math.pow(avgfl / fl, z) from:',
      [tf, average, own, explainMatch(parameter, 'z, relates to specificity of the language')],
    ] as const,
  }[kind]
  return explainMatch(fround(normalized(formula, n, freq.value, length)), told, details)
}

/** Documents that a term of so many occurrences would be in by chance. */
const expectedDocuments = ({ documents, totalTermFreq }: FormulaStatistics): number =>
  documents * (1 - ((documents - 1) / documents) ** totalTermFreq)

/** A model's share and what it tells; the share without the after effect, which {@link Kind} multiplies. */
function divergence({ basicModel, afterEffect, normalization }: Kind<'DFR'>): Formula {
  const effect = (n: FormulaStatistics): number =>
    afterEffect === 'l' ? 1 : (n.totalTermFreq + 1 + 1) / (n.docFreq + 1)
  const lambdaOf = (n: FormulaStatistics): number => (n.totalTermFreq + 1) / (n.documents + n.totalTermFreq + 1)
  /** By how much the score grows with tfn in the models that are a product. */
  const factor = (n: FormulaStatistics): number => {
    if (basicModel === 'if') return log2(1 + (n.documents + 1) / (n.totalTermFreq + 0.5))
    return log2((n.documents + 1) / ((basicModel === 'in' ? n.docFreq : expectedDocuments(n)) + 0.5))
  }
  const model = (n: FormulaStatistics, tfn: number): number => {
    if (basicModel !== 'g') return factor(n) * effect(n) * (1 - 1 / (1 + tfn))
    const lambda = lambdaOf(n)
    const rest = log2(lambda + 1)
    const slope = log2((1 + lambda) / lambda)
    return (slope - (slope - rest) / (1 + tfn)) * effect(n)
  }
  const explainModel = (n: FormulaStatistics, tfn: number): Explanation => {
    const details = [tfnTold(tfn)]
    if (basicModel === 'g') {
      const lambda = lambdaOf(n)
      const value = fround(log2(lambda + 1) + tfn * log2((1 + lambda) / lambda))
      details.push(
        explainMatch(fround(lambda), 'lambda, computed as F / (N + F) from:', [
          explainMatch(n.totalTermFreq + 1, 'F, total number of occurrences of term across all docs + 1'),
          explainMatch(n.documents, 'N, total number of documents with field'),
        ]),
      )
      return explainMatch(
        value,
        'BasicModelG, computed as log2(lambda + 1) + tfn * log2((1 + lambda) / lambda) from:',
        details,
      )
    }
    const value = fround(tfn * factor(n))
    if (basicModel === 'if') {
      details.push(
        documentsTold(n),
        explainCount(n.totalTermFreq, 'F, total number of occurrences of term across all documents'),
      )
      return explainMatch(value, 'BasicModelIF, computed as tfn * log2(1 + (N + 1) / (F + 0.5)) from:', details)
    }
    if (basicModel === 'in') {
      details.push(documentsTold(n), explainCount(n.docFreq, 'n, number of documents containing term'))
      return explainMatch(value, 'BasicModelIn, computed as tfn * log2((N + 1) / (n + 0.5)) from:', details)
    }
    details.push(
      explainMatch(fround(expectedDocuments(n)), 'ne, computed as N * (1 - Math.pow((N - 1) / N, F)) from:', [
        explainMatch(n.totalTermFreq, 'F, total number of occurrences of term across all docs'),
        explainMatch(n.documents, 'N, total number of documents with field'),
      ]),
    )
    return explainMatch(value, 'BasicModelIne, computed as tfn * log2((N + 1) / (ne + 0.5)) from:', details)
  }
  const explainEffect = (n: FormulaStatistics, tfn: number): Explanation => {
    if (afterEffect === 'l')
      return explainMatch(fround(1 / (tfn + 1)), 'AfterEffectL, computed as 1 / (tfn + 1) from:', [tfnTold(tfn)])
    return explainMatch(fround(effect(n) / (1 + tfn)), 'AfterEffectB, computed as (F + 1) / (n * (tfn + 1)) from:', [
      tfnTold(tfn),
      explainCount(n.totalTermFreq, 'F, total number of occurrences of term across all documents + 1'),
      explainCount(n.docFreq, 'n, number of documents containing term + 1'),
      tfnTold(tfn),
    ])
  }
  return formulaOf(
    'DFRSimilarity',
    'boost * basicModel.score(stats, tfn) * afterEffect.score(stats, tfn)',
    (n, freq, length) => n.boost * model(n, normalized(normalization, n, freq, length)),
    (n, freq, length) => {
      const tfn = normalized(normalization, n, freq.value, length)
      return [
        ...boosted(n),
        explainNormalized(normalization, n, freq, length),
        explainModel(n, tfn),
        explainEffect(n, tfn),
      ]
    },
  )
}

function information({ distribution, lambda, normalization }: Kind<'IB'>): Formula {
  const lambdaOf = (n: FormulaStatistics): number => {
    const found = fround(((lambda === 'df' ? n.docFreq : n.totalTermFreq) + 1) / (n.documents + 1))
    // A float there; 1 leads to no information, and to 0 / 0.
    return found === 1 ? 1 - 2 ** -24 : found
  }
  const informationOf = (tfn: number, by: number): number => {
    if (distribution === 'll') return -Math.log(by / (tfn + by))
    const power = by ** Math.min(1 - 1 / (tfn + 1), 1 - 2 ** -53)
    return -Math.log(((power === by ? by * (1 + 2 ** -52) : power) - by) / (1 - by))
  }
  return formulaOf(
    'IBSimilarity',
    'boost * distribution.score(stats, normalization.tfn(stats, freq, docLen), lambda.lambda(stats))',
    (n, freq, length) => n.boost * informationOf(normalized(normalization, n, freq, length), lambdaOf(n)),
    (n, freq, length) => {
      const tfn = explainNormalized(normalization, n, freq, length)
      const by = lambdaOf(n)
      return [
        ...boosted(n),
        tfn,
        lambda === 'df'
          ? explainMatch(by, 'LambdaDF, computed as (n + 1) / (N + 1) from:', [
              explainCount(n.docFreq, 'n, number of documents containing term'),
              documentsTold(n),
            ])
          : explainMatch(by, 'LambdaTTF, computed as (F + 1) / (N + 1) from:', [
              explainCount(n.totalTermFreq, 'F, total number of occurrences of term across all documents'),
              documentsTold(n),
            ]),
        explainMatch(fround(informationOf(tfn.value, by)), `Distribution${distribution.toUpperCase()}`),
      ]
    },
  )
}

function independence({ measure }: Kind<'DFI'>): Formula {
  const expectedOf = (n: FormulaStatistics, length: number): number => ((n.totalTermFreq + 1) * length) / (n.tokens + 1)
  const measured = (freq: number, expected: number): number => {
    if (measure === 'chisquared') return ((freq - expected) * (freq - expected)) / expected
    return (freq - expected) / (measure === 'saturated' ? expected : Math.sqrt(expected))
  }
  return formulaOf(
    'DFISimilarity',
    'boost * log2(measure + 1)',
    (n, freq, length) => {
      const expected = expectedOf(n, length)
      return freq <= expected ? 0 : n.boost * log2(measured(freq, expected) + 1)
    },
    (n, freq, length) => {
      const expected = expectedOf(n, length)
      const expectedTold = explainMatch(fround(expected), 'expected, computed as (F + 1) * dl / (T + 1) from:', [
        explainCount(n.totalTermFreq, 'F, total number of occurrences of term across all docs'),
        lengthTold(length),
        explainCount(n.tokens, 'T, total number of tokens in the field'),
      ])
      return [
        // Told whether it does anything or not.
        explainMatch(n.boost, 'boost, query boost'),
        explainMatch(
          fround(measured(freq.value, expected)),
          'measure, computed as independence.score(freq, expected) from:',
          [freq, expectedTold],
        ),
      ]
    },
  )
}

/** Probability of a term in the collection. */
const probability = (n: FormulaStatistics): number => (n.totalTermFreq + 1) / (n.tokens + 1)
const probabilityTold = (n: FormulaStatistics): Explanation =>
  explainMatch(fround(probability(n)), 'P, probability that the current term is generated by the collection')
const occurrences = (freq: Explanation): Explanation =>
  explainMatch(freq.value, 'freq, number of occurrences of term in the document')
const collectionTold = (n: FormulaStatistics): Explanation =>
  explainMatch(fround(probability(n)), 'collection probability')

function dirichlet(mu: number): Formula {
  const weight = (n: FormulaStatistics, freq: number): number => Math.log(1 + freq / (mu * probability(n)))
  const norm = (length: number): number => Math.log(mu / (length + mu))
  return formulaOf(
    'LMDirichletSimilarity',
    'boost * (term weight + document norm)',
    (n, freq, length) => Math.max(0, n.boost * (weight(n, freq) + norm(length))),
    (n, freq, length) => [
      ...boosted(n, 'query boost'),
      explainMatch(mu, 'mu'),
      explainMatch(fround(weight(n, freq.value)), 'term weight, computed as log(1 + freq /(mu * P)) from:', [
        occurrences(freq),
        probabilityTold(n),
      ]),
      explainMatch(fround(norm(length)), 'document norm, computed as log(mu / (dl + mu))'),
      lengthTold(length),
      collectionTold(n),
    ],
  )
}

function jelinekMercer(lambda: number): Formula {
  return formulaOf(
    'LMJelinekMercerSimilarity',
    'boost * log(1 + ((1 - lambda) * freq / dl) /(lambda * P))',
    // 1 - lambda is a float there.
    (n, freq, length) => n.boost * Math.log(1 + (fround(1 - lambda) * freq) / length / (lambda * probability(n))),
    (n, freq, length) => [
      ...boosted(n, 'boost'),
      explainMatch(lambda, 'lambda'),
      probabilityTold(n),
      occurrences(freq),
      lengthTold(length),
      collectionTold(n),
    ],
  )
}
