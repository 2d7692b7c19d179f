/** A regular expression of Lucene's syntax, read. */
export type RegexpNode =
  | { readonly kind: 'union'; readonly parts: readonly RegexpNode[] }
  | { readonly kind: 'concatenation' | 'intersection'; readonly left: RegexpNode; readonly right: RegexpNode }
  | { readonly kind: 'optional' | 'repeat' | 'complement' | 'named-class'; readonly inner: RegexpNode }
  | { readonly kind: 'repeat-at-least'; readonly inner: RegexpNode; readonly least: number }
  | { readonly kind: 'repeat-between'; readonly inner: RegexpNode; readonly least: number; readonly most: number }
  | { readonly kind: 'char'; readonly code: number; readonly eitherCase: boolean }
  | { readonly kind: 'string'; readonly text: string; readonly eitherCase: boolean }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'any-char' | 'empty' | 'any-string' }
  /** `<name>`: an automaton of that name, which there never is. */
  | { readonly kind: 'automaton'; readonly name: string }
  | { readonly kind: 'interval'; readonly min: number; readonly max: number; readonly digits: number }
