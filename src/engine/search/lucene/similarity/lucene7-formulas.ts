import { javaFloat } from '../../../java/java-number-text.ts'
import type { NormalizationFormula, SimilarityFormula } from '../../../mapping/similarity-formula.ts'
import { type Explanation, explainMatch } from '../explanation.ts'
import type { Formula, FormulaStatistics } from './formula.ts'

const f = Math.fround
const LOG_2 = Math.log(2)
const log2 = (x: number): number => Math.log(x) / LOG_2

type Kind<K extends SimilarityFormula['kind']> = Extract<SimilarityFormula, { kind: K }>

/** How Lucene 7 computes a similarity of SimilarityBase: in floats, but for logarithms. @source org.apache.lucene.search.similarities */
export function lucene7Formula(formula: SimilarityFormula): Formula {
  switch (formula.kind) {
    case 'DFR':
      return divergence(formula)
    case 'IB':
      return information(formula)
    case 'DFI':
      return independence(formula)
    case 'LMDirichlet':
      return dirichlet(f(formula.mu))
    case 'LMJelinekMercer':
      return jelinekMercer(f(formula.lambda))
  }
}

/** A formula by what it says of its parts. */
function formulaOf(
  name: string,
  score: Formula['score'],
  parts: (statistics: FormulaStatistics, freq: number, length: number) => readonly Explanation[],
): Formula {
  return {
    score,
    explain: (statistics, doc, { value: freq }, length) =>
      explainMatch(
        f(score(statistics, freq, length)),
        `score(${name}, doc=${doc}, freq=${javaFloat(freq)}), computed from:`,
        parts(statistics, freq, length),
      ),
  }
}

const boosted = ({ boost }: FormulaStatistics): Explanation[] => (boost === 1 ? [] : [explainMatch(boost, 'boost')])
const documentsTold = (n: FormulaStatistics): Explanation => explainMatch(n.documents, 'numberOfDocuments')
const totalTold = (n: FormulaStatistics): Explanation => explainMatch(n.totalTermFreq, 'totalTermFreq')
const docFreqTold = (n: FormulaStatistics): Explanation => explainMatch(n.docFreq, 'docFreq')

function normalized(
  { kind, parameter }: NormalizationFormula,
  n: FormulaStatistics,
  tf: number,
  length: number,
): number {
  const c = f(parameter)
  switch (kind) {
    case 'no':
      return tf
    case 'h1':
      return f(f(f(tf * c) * n.averageLength) / length)
    case 'h2':
      return f(tf * log2(f(1 + f(f(c * n.averageLength) / length))))
    case 'h3':
      return f(f(f(tf + f(c * f(f(n.totalTermFreq + 1) / f(n.tokens + 1)))) / f(length + c)) * c)
    case 'z':
      return f(tf * f(n.averageLength / length) ** c)
  }
}

function explainNormalized(
  formula: NormalizationFormula,
  n: FormulaStatistics,
  tf: number,
  length: number,
): Explanation {
  if (formula.kind === 'no') return explainMatch(1, 'no normalization')
  return explainMatch(
    normalized(formula, n, tf, length),
    `Normalization${formula.kind.toUpperCase()}, computed from: `,
    [explainMatch(tf, 'tf'), explainMatch(n.averageLength, 'avgFieldLength'), explainMatch(length, 'len')],
  )
}

const MODEL_NAMES = { be: 'BE', d: 'D', g: 'G', if: 'IF', in: 'In', ine: 'Ine', p: 'P' }

function divergence({ basicModel, afterEffect, normalization }: Kind<'DFR'>): Formula {
  const model = (n: FormulaStatistics, tfn: number): number => basicModels[basicModel](n, tfn)
  const effect = (n: FormulaStatistics, tfn: number): number => {
    if (afterEffect === 'no') return 1
    if (afterEffect === 'l') return f(1 / f(tfn + 1))
    return f(f(n.totalTermFreq + 2) / f((n.docFreq + 1) * f(tfn + 1)))
  }
  const explainEffect = (n: FormulaStatistics, tfn: number): Explanation => {
    if (afterEffect === 'no') return explainMatch(1, 'no aftereffect')
    const details = [explainMatch(tfn, 'tfn')]
    if (afterEffect === 'b') details.push(totalTold(n), docFreqTold(n))
    return explainMatch(effect(n, tfn), `AfterEffect${afterEffect.toUpperCase()}, computed from: `, details)
  }
  return formulaOf(
    'DFRSimilarity',
    (n, freq, length) => {
      const tfn = normalized(normalization, n, freq, length)
      return f(f(n.boost * model(n, tfn)) * effect(n, tfn))
    },
    (n, freq, length) => {
      const told = explainNormalized(normalization, n, freq, length)
      return [
        ...boosted(n),
        told,
        explainMatch(model(n, told.value), `BasicModel${MODEL_NAMES[basicModel]}, computed from: `, [
          documentsTold(n),
          basicModel === 'in' ? docFreqTold(n) : totalTold(n),
        ]),
        explainEffect(n, told.value),
      ]
    },
  )
}

