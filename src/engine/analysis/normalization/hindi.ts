import { characterMap } from './character-map.ts'

/** Nukta forms, long vowels and other variants, and what they are read as; joiners, nukta and virama go. */
const unify = characterMap(
  '\u0901\u093c\u0929\u0931\u0934\u0958\u0959\u095a\u095b\u095c\u095d\u095e\u095f\u200c\u200d\u094d\u0945\u0946\u0949\u094a\u090d\u090e\u0911\u0912\u0972\u0906\u0908\u090a\u0960\u0961\u0910\u0914\u0940\u0942\u0944\u0963\u0948\u094c',
  '\u0902-\u0928\u0930\u0933\u0915\u0916\u0917\u091c\u0921\u0922\u092b\u092f---\u0947\u0947\u094b\u094b\u090f\u090f\u0913\u0913\u0905\u0905\u0907\u0909\u090b\u090c\u090f\u0913\u093f\u0941\u0943\u0962\u0947\u094b',
)

/** Spellings of the same word unified. @source Lucene, HindiNormalizer (Larkey and others, 2003) */
export function normalizeHindi(term: string): string {
  return unify(term.replace(/न्/g, 'ं'))
}
