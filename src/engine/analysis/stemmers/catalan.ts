import { regionAfterConsonant } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'aeiouàáèéíïòóúü'
const PRONOUNS = suffixList(
  "la -la sela le me -me se -te hi 'hi li -li 'l 'm -m 'n -n ho 'ho lo selo 's las selas les -les 'ls -ls 'ns -ns ens los selos nos -nos vos us -us 't",
)
const STANDARD = new SuffixTable([
  [
    'R1',
    'enca ancia encia ència ícia inia íinia eria ària atòria alla ella ívola ima íssima ana ina era sfera ora dora adora adura esa osa assa essa issa eta ita ota ista ialista ionista iva ativa nça ístic enc esc ud atge ble able ible isme ialisme ionisme ivisme aire icte iste ici íci ari tori al il all ell ívol isam issem ìssem íssem íssim amen ìssin ar ificar egar ejar itar itzar fer or dor dur doras uds nces ancies encies ències ícies inies ínies eries àries atòries bles ables ibles imes íssimes formes ismes ialismes ines eres ores dores idores dures eses oses asses ictes ites otes istes ialistes ionistes ives atives allengües icis ícis aris toris ls als ells ims íssims ions cions esos osos assos issos ers ors dors adors idors ats itats bilitats ivitats ativitats ïtats ets ants ents ments aments ots uts ius trius atius ès és ís dís ós itat bilitat ivitat ativitat ïtat et ant ent ient ment ament isament ot isseu ìsseu ísseu triu íssiu atiu ó ió ció ació',
  ],
  ['R2', 'ada ades acions'],
  ['log', 'lógica logia logía logi lógics logies lógiques logíes logis'],
  ['ic', 'ica ic ics iques'],
  ['c', 'quíssima quíssim quíssimes quíssims'],
])
const VERBS = new SuffixTable([
  [
    'R1',
    'aba esca isca ïsca ada ida uda ïda ia aria iria ara iera ira adora ïra ava ixa itza ía aría ería iría ïa isc ïsc ad ed id ie re dre ase iese aste iste ii ini esqui eixi itzi am em arem irem àrem írem àssem éssem iguem ïguem avem àvem ávem irìem íem aríem iríem assim essim issim àssim èssim éssim íssim ïm an aban arian aran ieran iran ían arían erían irían en ien arien irien aren eren iren àren ïren asen iesen assen essen issen éssen ïssen esquen isquen ïsquen aven ixen eixen ïxen ïen in inin sin isin assin essin issin ïssin esquin eixin aron ieron arán erán irán iïn ado ido iendo io ixo eixo ïxo itzo ar tzar er eixer ir ador as abas adas idas aras ieras ías arías erías irías ids es ades ides udes ïdes atges ies aries iries ares ires adores ïres ases ieses asses esses isses ïsses ques esques ïsques aves ixes eixes ïxes ïes abais arais ierais íais aríais eríais iríais aseis ieseis asteis isteis inis sis isis assis essis issis ïssis esquis eixis itzis áis aréis eréis iréis ams ados idos amos ábamos áramos iéramos íamos aríamos eríamos iríamos aremos eremos iremos ásemos iésemos imos adors ass erass ess ats its ents às aràs iràs arás erás irás és arés ís iïs at it ant ent int ut ït au erau ieu ineu areu ireu àreu íreu asseu esseu eresseu àsseu ésseu igueu ïgueu àveu áveu itzeu ìeu irìeu íeu aríeu iríeu assiu issiu àssiu èssiu éssiu íssiu ïu ix eix ïx itz ià arà irà itzà ará erá irá irè aré eré iré í iï ió',
  ],
  ['R2', 'ando'],
])
const RESIDUES = new SuffixTable([
  ['', 'a e i ïn o ir s is os ïs it eu iu itz à á é ì í ï ó'],
  ['ic', 'iqu'],
])

/** The Catalan stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemCatalan(word: string): string {
  const r1 = regionAfterConsonant(word, VOWELS)
  const r2 = regionAfterConsonant(word, VOWELS, r1)
  const pronoun = PRONOUNS.find(word)
  let w = pronoun === undefined || pronoun.start < r1 ? word : word.slice(0, pronoun.start)
  w = stripStandard(w, r1, r2) ?? stripVerb(w, r1, r2)
  const residue = RESIDUES.find(w)
  if (residue !== undefined && residue.start >= r1) w = w.slice(0, residue.start) + residue.action
  return w.replace(/[áàéèíìïóòúü·]/g, (char) => 'aaeeiiioouu.'['áàéèíìïóòúü·'.indexOf(char)] as string)
}

function stripStandard(w: string, r1: number, r2: number): string | undefined {
  const found = STANDARD.find(w)
  if (found === undefined) return undefined
  const { start, action } = found
  const inR1 = action === 'R1' || action === 'c'
  if (start < (inR1 ? r1 : r2)) return undefined
  return w.slice(0, start) + (action === 'R1' || action === 'R2' ? '' : action)
}

function stripVerb(w: string, r1: number, r2: number): string {
  const found = VERBS.find(w)
  if (found === undefined || found.start < (found.action === 'R1' ? r1 : r2)) return w
  return w.slice(0, found.start)
}
