import { isDeepStrictEqual } from 'node:util'
import {
  AGREED_NESTED,
  AGREED_PROPERTIES,
  type Ask,
  disagreements,
  type KnownDocument,
  madeUpSource,
} from './agreement.ts'
import type { Answer } from './ask-domain.ts'

const DOCUMENTS = 150
const SNAPSHOTS = 4
/** What a request may be refused for while a snapshot is made or an index is away. */
const REFUSED =
  /snapshot_in_progress|concurrent_snapshot|snapshot_missing|snapshot_restore_exception.*does not exist|index_not_found|index_closed/

type Source = Readonly<Record<string, unknown>>

interface Document extends KnownDocument {
  readonly version: number | undefined
  readonly seqNo: number | undefined
}

/** What an index has, by id. */
type Contents = ReadonlyMap<string, Document>

/** What the index had after a step. */
interface Moment {
  readonly index: string
  readonly documents: Contents
}

/** A snapshot, and the moments between which it was made. */
interface Shot {
  readonly from: number
  to: number
  readonly index: string
}

/** A write of one document; undefined: it is deleted. */
interface Change {
  readonly id: string
  readonly routing: string | undefined
  readonly source: Source | undefined
}

/**
 * Writes to one index in every way, changes its settings, mapping and pipeline, closes, merges and copies it and goes on with the copy,
 * while others make, delete, copy and restore snapshots of it and hold views of it. After each kill it must have the documents that were acknowledged, and
 * answer every kind of search as an index that is made of them anew; snapshots must be of one moment each.
 */
export class AgreementHistory {
  readonly faults: string[] = []
  /** Copies an index by `chaja transfer`, where that can be; answers what went wrong. */
  transfer: ((source: string, target: string) => Promise<string | undefined>) | undefined
  acknowledged = 0
  cutOff = 0
  readonly #name: string
  readonly #random: () => number
  readonly #kind: 'nested' | 'sorted' | 'sourceless'
  #index: string
  #generation = 0
  /** What every step made, and before what is under way now. */
  readonly #history: Moment[]
  /** What is there once the step under way was carried out. */
  #next: Contents | undefined
  #underWay = ''
  readonly #log: string[] = []
  readonly #routings = new Map<string, string | undefined>()
  readonly #shots = new Map<string, Shot>()
  readonly #views: { id: string; documents: string; lives: number }[] = []
  /** How often the index was closed, copied or restored, which ends views of it: begun and done. */
  #lives = 0
  #ask!: Ask
  #restores = 0
  /** Names of snapshots that are being made or deleted. */
  readonly #busy = new Set<string>()

  constructor(number: number, random: () => number) {
    this.#name = `agreed${number}`
    this.#random = random
    this.#kind = (['nested', 'sorted', 'sourceless'] as const)[number % 3] as 'nested'
    this.#index = `${this.#name}-0`
    this.#history = [{ index: this.#index, documents: new Map() }]
  }

