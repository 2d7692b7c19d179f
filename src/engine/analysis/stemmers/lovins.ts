import { SuffixTable } from './suffix-table.ts'

/** What must stand before endings that go: Lovins' conditions A to CC. */
const ENDINGS: readonly (readonly [before: RegExp, endings: string])[] = [
  [
    /(?:..)$/,
    "s' a ia ata ic aic aric istic aristic ivistic enced ished ied ioned arized oid aroid hood ehood ihood ward e ae icance ence icide otide able atable arizable ible encible ese wise ate entiate inate ive ative alize icalize ialize entialize ionalize arize encing ioning arizing yish i ical aical istical oidal ial ancial arial ential ional izational ental ful eful iful icism oidism icalism ionalism ativism ium ian ician ogen entiation ination isation arisation entation arization o ier ariser arizer ator 's ics istics ences oides acies ancies encies aries ities alities ivities nesses ates atives is ials entials ionals ians icians arisations entations izations arizations iers ators less eless ness ableness ibleness ateness iteness iveness ativeness ingness ishness iness alness icalness antialness entialness ionalness fulness lessness ousness eousness iousness itousness entness ists icists ous eous aceous antaneous ious itous icant ement izement ist icist alist icalist ialist ionist entist acy ency ably ibly iedly ately ively atively atingly ily lily arily ically aically istically oidally ially entially ionally entally fully efully ifully lessly ously eously iously ently icianry atory ity acity icity eity ality icality iality antiality entiality ionality elity ability izability arizability ibility ivity",
  ],
  [
    /(?:...)$/,
    'atic alistic anced ance age ancing aging ying ational ism alism ation as ances ages isms ions ations ants acious ant y ancy ly ingly ally alistically ationally izationally arity',
  ],
  [/(?:....)$/, 'antic ented enting ish ent allically'],
  [/(?:.....)$/, 'ionate'],
  [/(?:.[^e])$/, 'ed ened elihood izable ene ature ening es eness eableness ariness edly ely enly ery'],
  [/(?:..[^e])$/, 'ized ize izing en ization izer izers ary'],
  [/(?:..f)$/, 'ication action'],
  [/(?:.t|ll)$/, 'itic'],
  [/(?:.[^oe])$/, 'ated idine ating'],
  [/(?:.[^ae])$/, 'inism'],
  [/(?:..[li]|u.e)$/, 'arly'],
  [/(?:.[^uxs]|os)$/, 'ide ides'],
  [/(?:.[^acem])$/, 'ine ines'],
  [/(?:[^s]..|....)$/, 'ing ings'],
  [/(?:.[li])$/, 'ars'],
  [/(?:.[^c])$/, 'ies'],
  [/(?:..[^ln])$/, 'ion'],
  [/(?:.[nr])$/, 'one yl'],
  [/(?:dr|.(?<!t)t)$/, 'on'],
  [/(?:.s|.(?<!o)t)$/, 'or'],
  [/(?:.[lmnr])$/, 'um'],
  [/(?:.c)$/, 'us'],
  [/(?:.[^su])$/, 's'],
  [/(?:.[li]|u.e)$/, 'ar'],
  [/(?:in)$/, 'eal ear ealy early'],
  [/(?:.[^f])$/, 'eature'],
  [/(?:.[dflt]|ph|th|er|or|es)$/, 'ite'],
  [/(?:...(?<!met|ryst))$/, 'allic al als'],
  [/(?:.l)$/, 'inity'],
]
const CONDITIONS: ReadonlyMap<string, RegExp> = new Map(
  ENDINGS.flatMap(([before, endings]) => endings.split(' ').map((ending) => [ending, before] as const)),
)
const LONGEST = 11
/** Ends of stems, what stands for them, and what must not stand before. */
const RESPELT = new SuffixTable<readonly [to: string, notBehind?: string]>([
  [['ief'], 'iev'],
  [['uc'], 'uct'],
  [['um'], 'umpt'],
  [['rb'], 'rpt'],
  [['ur'], 'urs'],
  [['ister'], 'istr'],
  [['meter'], 'metr'],
  [['olut'], 'olv'],
  [['l', 'aio'], 'ul'],
  [['bic'], 'bex'],
  [['dic'], 'dex'],
  [['pic'], 'pex'],
  [['tic'], 'tex'],
  [['ac'], 'ax'],
  [['ec'], 'ex'],
  [['ic'], 'ix'],
  [['luc'], 'lux'],
  [['uas'], 'uad'],
  [['vas'], 'vad'],
  [['cis'], 'cid'],
  [['lis'], 'lid'],
  [['eris'], 'erid'],
  [['pans'], 'pand'],
  [['ens', 's'], 'end'],
  [['ons'], 'ond'],
  [['lus'], 'lud'],
  [['rus'], 'rud'],
  [['hes', 'pt'], 'her'],
  [['mis'], 'mit'],
  [['ens', 'm'], 'ent'],
  [['ers'], 'ert'],
  [['es', 'n'], 'et'],
  [['ys'], 'yt'],
  [['ys'], 'yz'],
])

/** Lovins' English stemmer. @source J. B. Lovins, «Development of a stemming algorithm», 1968, as Snowball has it */
export function stemLovins(word: string): string {
  const w = stripEnding(word).replace(/([bdglmnprst])\1$/, '$1')
  const found = RESPELT.find(w)
  if (found === undefined) return w
  const stem = w.slice(0, found.start)
  const [to, notBehind = ''] = found.action
  return stem !== '' && notBehind.includes(stem.slice(-1)) ? w : stem + to
}

/** Takes off the longest ending before which stands what must. */
function stripEnding(word: string): string {
  for (let size = Math.min(LONGEST, word.length); size > 0; size--) {
    const stem = word.slice(0, -size)
    if (CONDITIONS.get(word.slice(-size))?.test(stem) === true) return stem
  }
  return word
}