const basicModels: Readonly<Record<Kind<'DFR'>['basicModel'], (n: FormulaStatistics, tfn: number) => number>> = {
  be: (n, tfn) => {
    const total = f(n.totalTermFreq + 1 + tfn)
    const documents = total + n.documents
    const stirling = (a: number, b: number): number => (b + 0.5) * log2(a / b) + (a - b) * log2(a)
    return f(
      -log2((documents - 1) * Math.E) +
        stirling(documents + total - 1, documents + total - tfn - 2) -
        stirling(total, total - tfn),
    )
  },
  d: (n, tfn) => {
    const total = f(n.totalTermFreq + 1 + tfn)
    const phi = tfn / total
    const rest = 1 - phi
    const p = 1 / (n.documents + 1)
    const divergenceOf = phi * log2(phi / p) + rest * log2(rest / (1 - p))
    return f(divergenceOf * total + 0.5 * log2(1 + 2 * Math.PI * tfn * rest))
  },
  g: (n, tfn) => {
    const total = n.totalTermFreq + 1
    const lambda = total / (n.documents + total)
    return f(log2(lambda + 1) + tfn * log2((1 + lambda) / lambda))
  },
  if: (n, tfn) => f(tfn * f(log2(1 + (n.documents + 1) / (n.totalTermFreq + 0.5)))),
  in: (n, tfn) => f(tfn * f(log2((n.documents + 1) / (n.docFreq + 0.5)))),
  ine: (n, tfn) => {
    const expected = n.documents * (1 - ((n.documents - 1) / n.documents) ** n.totalTermFreq)
    return f(tfn * f(log2((n.documents + 1) / (expected + 0.5))))
  },
  p: (n, tfn) => {
    const lambda = f(f(n.totalTermFreq + 1) / (n.documents + 1))
    const spread = f(f(lambda + f(1 / f(12 * tfn))) - tfn)
    return f(tfn * log2(f(tfn / lambda)) + spread * log2(Math.E) + 0.5 * log2(2 * Math.PI * tfn))
  },
}

function information({ distribution, lambda, normalization }: Kind<'IB'>): Formula {
  const lambdaOf = (n: FormulaStatistics): number =>
    f(f((lambda === 'df' ? n.docFreq : n.totalTermFreq) + 1) / f(n.documents + 1))
  const informationOf = (tfn: number, by: number): number => {
    if (distribution === 'll') return f(-Math.log(f(by / f(tfn + by))))
    const below = by === 1 ? f(0.99) : by
    return f(-Math.log((below ** f(tfn / f(tfn + 1)) - below) / f(1 - below)))
  }
  return formulaOf(
    'IBSimilarity',
    (n, freq, length) => f(n.boost * informationOf(normalized(normalization, n, freq, length), lambdaOf(n))),
    (n, freq, length) => [
      ...boosted(n),
      explainNormalized(normalization, n, freq, length),
      explainMatch(lambdaOf(n), `Lambda${lambda.toUpperCase()}, computed from: `, [
        lambda === 'df' ? docFreqTold(n) : totalTold(n),
        documentsTold(n),
      ]),
      explainMatch(
        informationOf(explainNormalized(normalization, n, freq, length).value, lambdaOf(n)),
        `Distribution${distribution.toUpperCase()}`,
      ),
    ],
  )
}

function independence({ measure }: Kind<'DFI'>): Formula {
  return formulaOf(
    'DFISimilarity',
    (n, freq, length) => {
      const expected = f(f((n.totalTermFreq + 1) * length) / f(n.tokens + 1))
      if (freq <= expected) return 0
      const above = f(freq - expected)
      const measured =
        measure === 'chisquared'
          ? f(f(above * above) / expected)
          : f(above / (measure === 'saturated' ? expected : f(Math.sqrt(expected))))
      return f(n.boost * f(log2(f(measured + 1))))
    },
    () => [],
  )
}

/** Probability of a term in the collection. */
const probability = (n: FormulaStatistics): number => f(f(n.totalTermFreq + 1) / f(n.tokens + 1))
const probabilityTold = (n: FormulaStatistics): Explanation => explainMatch(probability(n), 'collection probability')

function dirichlet(mu: number): Formula {
  const weight = (n: FormulaStatistics, freq: number): number => Math.log(f(1 + f(freq / f(mu * probability(n)))))
  const norm = (length: number): number => Math.log(f(mu / f(length + mu)))
  return formulaOf(
    'LMDirichletSimilarity',
    (n, freq, length) => Math.max(0, f(n.boost * f(weight(n, freq) + norm(length)))),
    (n, freq, length) => [
      ...boosted(n),
      explainMatch(mu, 'mu'),
      explainMatch(f(weight(n, freq)), 'term weight'),
      explainMatch(f(norm(length)), 'document norm'),
      probabilityTold(n),
    ],
  )
}

function jelinekMercer(lambda: number): Formula {
  return formulaOf(
    'LMJelinekMercerSimilarity',
    (n, freq, length) =>
      f(n.boost * f(Math.log(f(1 + f(f(f(f(1 - lambda) * freq) / length) / f(lambda * probability(n))))))),
    (n) => [...boosted(n), explainMatch(lambda, 'lambda'), probabilityTold(n)],
  )
}