  async prepare(ask: Ask): Promise<void> {
    this.#ask = ask
    await this.#must('PUT', `/${this.#index}`, this.#settings())
    await this.#pipeline(0)
    await this.#must('PUT', `/_snapshot/${this.#name}`, {
      type: 'fs',
      settings: {
        location: this.#name,
        chunk_size: '4kb',
        max_snapshot_bytes_per_sec: '-1',
        max_restore_bytes_per_sec: '-1',
      },
    })
  }

  #settings(): object {
    const sort = { 'index.sort.field': ['n', 'word'], 'index.sort.order': ['desc', 'asc'] }
    const words = { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'same'] }
    const analysis = {
      analyzer: { words },
      filter: { same: { type: 'synonym_graph', synonyms: ['alpha, beta gamma', 'omega => kappa'] } },
    }
    // Such a filter has documents analyzed before they are answered.
    const isAtOnce = this.#below(2) === 0
    return {
      settings: {
        refresh_interval: '50ms',
        number_of_shards: 1,
        number_of_routing_shards: 8,
        analysis,
        ...(this.#kind === 'sorted' ? sort : {}),
      },
      mappings: {
        ...(this.#kind === 'sourceless' ? { _source: { enabled: false } } : {}),
        properties: {
          ...AGREED_PROPERTIES,
          ...(isAtOnce ? { copy: { type: 'text', analyzer: 'words' } } : {}),
          ...(this.#kind === 'nested' ? AGREED_NESTED : {}),
        },
      },
    }
  }

  /** Removes the index, and makes one of its name. */
  async #making(): Promise<void> {
    this.#note('delete and make')
    if ((await this.#try('DELETE', `/${this.#index}`)) === undefined) return
    this.#next = new Map()
    await this.#must('PUT', `/${this.#index}`, this.#settings())
    this.#done(new Map())
    this.acknowledged++
  }

  async work(ask: Ask, killing: { readonly now: boolean }): Promise<void> {
    this.#ask = ask
    const until = async (work: () => Promise<void>) => {
      while (!killing.now) {
        try {
          await work()
        } catch (error) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          if (!killing.now) this.#fault((error as Error).message)
          return
        }
      }
    }
    await Promise.all([
      until(() => this.#step()),
      until(() => this.#snapshots()),
      until(() => this.#snapshots()),
      until(() => this.#look()),
      until(async () => {
        await new Promise((resolve) => setTimeout(resolve, this.#below(100)))
        await this.#upkeep()
      }),
    ])
  }

  get #documents(): Contents {
    return (this.#history.at(-1) as Moment).documents
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n)
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T
  }

  #fault(text: string): void {
    this.faults.push(
      `${this.#name} (${this.#kind}): ${text} (under way: ${this.#underWay}; before: ${this.#log.slice(-12).join(' | ')})`,
    )
  }

  #note(text: string): void {
    this.#log.push(text)
  }

  async #must(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#ask(method, path, body)
    if (answer.status >= 300)
      throw new Error(`${method} ${path} is answered with ${answer.status}: ${text(answer.json)}`)
    return answer
  }

  /** @returns whether it was carried out; others may be in its way */
  async #try(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    const answer = await this.#ask(method, path, body)
    if (answer.status < 300) return answer
    const words = text(answer.json)
    if (!REFUSED.test(words)) this.#fault(`${method} ${path} is answered with ${answer.status}: ${words}`)
    return undefined
  }

  async #pipeline(value: number): Promise<void> {
    await this.#must('PUT', `/_ingest/pipeline/${this.#name}`, { processors: [{ set: { field: 'f0', value } }] })
    this.#piped = value
  }

  #piped = 0

  async #step(): Promise<void> {
    const dice = this.#below(100)
    const hasSource = this.#kind !== 'sourceless'
    if (dice < 45 || this.#documents.size < 20) return this.#bulk()
    if (dice < 55) return this.#single()
    if (dice < 60 && hasSource) return this.#byQuery('update')
    if (dice < 66) return this.#byQuery('delete')
    if (dice < 86) return this.#upkeep()
    if (dice < 89) return this.#pipeline(this.#below(100))
    if (dice < 93) return this.#reviving(() => this.#closing())
    if (dice < 96) return this.#reviving(() => this.#copying())
    if (dice < 97) return this.#reviving(() => this.#making())
    return this.#reviving(() => this.#restoring())
  }

  async #reviving(work: () => Promise<void>): Promise<void> {
    this.#lives++
    await work()
    this.#lives++
  }

  /** What changes no document: asked for by who writes, and by others meanwhile. */
  async #upkeep(): Promise<void> {
    const merge = this.#pick(['max_num_segments=1', 'max_num_segments=3', 'only_expunge_deletes'])
    const properties = {
      [`m${this.#below(5)}`]: { type: 'keyword' },
      s: { type: 'keyword', fields: { x: { type: 'text' } } },
    }
    const [method, path, body] = this.#pick<readonly [method: string, path: string, body?: object]>([
      ['POST', `_forcemerge?${merge}`],
      ['POST', '_flush'],
      ['POST', '_refresh'],
      ['PUT', '_settings', { refresh_interval: this.#pick(['-1', '20ms', '1s', null]) }],
      ['PUT', '_mapping', { properties }],
    ])
    this.#note(`${method} ${path}`)
    await this.#try(method, `/${this.#index}/${path}`, body)
    this.acknowledged++
  }

  /** Notes what is written before it is, and what was once it is answered. */
  async #writing(what: string, changes: readonly Change[], write: () => Promise<Answer>): Promise<void> {
    const documents = new Map(this.#documents)
    for (const { id, routing, source } of changes) {
      if (source === undefined) documents.delete(id)
      else documents.set(id, { id, routing, source, version: undefined, seqNo: undefined })
    }
    this.#next = documents
    this.#underWay = what
    const { status, json } = await write()
    if (status >= 300 && status !== 404) throw new Error(`${what} is answered with ${status}: ${text(json)}`)
    const items: Record<string, { _id: string; _version: number; _seq_no: number; error?: object }>[] = json.items ?? []
    for (const item of items.flatMap((one) => Object.values(one))) {
      if (item.error !== undefined) throw new Error(`${what}: an item is refused: ${text(item)}`)
      const document = documents.get(item._id)
      if (document !== undefined) documents.set(item._id, { ...document, version: item._version, seqNo: item._seq_no })
    }
    const [one] = changes
    const single = one && documents.get(one.id)
    if (json._seq_no !== undefined && single !== undefined)
      documents.set(single.id, { ...single, version: json._version, seqNo: json._seq_no })
    this.#done(documents)
    this.#note(what)
    this.acknowledged++
  }

  #done(documents: Contents): void {
    this.#history.push({ index: this.#index, documents })
    this.#next = undefined
    this.#underWay = ''
  }

  #place(): { id: string; routing: string | undefined; join: unknown } {
    const number = this.#below(DOCUMENTS)
    if (this.#kind !== 'nested') {
      const id = String(number)
      const routing = number % 3 === 0 ? `r${number % 5}` : undefined
      this.#routings.set(id, routing)
      return { id, routing, join: undefined }
    }
    const isChild = number % 3 === 0
    const id = isChild ? `c${number}` : String(number)
    const routing = isChild ? String(number + 1) : undefined
    this.#routings.set(id, routing)
    return { id, routing, join: isChild ? { name: 'a', parent: routing } : 'q' }
  }

  async #bulk(): Promise<void> {
    const changes = new Map<string, Change>()
    const lines: string[] = []
    const pipeline = this.#below(4) === 0 ? this.#piped : undefined
    const made = () => {
      const source = madeUpSource((n) => this.#below(n), this.#kind === 'nested')
      // Large enough for a thread of its own.
      return this.#below(200) === 0 ? { ...source, huge: 'alpha beta '.repeat(55_000) } : source
    }
    for (let left = 1 + this.#below(40); left > 0; left--) {
      const { id, routing, join } = this.#place()
      if (changes.has(id)) continue
      const before = this.#documents.get(id)
      const place = { _id: id, ...(routing && { routing }) }
      const dice = this.#below(10)
      if (dice < 2 && before !== undefined) {
        changes.set(id, { id, routing, source: undefined })
        lines.push(JSON.stringify({ delete: place }))
      } else if (dice < 4 && before !== undefined && this.#kind !== 'sourceless' && pipeline === undefined) {
        const doc = { n: this.#below(50), s: ['alpha'], f3: this.#below(9) }
        changes.set(id, { id, routing, source: { ...before.source, ...doc } })
        const script = { source: 'ctx._source.putAll(params)', params: doc }
        lines.push(JSON.stringify({ update: place }), JSON.stringify(this.#below(2) === 0 ? { doc } : { script }))
      } else {
        const source = { ...made(), ...(join === undefined ? {} : { j: join }) }
        changes.set(id, { id, routing, source: pipeline === undefined ? source : { ...source, f0: pipeline } })
        lines.push(JSON.stringify({ index: place }), JSON.stringify(source))
      }
    }
    const query = [
      pipeline === undefined ? '' : `pipeline=${this.#name}`,
      this.#pick(['', '', 'refresh=true', 'refresh=wait_for']),
    ]
    const path = `/${this.#index}/_bulk?${query.filter((one) => one !== '').join('&')}`
    const refresh = query.at(-1)
    await this.#writing(`bulk of ${changes.size} ${query}`, [...changes.values()], () =>
      this.#ask('POST', path, lines.map((line) => `${line}\n`).join('')),
    )
    if (refresh === '') return
    const { json } = await this.#must('POST', `/${this.#index}/_search`, { size: 0, track_total_hits: true })
    if (json.hits.total.value !== this.#documents.size)
      this.#fault(`behind ${refresh} ${json.hits.total.value} of ${this.#documents.size} documents are found`)
  }

  async #single(): Promise<void> {
    const { id, routing, join } = this.#place()
    const source = {
      ...madeUpSource((n) => this.#below(n), this.#kind === 'nested'),
      ...(join === undefined ? {} : { j: join }),
    }
    const isDelete = this.#below(3) === 0
    const path = `/${this.#index}/_doc/${id}${routing === undefined ? '' : `?routing=${routing}`}`
    await this.#writing(
      `${isDelete ? 'delete' : 'put'} ${id}`,
      [{ id, routing, source: isDelete ? undefined : source }],
      () => this.#ask(isDelete ? 'DELETE' : 'PUT', path, isDelete ? undefined : source),
    )
  }

  async #byQuery(kind: 'update' | 'delete'): Promise<void> {
    await this.#must('POST', `/${this.#index}/_refresh`)
    const most = this.#below(kind === 'delete' ? 8 : 30)
    const from = this.#below(50)
    const matches = (source: Source) => (source['n'] as number) >= from && (source['n'] as number) < from + most
    const matching = [...this.#documents.values()].filter(({ source }) => matches(source))
    const changes = matching.map(({ id, routing, source }) => ({
      id,
      routing,
      source: kind === 'delete' ? undefined : { ...source, n: (source['n'] as number) + 50, s: 'omega' },
    }))
    const body = {
      query: { range: { n: { gte: from, lt: from + most } } },
      ...(kind === 'update' ? { script: { source: "ctx._source.n += 50; ctx._source.s = 'omega'" } } : {}),
    }
    const path = `/${this.#index}/_${kind}_by_query?scroll_size=${5 + this.#below(50)}${this.#pick(['', '&refresh'])}`
    await this.#writing(`${kind} by query of ${matching.length}`, changes, async () => {
      const answer = await this.#ask('POST', path, body)
      const { updated = 0, deleted = 0, failures } = answer.json
      if (updated + deleted !== matching.length || failures?.length > 0)
        this.#fault(`${path} of ${matching.length} is answered with ${text(answer.json)}`)
      return answer
    })
  }

  async #closing(): Promise<void> {
    this.#note('close, open')
    await this.#try('POST', `/${this.#index}/_close`)
    if (this.#below(2) === 0) await this.#try('PUT', `/${this.#index}/_settings`, { 'index.blocks.write': false })
    await this.#must('POST', `/${this.#index}/_open`)
  }

  /** Makes a copy, in one of the ways there are, and goes on with that. */
  async #copying(): Promise<void> {
    const source = this.#index
    const target = `${this.#name}-${this.#generation + 1}`
    const { transfer } = this
    const ofSources = this.#kind === 'sourceless' ? [] : ['reindex', ...(transfer === undefined ? [] : ['transfer'])]
    const kind = this.#pick(['clone', 'split', ...ofSources])
    this.#note(`${kind} to ${target}`)
    await this.#must('PUT', `/${source}/_settings`, { 'index.blocks.write': true })
    let isMade: boolean
    if (kind === 'reindex') {
      const { json } = await this.#must('GET', `/${source}`)
      const { sort, analysis } = json[source].settings.index
      const settings = { refresh_interval: '50ms', number_of_routing_shards: 8, analysis, ...(sort && { sort }) }
      await this.#must('PUT', `/${target}`, { settings, mappings: json[source].mappings })
      await this.#must('POST', `/${source}/_refresh`)
      const answer = await this.#must('POST', '/_reindex?refresh', {
        source: { index: source, size: 1 + this.#below(100) },
        dest: { index: target },
      })
      isMade = answer.json.created === this.#documents.size
      if (!isMade) this.#fault(`a reindex of ${this.#documents.size} is answered with ${text(answer.json)}`)
    } else if (kind === 'transfer') {
      const failure = await transfer?.(source, target)
      if (failure !== undefined) throw new Error(`a transfer from ${source} to ${target} fails: ${failure}`)
      await this.#must('PUT', `/${target}/_settings`, { 'index.blocks.write': null })
      isMade = true
    } else {
      const { json } = await this.#must('GET', `/${source}/_settings`)
      const shards = Number(json[source].settings.index.number_of_shards)
      const changed = {
        'index.blocks.write': null,
        ...(kind === 'split' ? { 'index.number_of_shards': shards * 2 } : {}),
      }
      if (kind === 'split' && shards >= 8) isMade = false
      else isMade = (await this.#try('POST', `/${source}/_${kind}/${target}`, { settings: changed })) !== undefined
    }
    if (!isMade) {
      await this.#must('PUT', `/${source}/_settings`, { 'index.blocks.write': null })
      return
    }
    this.#generation++
    this.#index = target
    // Other copies begin anew with numbers, and some with versions.
    const documents = new Map(
      [...this.#documents].map(([id, known]) => [
        id,
        kind === 'reindex' || kind === 'transfer' ? { ...known, version: undefined, seqNo: undefined } : known,
      ]),
    )
    this.#done(documents)
    await this.#try('DELETE', `/${source}`)
    this.acknowledged++
  }

  /** Goes back to what a snapshot has. */
  async #restoring(): Promise<void> {
    const of = [...this.#shots].filter(([, shot]) => shot.index === this.#index && shot.to < this.#history.length)
    if (of.length === 0) return
    const [name] = this.#pick(of)
    this.#note(`restore of ${name} over ${this.#index}`)
    if ((await this.#try('POST', `/${this.#index}/_close`)) === undefined) return
    const restored = await this.#try('POST', `/_snapshot/${this.#name}/${name}/_restore?wait_for_completion=true`, {
      indices: this.#index,
      include_global_state: false,
    })
    await this.#must('POST', `/${this.#index}/_open`)
    if (restored === undefined) return
    if (restored.json.snapshot.shards.failed > 0) this.#fault(`restore of ${name}: ${text(restored.json)}`)
    const found = await this.#found(this.#index)
    this.#compareShot(name, found)
    this.#done(this.#known(found))
    this.acknowledged++
  }

  /** Documents as they were found are known from then on; sources that are not kept, as they were written. */
  #known(found: Contents): Contents {
    if (this.#kind !== 'sourceless') return found
    return new Map([...found].map(([id, document]) => [id, { ...document, source: this.#sourceOf(document) }]))
  }

  #sourceOf({ id, seqNo }: Document): Source {
    for (const { documents } of this.#history.toReversed()) {
      const known = documents.get(id)
      if (known !== undefined && known.seqNo === seqNo) return known.source
    }
    // Of what is under way no numbers are known.
    return this.#next?.get(id)?.source ?? {}
  }

  async #found(index: string): Promise<Map<string, Document>> {
    const docs = [...this.#routings].map(([_id, routing]) => ({ _id, ...(routing && { routing }) }))
    if (docs.length === 0) return new Map()
    const { json } = await this.#must('POST', `/${index}/_mget`, { docs })
    const found = new Map<string, Document>()
    for (const {
      _id: id,
      found: isThere,
      error,
      _source: source = {},
      _version: version,
      _seq_no: seqNo,
    } of json.docs) {
      if (error !== undefined) this.#fault(`${id} cannot be read: ${text(error)}`)
      if (isThere) found.set(id, { id, routing: this.#routings.get(id), source, version, seqNo })
    }
    return found
  }

  /** Makes, deletes and restores snapshots. */
  async #snapshots(): Promise<void> {
    if (this.#below(3) === 0) await new Promise((resolve) => setTimeout(resolve, this.#below(60)))
    const name = `s${this.#below(SNAPSHOTS)}`
    if (this.#busy.has(name)) return new Promise((resolve) => setTimeout(resolve, 5))
    const known = this.#shots.get(name)
    if (known !== undefined && this.#below(2) === 0) return this.#restore(name, known)
    this.#busy.add(name)
    if (known === undefined) await this.#shoot(name)
    else {
      this.#shots.delete(name)
      this.#note(`delete ${name}`)
      if ((await this.#try('DELETE', `/_snapshot/${this.#name}/${name}`)) === undefined) this.#shots.set(name, known)
    }
    this.#busy.delete(name)
    this.acknowledged++
  }

  async #shoot(name: string): Promise<void> {
    const shot = { from: this.#history.length - 1, to: Number.POSITIVE_INFINITY, index: this.#index }
    this.#shots.set(name, shot)
    const body = { indices: shot.index, include_global_state: false }
    const made = await this.#try('PUT', `/_snapshot/${this.#name}/${name}?wait_for_completion=true`, body)
    shot.to = this.#history.length
    this.#note(`snapshot ${name} from ${shot.from} to ${shot.to}`)
    if (made === undefined) this.#shots.delete(name)
    else if (made.json.snapshot.state !== 'SUCCESS') this.#fault(`snapshot ${name}: ${text(made.json)}`)
  }

  async #restore(name: string, known: Shot): Promise<void> {
    const as = `${this.#name}-again${this.#restores++}`
    const restored = await this.#try('POST', `/_snapshot/${this.#name}/${name}/_restore?wait_for_completion=true`, {
      indices: known.index,
      rename_pattern: '.+',
      rename_replacement: as,
      include_global_state: false,
    })
    if (restored === undefined) return
    if (restored.json.snapshot.shards.failed > 0) this.#fault(`restore of ${name}: ${text(restored.json)}`)
    // It may have been deleted and made again meanwhile.
    else if (this.#shots.get(name) === known) {
      const found = await this.#found(as)
      this.#compareShot(name, found)
      if (this.#below(4) === 0) await this.#agree(as, this.#known(found), false)
    }
    await this.#must('DELETE', `/${as}`)
    this.acknowledged++
  }

  /** What a snapshot has must be what the index had at one moment while it was made. */
  #compareShot(name: string, found: Contents): void {
    const shot = this.#shots.get(name)
    if (shot === undefined) return
    let least: string[] | undefined
    for (let k = shot.from; k <= Math.min(shot.to, this.#history.length - 1); k++) {
      const before = this.#history[k] as Moment
      const after = this.#history[k + 1] ?? { ...before, documents: this.#next ?? before.documents }
      const ids = new Set([...found.keys(), ...before.documents.keys(), ...after.documents.keys()])
      const wrong = [...ids].filter((id) => {
        const is = found.get(id)
        return !this.#isSame(is, before.documents.get(id)) && !this.#isSame(is, after.documents.get(id))
      })
      if (wrong.length === 0) return
      if (least === undefined || wrong.length < least.length)
        least = wrong.map((id) => `${id} is ${text(found.get(id))} where it was ${text(before.documents.get(id))}`)
    }
    this.#fault(
      `snapshot ${name} (${shot.from} to ${shot.to}) is of no moment: ${least?.length} documents, ${least?.slice(0, 2)}`,
    )
  }

  #isSame(found: Document | undefined, known: Document | undefined): boolean {
    if (found === undefined || known === undefined) return found === known
    if (known.version !== undefined && known.version !== found.version) return false
    if (known.seqNo !== undefined && known.seqNo !== found.seqNo) return false
    return this.#kind === 'sourceless' || isDeepStrictEqual(found.source, known.source)
  }

  /** Begins views, and looks whether those that are held still show what they did. */
  async #look(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#below(40)))
    const [view] = this.#views
    if (this.#views.length < 3) {
      const before = this.#lives
      const opened = await this.#try('POST', `/${this.#index}/_search/point_in_time?keep_alive=5m`)
      if (opened === undefined) return
      const id = opened.json.pit_id
      const documents = await this.#seen(id)
      if (documents !== undefined) this.#views.push({ id, documents, lives: before })
    } else if (view !== undefined) {
      const documents = await this.#seen(view.id)
      if (documents !== undefined && documents !== view.documents)
        this.#fault(`a point in time shows ${documents.slice(0, 600)}, where it showed ${view.documents.slice(0, 600)}`)
      if (documents === undefined && view.lives === this.#lives && view.lives % 2 === 0)
        this.#fault('a point in time is gone')
      if (this.#below(4) === 0 || documents === undefined) {
        this.#views.shift()
        await this.#ask('DELETE', '/_search/point_in_time', { pit_id: [view.id] })
      }
    }
  }

  async #seen(id: string): Promise<string | undefined> {
    const search = {
      pit: { id },
      size: 1_000,
      sort: ['_doc'],
      version: true,
      aggs: { n: { terms: { field: 'n', size: 200 } } },
    }
    const { status, json } = await this.#ask('POST', '/_search', search)
    if (status !== 200 || json._shards.failed > 0) {
      if (status !== 404 && !REFUSED.test(text(json)) && !text(json).includes('search_context_missing'))
        this.#fault(`a point in time is answered with ${status}: ${text(json)}`)
      return undefined
    }
    return JSON.stringify([json.hits.hits, json.aggregations])
  }

  async #agree(index: string, documents: Contents, merges: boolean): Promise<void> {
    const list = [...documents.values()].sort((a, b) => (a.seqNo ?? 0) - (b.seqNo ?? 0))
    for (const fault of await disagreements(this.#ask, index, list, this.#kind === 'nested', merges)) this.#fault(fault)
  }

  async compare(ask: Ask): Promise<number> {
    this.#ask = ask
    this.#views.length = 0
    this.#busy.clear()
    if (this.#next !== undefined) this.cutOff++
    const { json: there } = await ask(
      'GET',
      `/_cat/indices/${this.#name}-*?format=json&h=index,status&expand_wildcards=all`,
    )
    const states = new Map((there as { index: string; status: string }[]).map(({ index, status }) => [index, status]))
    for (const index of states.keys()) if (index !== this.#index) await this.#try('DELETE', `/${index}`)
    if (!states.has(this.#index) && this.#log.at(-1) === 'delete and make') {
      this.#next = new Map()
      await this.#must('PUT', `/${this.#index}`, this.#settings())
    } else if (!states.has(this.#index)) {
      this.#fault(`${this.#index} is gone`)
      this.#underWay = ''
      return 0
    }
    await this.#must('POST', `/${this.#index}/_open`)
    await this.#must('PUT', `/${this.#index}/_settings`, { 'index.blocks.write': null })
    const { json: pipelines } = await ask('GET', `/_ingest/pipeline/${this.#name}`)
    this.#piped = pipelines[this.#name].processors[0].set.value
    const found = await this.#found(this.#index)
    const before = this.#documents
    const after = this.#next ?? before
    const wasRestored = this.#log.at(-1)?.startsWith('restore of ') === true
    const isOld = [...before.keys()].every((id) => this.#isSame(found.get(id), before.get(id)))
    if (!wasRestored || isOld) {
      for (const id of new Set([...found.keys(), ...before.keys(), ...after.keys()])) {
        const is = found.get(id)
        if (!this.#isSame(is, before.get(id)) && !this.#isSame(is, after.get(id)))
          this.#fault(`${id} is ${text(is)}, where ${text(before.get(id))} was acknowledged`)
      }
    }
    const known = this.#kind === 'sourceless' ? this.#after(found, before, after) : found
    this.#done(known)
    for (const shot of this.#shots.values())
      if (shot.to === Number.POSITIVE_INFINITY) shot.to = this.#history.length - 1
    await this.#compareShots()
    await this.#agree(this.#index, known, this.#below(3) === 0)
    this.#note('killed')
    return found.size
  }

  /** Sources that are not kept: by version, what was there before or after. */
  #after(found: Contents, before: Contents, after: Contents): Contents {
    return new Map(
      [...found].map(([id, is]) => {
        const old = before.get(id)
        const source = old !== undefined && old.seqNo === is.seqNo ? old.source : (after.get(id) ?? old)?.source
        return [id, { ...is, source: source ?? this.#sourceOf(is) }]
      }),
    )
  }

  async #compareShots(): Promise<void> {
    const { json } = await this.#must('GET', `/_snapshot/${this.#name}/_all`)
    const there = new Map(
      (json.snapshots as { snapshot: string; state: string }[]).map(({ snapshot, state }) => [snapshot, state]),
    )
    for (const [name, shot] of [...this.#shots]) {
      if (!there.has(name)) {
        if (shot.to < this.#history.length - 1) this.#fault(`the snapshot ${name} is gone`)
        this.#shots.delete(name)
      }
    }
    for (const [name, state] of there) {
      if (state !== 'SUCCESS') {
        this.#fault(`the snapshot ${name} is ${state}: ${text(json.snapshots)}`)
        continue
      }
      const shot = this.#shots.get(name)
      // What is not looked at now is later.
      if (shot !== undefined && this.#below(2) === 0) continue
      const as = `${this.#name}-checked`
      const body = { rename_pattern: '.+', rename_replacement: as, include_global_state: false }
      const { json: restored } = await this.#must(
        'POST',
        `/_snapshot/${this.#name}/${name}/_restore?wait_for_completion=true`,
        body,
      )
      if (restored.snapshot.shards.failed > 0) this.#fault(`restore of ${name}: ${text(restored)}`)
      else if (shot !== undefined) {
        const found = await this.#found(as)
        this.#compareShot(name, found)
        if (this.#below(6) === 0) await this.#agree(as, this.#known(found), false)
      }
      await this.#must('DELETE', `/${as}`)
      // One that was being deleted is made anew.
      if (shot === undefined) await this.#must('DELETE', `/_snapshot/${this.#name}/${name}`)
    }
  }
}

const text = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 500)
