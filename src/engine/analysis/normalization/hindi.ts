import { characterMap } from './character-map.ts'

const unify = characterMap('ँ़ऩऱऴक़ख़ग़ज़ड़ढ़फ़य़\u200c\u200d्ॅॆॉॊऍऎऑऒॲआईऊॠॡऐऔीूॄॣैौ', 'ं-नरळकखगजडढफय---ेेोोएएओओअअइउऋऌएओिुृॢेो')

/** Spellings of the same word unified. @source Lucene, HindiNormalizer (Larkey and others, 2003) */
export function normalizeHindi(term: string): string {
  return unify(term.replace(/न्/g, 'ं'))
}
