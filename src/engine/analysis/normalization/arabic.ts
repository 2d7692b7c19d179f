import { characterMap } from './character-map.ts'

/** Hamza forms of alef, dotless yeh and teh marbuta unified; tatweel and vowel signs dropped. @source Lucene, ArabicNormalizer */
export const normalizeArabic = characterMap('آأإىةـًٌٍَُِّْ', 'ااايه---------')

/** Farsi forms of yeh, kaf and heh as their Arabic ones; hamza above dropped. @source Lucene, PersianNormalizer */
export const normalizePersian = characterMap('یےکۀۂ', 'ييكهه-')
