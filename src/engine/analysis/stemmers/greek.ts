import { SuffixTable } from './suffix-table.ts'

/** Irregular nouns: how many letters go. */
const IRREGULAR = new SuffixTable([
  [
    4,
    'καθεστωτοσ καθεστωτων γεγονοτοσ γεγονοτων τατογιου τατογιων σκαγιου σκαγιων ολογιου ολογιων κρεατοσ κρεατων περατοσ περατων τερατοσ τερατων φαγιου φαγιων σογιου σογιων',
  ],
  [3, 'καθεστωτα γεγονοτα τατογια σκαγια ολογια κρεατα περατα τερατα φαγια σογια φωτοσ φωτων'],
  [2, 'καθεστωσ γεγονοσ κρεασ περασ τερασ φωτα'],
  [1, 'φωσ'],
])

const VOWEL = /[αεηιουω]$/
const VOWEL_BUT_Y = /[αεηιοω]$/

/** Endings that go, and what comes of the stem before them. */
interface Rule {
  readonly endings: SuffixTable<true>
  readonly rest: (stem: string) => string
}

/** Stems by their ends. */
const ends = (texts: string): ((stem: string) => boolean) => {
  const pattern = new RegExp(`(?:${texts.replaceAll(' ', '|')})$`)
  return (stem) => pattern.test(stem)
}

/** Stems by the letter. */
const whole = (texts: string): ((stem: string) => boolean) => {
  const stems = new Set(texts.split(' '))
  return (stem) => stems.has(stem)
}

/** @param stays  the part of the endings that stays behind some stems */
const rule = (endings: string, stays = '', ...staysBehind: readonly ((stem: string) => boolean)[]): Rule => ({
  endings: new SuffixTable([[true, endings]]),
  rest: (stem) => (staysBehind.some((test) => test(stem)) ? stem + stays : stem),
})

const isDad = ends('οκ μαμ μαν μπαμπ πατερ γιαγι νταντ κυρ θει πεθερ')
const keepsAg = [
  whole(
    'αβαστ πολυφ αδηφ παμφ ρ ασπ αφ αμαλ αμαλλι ανυστ απερ ασπαρ αχαρ δερβεν δροσοπ ξεφ νεοπ νομοτ ολοπ ομοτ προστ προσωποπ συμπ συντ τ υποτ χαρ αειπ αιμοστ ανυπ αποτ αρτιπ διατ εν επιτ κροκαλοπ σιδηροπ λ ναυ ουλαμ ουρ π τρ μ',
  ),
  ends('οφ πελ χορτ λλ σφ ρπ φρ πρ λοχ σμην'),
]
const losesAg = [whole('ψοφ ναυλοχ'), ends('κολλ')]

