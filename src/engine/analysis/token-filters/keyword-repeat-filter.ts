import { RewritingFilter } from './rewriting-filter.ts'

/** Emits each token twice: protected from stemming, and not. */
export class KeywordRepeatFilter extends RewritingFilter {
  constructor() {
    super((tokens, out) => {
      for (let i = 0; i < tokens.length; i++) {
        out.append(tokens, i)
        out.keywords[out.length - 1] = true
        out.append(tokens, i)
        out.keywords[out.length - 1] = false
        out.positionIncrements[out.length - 1] = 0
      }
    }, 'keyword')
  }
}
