/** What may stand in one place of a phrase. */
export interface PhrasePart {
  readonly position: number
  readonly accepts: (term: string) => boolean
  /** The words that it accepts, in their order; undefined: any that look so. */
  readonly terms?: readonly string[]
  /** It has to stand there, and is not marked. */
  readonly isUnmarked?: true
}

/** Words that a query looks for together. */
export interface Phrase {
  /** By position, the terms that may stand there; in order, gaps as their distance. */
  readonly parts: readonly PhrasePart[]
  readonly slop: number
  readonly weight: number
  /** Of spans, and of a text that may be read in several ways: how its parts have to stand, whatever their positions. */
  readonly spans?: SpanTree
  /** How many of the text's first positions it has to stand in (`span_first`). */
  readonly within?: number
  /** Whether the last word may be but begun: for the plain highlighter, where no word of a value begins so, those before it are the phrase. */
  readonly isBegun?: true
}

/** Spans of words, as a query asks for them. */
export type SpanTree =
  | { readonly kind: 'words'; readonly part: PhrasePart }
  | { readonly kind: 'or'; readonly clauses: readonly SpanTree[] }
  | { readonly kind: 'near'; readonly clauses: readonly SpanTree[]; readonly slop: number; readonly inOrder: boolean }
  | { readonly kind: 'gap'; readonly width: number }
  | { readonly kind: 'first'; readonly match: SpanTree; readonly end: number }
  | {
      readonly kind: 'not'
      readonly include: SpanTree
      readonly exclude: SpanTree
      readonly pre: number
      readonly post: number
    }
  | { readonly kind: 'big' | 'little'; readonly big: SpanTree; readonly little: SpanTree }

/** The words that spans may be found by. */
export function partsOf(tree: SpanTree): PhrasePart[] {
  switch (tree.kind) {
    case 'words':
      return [tree.part]
    case 'gap':
      return []
    case 'or':
    case 'near':
      return tree.clauses.flatMap(partsOf)
    case 'first':
      return partsOf(tree.match)
    case 'not':
      return partsOf(tree.include)
    case 'big':
    case 'little':
      return [...partsOf(tree.big), ...partsOf(tree.little)]
  }
}
