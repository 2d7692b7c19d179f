import { regionAfterConsonant, regionAfterVowel } from './regions.ts'
import { suffixList } from './suffix-table.ts'

const VOWELS = 'աէիօւեոը'
const ENDINGS = suffixList(
  'սա վա ամբ դ անդ ությանդ վանդ ոջդ երդ ներդ ուդ ը անը ությանը վանը ոջը երը ները ի վի երի ների անում երում ներում ն ան ության վան ին երին ներին ությանն երն ներն ուն ոջ ությանս վանս ոջս ով անով վով երով ներով եր ներ ց ից վանից ոջից վից երից ներից ցից ոց ուց',
)
const VERBS = suffixList(
  'ա ացա եցա վե ացրի ացի եցի վեցի ալ ըալ անալ ենալ ացնալ ել ըել նել ցնել եցնել չել վել ացվել եցվել տել ատել ոտել կոտել ված ում վում ան ցան ացան ացրին ացին եցին վեցին ալիս ելիս ավ ացավ եցավ ալով ելով ար ացար եցար ացրիր ացիր եցիր վեցիր աց եց ացրեց ալուց ելուց ալու ելու աք ցաք ացաք ացրիք ացիք եցիք վեցիք անք ցանք ացանք ացրինք ացինք եցինք վեցինք',
)
const ADJECTIVES = suffixList(
  'րորդ երորդ ալի ակի որակ եղ ական արան են եկեն երեն որէն ին գին ովին լայն վուն պես իվ ատ ավետ կոտ բար',
)
const NOUNS = suffixList(
  'որդ ույթ ուհի ցի իլ ակ յակ անակ իկ ուկ ան պան ստան արան եղէն յուն ություն ածո իչ ուս ուստ գար վոր ավոր ոց անօց ու ք չեք իք ալիք անիք վածք ույք ենք ոնք ունք մունք իչք արք',
)

/** The Armenian stemmer. @source snowballstem.org (Astghik Mkrtchyan), as of Lucene 7.7.3 */
export function stemArmenian(word: string): string {
  const rv = regionAfterVowel(word, VOWELS)
  const r2 = regionAfterConsonant(word, VOWELS, regionAfterConsonant(word, VOWELS))
  const ending = ENDINGS.find(word, rv)
  let w = ending === undefined || ending.start < r2 ? word : word.slice(0, ending.start)
  for (const table of [VERBS, ADJECTIVES, NOUNS]) w = w.slice(0, table.find(w, rv)?.start)
  return w
}
