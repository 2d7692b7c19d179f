/** seunjeon's parts of speech: the names of `index_poses` and of a token's type. */
export const SEUNJEON_POSES = [
  'UNK',
  'EP',
  'E',
  'I',
  'J',
  'M',
  'N',
  'S',
  'SL',
  'SH',
  'SN',
  'V',
  'VCP',
  'XP',
  'XS',
  'XR',
] as const

/** A part of speech of seunjeon. */
export type SeunjeonPos = (typeof SEUNJEON_POSES)[number]

/** mecab-ko-dic tags behind each part of speech. */
const TAGS: Record<SeunjeonPos, string> = {
  UNK: 'UNKNOWN',
  EP: 'EP',
  E: 'EC EF ETM ETN',
  I: 'IC',
  J: 'JC JKB JKC JKG JKO JKQ JKS JKV JX',
  M: 'MAG MAJ MM',
  N: 'NNG NNP NNB NNBC NP NR',
  S: 'SF SP SSC SSO SC SY SE',
  SL: 'SL',
  SH: 'SH',
  SN: 'SN',
  V: 'VA VCN VV VX',
  VCP: 'VCP',
  XP: 'XPN',
  XS: 'XSA XSN XSV',
  XR: 'XR',
}

const POS_BY_TAG = new Map<string, SeunjeonPos>(
  SEUNJEON_POSES.flatMap((pos) => TAGS[pos].split(' ').map((tag) => [tag, pos] as const)),
)

/** Part of speech of a mecab-ko-dic tag, or undefined for a tag seunjeon does not know. */
export function seunjeonPos(tag: string): SeunjeonPos | undefined {
  return POS_BY_TAG.get(tag)
}

/** Parts of speech that cost more behind a space. */
const PENALIZED: ReadonlySet<SeunjeonPos | undefined> = new Set<SeunjeonPos>(['E', 'EP', 'J', 'VCP', 'XS'])

/** Whether a word whose first tag this is costs more behind a space. */
export function hasSpacePenalty(tag: string): boolean {
  return PENALIZED.has(seunjeonPos(tag))
}

// Pairs (last of one morpheme, first of the next) that stay in one eojeol.
const LINKS = `
  XS-EP V-EP
  EP-E E-E XR-E V-E XS-E
  N-XS M-XS XR-XS UNK-XS
  N-VCP XS-VCP UNK-VCP
  N-J XS-J E-J M-J J-J SL-J SH-J SN-J UNK-J
  XP-N`
const LINKED: ReadonlySet<string> = new Set(LINKS.trim().split(/\s+/))

/** Whether a morpheme joins the eojeol of the one before. */
export function joinsEojeol(lastPos: SeunjeonPos, firstPos: SeunjeonPos): boolean {
  return LINKED.has(`${lastPos}-${firstPos}`)
}
