/** Takes an apostrophe off, and all behind it. @source Lucene, ApostropheFilter */
export const cutApostrophe = (term: string): string => term.replace(/['\u2019][\s\S]*$/, '')
