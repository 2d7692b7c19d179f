/** Scripts whose blocks are laid out alike, by the letter used below; a block has 128 characters. */
const BLOCKS: Readonly<Record<string, number>> = {
  d: 0x900,
  b: 0x980,
  g: 0xa00,
  u: 0xa80,
  o: 0xb00,
  t: 0xb80,
  e: 0xc00,
  k: 0xc80,
  m: 0xd00,
}

/**
 * Sequences that are written as one character: two or three places in the block (`--`: two only, `ff`: a joiner), the
 * place of the result, and the scripts it holds for; all in hexadecimal. @source Lucene, IndicNormalizer
 */
const COMPOSITIONS =
  '053e4511du 053e4612d 053e4713du 053e4814du 053e--06dbguo 0545--72d 0545--0du 0546--04d 0547--0fu 0548--10gu ' +
  '0549--11du 054a--12d 054b--13du 054c--14dgu 0645--11du 0646--12d 0647--13du 0648--14du 0757--08m 0941--0ad ' +
  '0957--0atm 0e46--10m 0f45--0dd 0f46--0ed 0f47--10d 0f57--10o 123e--13m 124c--14ek 1255--13e 1257--14tm ' +
  '1357--14o 153c--58d 163c--59dg 173c--5adg 1c3c--5bdg 213c--5cdbo 223c--5ddbo 234dff7am 244dff4eb 283c--29d ' +
  '284dff7bm 2b3c--5edg 2f3c--5fdb 2c41410be 303c--31d 304dff7cm 324dff7dm 333c--34d 334dff7em 3541--2ee ' +
  '3e45--49du 3e46--4ad 3e47--4bdu 3e48--4cdu 3f55--40k 4141--42g 463e--4atm 4642554bk 4642--4ak 4646--48m ' +
  '4655--47ek 4656--48ek 4657--4ctm 473e--4bbotm 4757--4cbo 4a55--4bk 723f--07g 7240--08g 7247--0fg 7341--09g ' +
  '7342--0ag 734b--13g'

const JOINER = 0xff
const compositions = new Map<string, string>()
for (const entry of COMPOSITIONS.split(' ')) {
  const [first, second, third, result] = [0, 2, 4, 6].map((at) => Number.parseInt(entry.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
    number,
  ]
  for (const script of entry.slice(8)) {
    const base = BLOCKS[script] as number
    const rest = Number.isNaN(third) ? [] : [third === JOINER ? 0x200d : base + third]
    const sequence = String.fromCharCode(base + first, base + second, ...rest)
    // Of two results for one sequence the first counts.
    if (!compositions.has(sequence)) compositions.set(sequence, String.fromCharCode(base + result))
  }
}

/** Sequences of Indic characters as the one character they stand for. */
export function normalizeIndic(term: string): string {
  let out: string | undefined
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i)
    let width = 1
    let composed: string | undefined
    if (unit >= 0x900 && unit < 0xd80) {
      for (width = 3; width > 1; width--) {
        composed = compositions.get(term.slice(i, i + width))
        if (composed !== undefined) break
      }
    }
    if (composed === undefined) {
      if (out !== undefined) out += term[i]
      continue
    }
    out = (out ?? term.slice(0, i)) + composed
    i += width - 1
  }
  return out ?? term
}