const BEFORE_VERBS: readonly Rule[] = [
  rule('αδεσ αδων', 'αδ', (stem) => !isDad(stem)),
  rule('εδεσ εδων', 'εδ', ends('οπ ιπ εμπ υπ γηπ δαπ κρασπ μιλ')),
  rule('ουδεσ ουδων', 'ουδ', ends('αρκ καλιακ πεταλ λιχ πλεξ σκ σ φλ φρ βελ λουλ χν σπ τραγ φε')),
  rule('εωσ εων', 'ε', whole('θ δ ελ γαλ ν π ιδ παρ')),
  rule('ια ιου ιων', 'ι', (stem) => VOWEL.test(stem)),
  rule(
    'ικα ικο ικου ικων',
    'ικ',
    (stem) => VOWEL.test(stem),
    whole(
      'αλ αδ ενδ αμαν αμμοχαλ ηθ ανηθ αντιδ φυσ βρωμ γερ εξωδ καλπ καλλιν καταδ μουλ μπαν μπαγιατ μπολ μποσ νιτ ξικ συνομηλ πετσ πιτσ πικαντ πλιατσ ποστελν πρωτοδ σερτ συναδ τσαμ υποδ φιλον φυλοδ χασ',
    ),
  ),
]
/** Behind `αγαμε` and `ιουντανε`, which are looked at by themselves. */
const VERBS: readonly Rule[] = [
  rule('ησετε'),
  rule(
    'ετε',
    'ετ',
    whole('αβαρ βεν εναρ αβρ αδ αθ αν απλ βαρον ντρ σκ κοπ μπορ νιφ παγ παρακαλ σερπ σκελ συρφ τοκ υ δ εμ θαρρ θ'),
    (stem) => VOWEL_BUT_Y.test(stem),
    ends(
      'οδ αιρ φορ ταθ διαθ σχ ενδ ευρ τιθ υπερθ ραθ ενθ ροθ σθ πυρ αιν συνδ συν συνθ χωρ πον βρ καθ ευθ εκθ νετ ρον αρκ βαρ βολ ωφελ',
    ),
  ),
  {
    endings: new SuffixTable([[true, 'οντασ ωντασ']]),
    rest: (stem) => (stem === 'αρχ' ? 'αρχοντ' : stem.endsWith('κρε') ? `${stem}ωντ` : stem),
  },
  rule('ομαστε', 'ομαστ', whole('ον')),
  rule('ιεστε', 'ιεστ', whole('π απ συμπ ασυμπ ακαταπ αμεταμφ')),
  rule('εστε', 'εστ', whole('αλ αρ εκτελ ζ μ ξ παρακαλ προ νισ')),
  rule('ηθηκεσ ηθηκα ηθηκε'),
  rule('ηκεσ ηκα ηκε', 'ηκ', whole('διαθ θ παρακαταθ προσθ συνθ'), ends('σκωλ σκουλ ναρθ σφ οθ πιθ')),
  rule(
    'ουσεσ ουσα ουσε',
    'ουσ',
    whole(
      'φαρμακ χαδ αγκ αναρρ βρομ εκλιπ λαμπιδ λεχ μ πατ ρ λ μεδ μεσαζ υποτειν αμ αιθ ανηκ δεσποζ ενδιαφερ δε δευτερευ καθαρευ πλε τσα',
    ),
    (stem) => VOWEL.test(stem),
    ends('ποδαρ βλεπ πανταχ φρυδ μαντιλ μαλλ κυματ λαχ ληγ φαγ ομ πρωτ'),
  ),
  rule('αγεσ αγα αγε', 'αγ', (stem) => keepsAg.some((test) => test(stem)) && !losesAg.some((test) => test(stem))),
  rule('ησου ησε ησα', 'ησ', whole('ν χερσον δωδεκαν ερημον μεγαλον επταν')),
  rule('ηστε', 'ηστ', whole('ασβ σβ αχρ χρ απλ αειμν δυσχρ ευχρ κοινοχρ παλιμψ')),
  rule('ησουνε ηθουνε ουνε', 'ουν', whole('ν ρ σπι στραβομουτσ κακομουτσ εξων')),
  rule('ησουμε ηθουμε ουμε', 'ουμ', whole('παρασουσ φ χ ωριοπλ αζ αλλοσουσ ασουσ')),
]
const AME = rule('αμε', 'αμ', whole('αναπ αποθ αποκ αποστ βουβ ξεθ ουλ πεθ πικρ ποτ σιχ χ'))
const ANE = rule(
  'ανε',
  'αν',
  (stem) => VOWEL_BUT_Y.test(stem),
  whole(
    'βετερ βουλκ βραχμ γ δραδουμ θ καλπουζ καστελ κορμορ λαοπλ μωαμεθ μ μουσουλμ ν ουλ π πελεκ πλ πολισ πορτολ σαρακατσ σουλτ τσαρλατ ορφ τσιγγ τσοπ φωτοστεφ χ ψυχοπλ αγ γαλ γερ δεκ διπλ αμερικαν ουρ πιθ πουριτ σ ζωντ ικ καστ κοπ λιχ λουθηρ μαιντ μελ σιγ σπ στεγ τραγ τσαγ φ ερ αδαπ αθιγγ αμηχ ανικ ανοργ απηγ απιθ ατσιγγ βασ βασκ βαθυγαλ βιομηχ βραχυκ διατ διαφ ενοργ θυσ καπνοβιομηχ καταγαλ κλιβ κοιλαρφ λιβ μεγλοβιομηχ μικροβιομηχ νταβ ξηροκλιβ ολιγοδαμ ολογαλ πενταρφ περηφ περιτρ πλατ πολυδαπ πολυμηχ στεφ ταβ τετ υπερηφ υποκοπ χαμηλοδαπ ψηλοταβ',
  ),
)
/** What goes where nothing else did. */
const LONG_LIST = rule(
  'ιοντουσαν ιομασταν ιοσασταν ιουμαστε οντουσαν ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν ηθηκατε ομασταν οσασταν ουμαστε ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν ουσατε αγατε ιεμαι ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν ουμαι ουσαν αγαν αμαι ασαι αται ειτε εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν αει εισ ηθω ησω ουν ουσ αν ασ αω ει εσ ησ οι οσ ου υσ ων α ε η ι ο υ ω',
)

/**
 * The Greek stemmer; expects lower case without accents.
 *
 * @source G. Ntais, «Development of a stemmer for the Greek language», 2006, as Lucene's GreekStemmer does it
 */
export function stemGreek(word: string): string {
  if (word.length < 4) return word
  const irregular = IRREGULAR.find(word)
  let w = irregular === undefined ? word : word.slice(0, -irregular.action)
  for (const one of BEFORE_VERBS) w = apply(w, one)
  w = stripWe(w)
  w = stripThey(w)
  for (const one of VERBS) w = apply(w, one)
  w = w.replace(/(?<=.μα)(?:των|τοσ|τα)$/, '')
  if (w.length === word.length) w = apply(w, LONG_LIST)
  return w.replace(/(?:εστερ|εστατ|[ουω]τερ|[ουω]τατ)$/, '')
}

function apply(w: string, { endings, rest }: Rule): string {
  const found = endings.find(w, 1)
  return found === undefined ? w : rest(w.slice(0, found.start))
}

function stripWe(w: string): string {
  if (w === 'αγαμε') return 'αγαμ'
  return apply(w.replace(/(?<=.)(?:ηθηκαμε|ουσαμε|αγαμε|ησαμε|ηκαμε)$/, ''), AME)
}

function stripThey(w: string): string {
  const stem = w.replace(
    /(?<=.)(?:ιουντανε|ιοντανε|ιοτανε|αγανε)$|(?:ουντανε|ηθηκανε|οντανε|ουσανε|ησανε|οτανε|ηκανε)$/,
    '',
  )
  return apply(stem !== w && (stem === 'τρ' || stem === 'τσ') ? `${stem}αγαν` : stem, ANE)
}
