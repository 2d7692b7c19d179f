import { prettyJson } from './pretty-json.ts'

/** How a command prints: set by `--json` and `--quiet`, else by whether a person is looking. */
export interface OutputOptions {
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

/** Prints results on stdout and remarks on stderr, so that pipes carry results alone. */
export class Output {
  readonly json: boolean
  readonly quiet: boolean
  readonly #color: boolean

  constructor(options: OutputOptions, env: NodeJS.ProcessEnv = process.env) {
    this.json = options.json ?? !process.stdout.isTTY
    this.quiet = options.quiet ?? false
    this.#color = wantsColor(env, process.stderr.isTTY ?? false)
  }

  /** One result: a line of JSON for programs, indented for people. */
  value(value: unknown): void {
    process.stdout.write(`${this.json ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`)
  }

  /** A result that is JSON text already: its values are printed character for character (line breaks stand between them only). */
  jsonText(text: string): void {
    process.stdout.write(`${this.json ? text.trim().replace(/[\r\n]+/g, ' ') : prettyJson(text)}\n`)
  }

  /** Several results: a table for people, a JSON line each for programs. */
  rows(rows: readonly Readonly<Record<string, unknown>>[]): void {
    if (this.json) for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`)
    // A terminal that does not tell its width has 0.
    else if (rows.length > 0) process.stdout.write(`${table(rows, process.stdout.columns || undefined)}\n`)
  }

  /** Text as it is. */
  text(text: string): void {
    process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`)
  }

  /** A remark; nothing with `--quiet`. */
  note(line: string): void {
    if (!this.quiet) process.stderr.write(`${line}\n`)
  }

  /** What went wrong; always. */
  error(line: string): void {
    process.stderr.write(this.#color ? `\u001b[31m${line}\u001b[39m\n` : `${line}\n`)
  }
}

/** NO_COLOR wins, then FORCE_COLOR, then whether a terminal is there. */
export function wantsColor(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0') return true
  return isTerminal
}

/** Cells of a column that are shown however narrow the terminal is, and of any cell however wide it is. */
const LEAST_CELLS = 8
const MOST_CELLS = 100

/**
 * Columns aligned by display width: CJK and emoji take two cells.
 *
 * @param width  cells that a line may take; the widest columns give way first, and what is cut ends in `…`
 */
export function table(rows: readonly Readonly<Record<string, unknown>>[], width = Number.POSITIVE_INFINITY): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name])))]
  const wanted = names.map((_, i) => Math.max(...cells.map((line) => displayWidth(line[i] as string))))
  const most = mostCells(wanted, width)
  const widths = wanted.map((cells) => Math.min(cells, most))
  const shown = (text: string, cells: number) => {
    const clipped = clip(text, cells)
    return clipped + ' '.repeat(cells - displayWidth(clipped))
  }
  return cells
    .map((line) => line.map((text, i) => shown(text, widths[i] as number)).join('  '))
    .map((line) => clip(line.trimEnd(), width))
    .join('\n')
}

/** The most that a column may have for all of them to stand in a line. */
function mostCells(wanted: readonly number[], width: number): number {
  const room = width - 2 * (wanted.length - 1)
  let most = MOST_CELLS
  while (most > LEAST_CELLS && wanted.reduce((sum, cells) => sum + Math.min(cells, most), 0) > room) most--
  return most
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '-'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Control characters in stored text must not reach the terminal.
  const clean = text.replace(/\p{Cc}/gu, ' ')
  return clip(clean, MOST_CELLS)
}

/** Text that takes so many cells at most. */
function clip(text: string, cells: number): string {
  if (text.length * 2 <= cells || displayWidth(text) <= cells) return text
  let kept = ''
  let width = 1
  for (const char of text) {
    width += displayWidth(char)
    if (width > cells) break
    kept += char
  }
  return `${kept}…`
}

function displayWidth(text: string): number {
  let width = 0
  for (const char of text) {
    const code = char.codePointAt(0) as number
    width += /\p{M}/u.test(char)
      ? 0
      : code >= 0x1100 &&
          /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uff01-\uff60]/u.test(
            char,
          )
        ? 2
        : 1
  }
  return width
}
