import { regionAfterConsonant, romanceRegion } from './regions.ts'
import { SuffixTable } from './suffix-table.ts'

const VOWELS = 'aeiou'
const VERBS = new SuffixTable([
  [
    'RV',
    'idea bidea kidea pidea kundea galea tailea tzailea gunea kunea tzaga gaia aldia taldia karia karria ka tzaka la mena pena kina ezina tezina kuna tuna kizuna era bera kera pera orra korra dura gura kura tura eta keta gailua eza erreza gaitza kaitza kuntza ide bide kide pide kunde tzake tzeke le gale taile tzaile gune kune tze atze gai aldi taldi ki ari kari lari tari etari karri arazi tarazi an ean rean kan etan men pen kin rekin ezin tezin tun kizun go ago tio dako or kor tzat du gailu tu atu aldatu tatu ez errez tzez gaitz kaitz',
  ],
  ['R2', 'garria tza garri'],
  ['atseden', 'atseden'],
  ['arabera', 'arabera'],
  ['baditu', 'baditu'],
])
const NOUNS = new SuffixTable([
  [
    'RV',
    'ada kada anda denda gabea kabea aldea kaldea taldea ordea zalea tzalea gilea emea kumea nea enea zionea unea gunea pea aurrea tea kotea artea ostea etxea ga anga gaia aldia taldia handia mendia geia egia degia tegia nahia ohia kia tokia oia koia aria karia laria taria eria keria teria larria kirria duria asia tia ezia bizia ontzia ka ska xka zka gibela gela kaila skila tila ola na kana ena garrena gerrena urrena zaina tzaina kina mina garna una duna asuna tasuna ondoa kondoa ngoa zioa koa takoa zkoa noa zinoa aroa taroa zaroa eroa oroa osoa toa ttoa ztoa txoa tzoa ñoa ra ara dara liara tiara tara etara tzara bera kera pera tzarra korra tra sa osa ta eta keta sta dua mendua ordua lekua burua durua tsua tua mentua estua txua zua tzua za eza eroza koitza antza gintza kintza kuntza gabe kabe kide alde kalde talde orde ge zale tzale gile eme kume ne zione une gune pe aurre te kote arte oste etxe gai di aldi taldi handi mendi gei egi degi tegi nahi ohi ki toki oi goi koi ari kari lari tari larri kirri duri asi ti ontzi ñi ak ek tarik gibel ail kail kan tan etan garren gerren urren zain tzain kin min dun asun tasun aizun ondo kondo go ngo zio ko tako etako eko tariko sko tuko zko no zino ro aro taro zaro ero giro oro oso to tto zto txo tzo gintzo ño zp ar dar behar liar tiar tar tzar kor os ket du mendu ordu leku duru tsu tu mentu estu txu zu tzu gintzu z ez eroz tz koitz',
  ],
  ['R2', 'garria ora tza garri ren or buru'],
  ['jok', 'joka'],
  ['R1', 'en ten tzen tatu'],
  ['tra', 'trako'],
  ['minutu', 'minutuko'],
  ['zehar', 'zehar'],
  ['geldi', 'geldi'],
  ['igaro', 'igaro'],
  ['aurka', 'aurka'],
])
const ADJECTIVES = new SuffixTable([
  ['RV', 'keria la era dade tade date tate gi ki ik lanik rik larik ztik go ro ero to'],
  ['z', 'zlea'],
])

/** The Basque stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemBasque(word: string): string {
  const r1 = regionAfterConsonant(word, VOWELS)
  const regions: Readonly<Record<string, number>> = {
    RV: romanceRegion(word, VOWELS),
    R1: r1,
    R2: regionAfterConsonant(word, VOWELS, r1),
  }
  let head = word
  // Words that are put in an ending's place stay; the search goes on before them.
  let tail = ''
  const step = (table: SuffixTable<string>): boolean => {
    const found = table.find(head)
    if (found === undefined) return false
    const region = regions[found.action]
    if (region !== undefined && found.start < region) return false
    head = head.slice(0, found.start)
    if (region === undefined) tail = found.action + tail
    return true
  }
  while (step(VERBS));
  while (step(NOUNS));
  step(ADJECTIVES)
  return head + tail
}
