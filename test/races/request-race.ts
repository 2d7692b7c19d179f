import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../../scripts/fuzz/random.ts'

/** What a server answers. */
export interface RaceAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
  readonly json: any
}

/** Which dialect is spoken: types in paths with 6.8, data streams and points in time with OpenSearch. */
export type RacedVersion = (typeof RACED_VERSIONS)[number]

export const RACED_VERSIONS = ['Elasticsearch_6.8', 'Elasticsearch_7.10', 'OpenSearch_2.19'] as const

/** Who is raced, and how. */
export interface RequestRaceOptions {
  readonly ask: (method: string, path: string, body?: object | string) => Promise<RaceAnswer>
  readonly version: RacedVersion
  /** Below `path.repo`; undefined: no snapshots are made. */
  readonly repository?: string | undefined
  readonly clients: number
  /** Requests that each client makes. */
  readonly requests: number
  readonly seed: number
  /** A request that takes longer hangs. */
  readonly patienceMs?: number
}

/** Indices that anything may happen to. */
const RACED = ['i1', 'i2', 'i3', 'i4']
const ALIASES = ['al1', 'al2']
/** Written to and searched by all clients; nothing else is done with them by their own names. */
const KEPT = ['kept-1', 'kept-2']
/** The same, a data stream that is rolled over by everybody. */
const STREAM = 'stream-kept'
/** Always changed together: whoever looks sees both changed or neither. */
const PAIR = ['pair-1', 'pair-2']
/** Made one by one, removed together. */
const GONE = ['gone-1', 'gone-2', 'gone-3']
const WILD = ['i*', 'i1,i2', 'i3,i4', 'i1,al1', '_all', '*']

/** Statuses that only these faults may have. */
const SERVER_FAULTS: Readonly<Record<string, readonly number[]>> = {
  // Snapshots, one at a time in 6.x; a restore while one is deleted.
  concurrent_snapshot_execution_exception: [503],
  // An index that is searched has gone, or is being made.
  search_phase_execution_exception: [503],
  no_shard_available_action_exception: [503],
  unavailable_shards_exception: [503],
  // Of a repository or a snapshot that is used.
  illegal_state_exception: [500],
  snapshot_restore_exception: [500],
  // Of one that is deleted while it is made.
  snapshot_exception: [500],
}

/** Server faults that only some reasons may have. */
const REASONS: Readonly<Record<string, RegExp>> = { snapshot_exception: /abort/i }

/** What may be said to a request that others disturb. */
const FAULTS: ReadonlySet<string> = new Set([
  ...Object.keys(SERVER_FAULTS),
  'index_not_found_exception',
  'index_closed_exception',
  'resource_already_exists_exception',
  'version_conflict_engine_exception',
  'document_missing_exception',
  'cluster_block_exception',
  'aliases_not_found_exception',
  'invalid_alias_name_exception',
  'invalid_index_name_exception',
  'index_template_missing_exception',
  'search_context_missing_exception',
  'resource_not_found_exception',
  'snapshot_missing_exception',
  'invalid_snapshot_name_exception',
  'snapshot_in_progress_exception',
  // An alias that leads to several indices or none, a pipeline that is not there, a source that may be written to.
  'illegal_argument_exception',
  'action_request_validation_exception',
])

/**
 * Clients that do everything at once to the same few names. What each answer says depends on the order; what is checked does not:
 * that there is one, of a kind that a disturbed request may have, that changes of several indices are seen whole, that what was acknowledged
 * is there, and that nothing happens to what nobody named.
 */
export class RequestRace {
  readonly faults: string[] = []
  /** How often each call was answered how: `METHOD endpoint status type`. */
  readonly answers = new Map<string, number>()
  asked = 0
  readonly #o: RequestRaceOptions
  /** Documents of {@link KEPT} and {@link STREAM} that were acknowledged, by name; by id their last number. */
  readonly #kept: ReadonlyMap<string, Map<string, number>>
  /** Whether {@link GONE} are all there, or on their way to be or not to be. */
  #gone: 'there' | 'making' | 'going' = 'making'
  #phase = 0
  #snapshots = 0

  constructor(options: RequestRaceOptions) {
    this.#o = options
    const kept = this.#hasStreams ? [...KEPT, STREAM] : KEPT
    this.#kept = new Map(kept.map((name) => [name, new Map()]))
  }

  get #isTyped(): boolean {
    return this.#o.version === 'Elasticsearch_6.8'
  }

  /** Whether there are data streams and points in time. */
  get #hasStreams(): boolean {
    return this.#o.version === 'OpenSearch_2.19'
  }

  async run(): Promise<void> {
    const { clients, seed, repository } = this.#o
    for (const name of KEPT)
      await this.#expect(200, 'PUT', `/${name}`, {
        settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: -1 },
        aliases: { [`${name}-alias`]: {} },
      })
    for (const name of PAIR)
      await this.#expect(200, 'PUT', `/${name}`, { settings: { number_of_shards: 1, number_of_replicas: 0 } })
    if (this.#hasStreams) {
      await this.#expect(200, 'PUT', '/_index_template/streams', { index_patterns: ['stream-*'], data_stream: {} })
      await this.#expect(200, 'PUT', `/_data_stream/${STREAM}`)
    }
    if (repository !== undefined)
      await this.#expect(200, 'PUT', '/_snapshot/r', { type: 'fs', settings: { location: repository } })
    const over = { now: false }
    const racing = Array.from({ length: clients }, (_, i) => this.#client(i, new Random(seed * 100 + i)))
    const beside = [this.#changePair(over), this.#watchPair(over), this.#removeTogether(over), this.#watchGone(over)]
    await Promise.all(racing)
    over.now = true
    await Promise.all(beside)
    await this.#compare()
  }

  #fault(text: string): void {
    this.faults.push(text)
  }

  /** Asks, and sees that the answer is one that a disturbed request may have. */
  async #ask(method: string, path: string, body?: object | string): Promise<RaceAnswer> {
    this.asked++
    const what = `${method} ${path}${body === undefined ? '' : ` ${text(body, 300)}`}`
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('it is not answered')), this.#o.patienceMs ?? 120_000)
    })
    try {
      const answer = await Promise.race([this.#o.ask(method, path, body), late])
      const types = faultTypes(answer)
      const place = path.split('?')[0]?.replace(/\/[^_/][^/]*/g, '/…')
      const key = `${method} ${place} ${answer.status} ${[...new Set(types.map(({ type }) => type))].join('+')}`
      this.answers.set(key, (this.answers.get(key) ?? 0) + 1)
      if (answer.status >= 500 && types.length === 0)
        this.#fault(`${what} is answered with ${answer.status}: ${text(answer.json, 600)}`)
      for (const fault of types)
        if (!isAllowed(fault))
          this.#fault(`${what} is answered with ${fault.type} (${fault.status}): ${text(answer.json, 600)}`)
      return answer
    } catch (error) {
      this.#fault(`${what}: ${(error as Error).message}`)
      return { status: 0, json: {} }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Asks for what nobody disturbs. */
  async #expect(status: number, method: string, path: string, body?: object | string): Promise<RaceAnswer> {
    const answer = await this.#ask(method, path, body)
    if (answer.status !== status)
      this.#fault(`${method} ${path} is answered with ${answer.status}: ${text(answer.json, 600)}`)
    return answer
  }

  async #client(number: number, random: Random): Promise<void> {
    let written = 0
    for (let n = 0; n < this.#o.requests; n++) {
      const dice = random.next()
      if (dice < 0.12) written = await this.#writeKept(number, random, written)
      else if (dice < 0.17) await this.#changeKept(number)
      else if (dice < 0.2 && this.#o.repository !== undefined) await this.#snapshot(random)
      else {
        const [method, path, body] = this.#request(number, random)
        const { json } = await this.#ask(method, path, body)
        const { _scroll_id: scroll, pit_id: pit } = json
        if (typeof scroll === 'string') await this.#scroll(scroll, random)
        if (typeof pit === 'string') await this.#look(pit, random)
      }
    }
  }

  async #scroll(id: string, random: Random): Promise<void> {
    for (let pages = random.whole(0, 3); pages > 0; pages--)
      await this.#ask('POST', '/_search/scroll', { scroll: '1m', scroll_id: id })
    await this.#ask('DELETE', '/_search/scroll', { scroll_id: [id] })
  }

  /** Looks through a point in time, whose documents stay the same. */
  async #look(id: string, random: Random): Promise<void> {
    let before: number | undefined
    for (let looks = random.whole(0, 3); looks > 0; looks--) {
      const { status, json } = await this.#ask('POST', '/_search', { pit: { id }, size: 0, track_total_hits: true })
      if (status !== 200 || json._shards.failed > 0) break
      if (before !== undefined && totalOf(json) !== before)
        this.#fault(`a point in time has ${totalOf(json)} documents, before it had ${before}`)
      before = totalOf(json)
    }
    await this.#ask('DELETE', '/_search/point_in_time', { pit_id: [id] })
  }

  /** A bulk of what stays and of what anything may happen to: each item is answered for itself. */
  async #writeKept(client: number, random: Random, before: number): Promise<number> {
    let written = before
    const lines: object[] = []
    const own: (readonly [index: string, id: string, n: number])[] = []
    const names = [...RACED, ...ALIASES, 'fresh']
    for (let left = random.whole(1, 30); left > 0; left--) {
      const isKept = random.chance(0.5)
      const index = isKept ? random.pick([...this.#kept.keys()]) : random.pick(names)
      const n = ++written
      const id = `${client}-${n}`
      const place = { _index: index, ...this.#type, _id: isKept ? id : String(random.whole(0, 40)) }
      lines.push(index === STREAM ? { create: place } : { index: place }, { n, client, '@timestamp': n })
      if (isKept) own.push([index, id, n])
    }
    const refresh = random.pick(['', '?refresh=true', '?refresh=wait_for', ''])
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    // Nothing but a refresh by somebody would show it.
    const { status, json } = await this.#ask('POST', `/_bulk${refresh === '?refresh=wait_for' ? '' : refresh}`, body)
    // In 6.x nothing of it is carried out then.
    if (status === 400 && json.error?.reason?.startsWith('no write index is defined')) return written
    if (status !== 200) {
      this.#fault(`a bulk is answered with ${status}: ${text(json, 600)}`)
      return written
    }
    const items: readonly Record<string, { _index: string; _id: string; status: number }>[] = json.items
    for (const item of items.flatMap((one) => Object.values(one))) {
      // What a stream has is told by the name of the index behind it.
      const name = item._index.startsWith(`.ds-${STREAM}-`) ? STREAM : item._index
      const known = own.find(([index, id]) => index === name && id === item._id)
      if (known === undefined) continue
      const [index, id, n] = known
      if (item.status === 201) this.#kept.get(index)?.set(id, n)
      else this.#fault(`a write to ${index} is answered with ${text(item, 600)}`)
    }
    if (refresh !== '?refresh=true') {
      const path = random.pick(['/_refresh', '/*kept*/_refresh', '/*/_refresh', '/i*,*kept*/_refresh'])
      await this.#expect(200, 'POST', path)
    }
    for (const name of this.#kept.keys()) await this.#search(name, client)
    return written
  }

  /** What a client has written and shown is found. */
  async #search(name: string, client: number): Promise<void> {
    const known = [...(this.#kept.get(name) as Map<string, number>).keys()].filter((id) => id.startsWith(`${client}-`))
    const { json } = await this.#expect(200, 'POST', `/${name}/_search`, {
      size: 0,
      track_total_hits: true,
      query: { term: { client } },
    })
    const total = totalOf(json)
    if (total !== known.length) this.#fault(`${total} of ${known.length} documents of ${name} are found`)
  }

  /** Goes through what a client has written. */
  async #changeKept(client: number): Promise<void> {
    await this.#expect(200, 'POST', '/_refresh')
    const total = KEPT.reduce((sum, name) => sum + this.#of(name, client), 0)
    const query = { term: { client } }
    const { json } = await this.#ask('POST', '/kept-*/_update_by_query?refresh&conflicts=proceed', { query })
    if (json.total !== total || json.updated !== total)
      this.#fault(`of ${total} documents ${text(json, 400)} are updated`)
    const copied = await this.#ask('POST', '/_reindex?refresh', {
      conflicts: 'proceed',
      source: { index: KEPT, query },
      dest: { index: RACED[client % RACED.length] },
    })
    // Where it goes to may be closed or blocked; what it reads is there.
    if (copied.status === 200 && copied.json.total !== total)
      this.#fault(`of ${total} documents ${text(copied.json, 400)} are copied`)
  }

  #of(name: string, client: number): number {
    return [...(this.#kept.get(name) as Map<string, number>).keys()].filter((id) => id.startsWith(`${client}-`)).length
  }

  get #type(): object {
    return this.#isTyped ? { _type: '_doc' } : {}
  }

  async #snapshot(random: Random): Promise<void> {
    const wait = 'wait_for_completion=true'
    const name = `s${random.whole(0, 3)}`
    const dice = random.next()
    if (dice < 0.4) {
      const made = `s${this.#snapshots++ % 4}`
      // What a whole snapshot is to have can be neither deleted nor closed.
      const indices = random.pick(['i*', 'i1,kept-1', '*'])
      await this.#ask('PUT', `/_snapshot/r/${made}?${wait}`, { indices, partial: indices === '*' })
    } else if (dice < 0.6) await this.#ask('DELETE', `/_snapshot/r/${name}`)
    else if (dice < 0.7) await this.#ask('GET', `/_snapshot/r/${random.pick(['_all', name])}`)
    else
      await this.#ask('POST', `/_snapshot/r/${name}/_restore?${wait}`, {
        indices: random.pick(['i1', 'i*', 'i1,i2']),
        ...(random.chance(0.5) ? { rename_pattern: 'i(.)', rename_replacement: 'i$1-restored' } : {}),
        include_global_state: random.chance(0.3),
      })
  }

  /** Anything, to what anything may happen to, in the words of later versions. */
  #laterRequest(client: number, random: Random): readonly [method: string, path: string, body?: object] {
    const name = random.pick(RACED)
    const wild = random.pick(['i*', 'i1,i2', name])
    const choices: (readonly [method: string, path: string, body?: object])[] = [
      ['PUT', `/${name}/_clone/i${random.whole(5, 6)}`],
      ['PUT', `/${name}/_split/i${random.whole(5, 6)}`, { settings: { 'index.number_of_shards': 2 } }],
      ['PUT', `/${wild}/_block/write`],
      ['GET', `/_resolve/index/${random.pick(WILD)}`],
      ['PUT', '/_index_template/it', { index_patterns: ['i*'], template: { settings: { number_of_replicas: 0 } } }],
      ['DELETE', '/_index_template/it'],
    ]
    if (this.#hasStreams) {
      const stream = `stream-${random.whole(1, 2)}`
      const streams = random.pick([stream, 'stream-1*,stream-2*', 'stream-*'])
      choices.push(
        ['POST', `/${STREAM}/_rollover`, random.chance(0.3) ? {} : { conditions: { max_docs: 20 } }],
        ['PUT', `/_data_stream/${stream}`],
        ['DELETE', `/_data_stream/${random.pick([stream, 'stream-1*,stream-2*'])}`],
        ['POST', `/${stream}/_rollover`],
        [
          'POST',
          `/${stream}/_doc${random.pick(['', '?refresh'])}`,
          { n: random.whole(0, 99), client, '@timestamp': 1 },
        ],
        ['GET', `/_data_stream/${streams}`],
        ['GET', `/_data_stream/${streams}/_stats`],
        ['POST', `/${streams}/_search`, { query: { range: { n: { gte: 5 } } } }],
        ['POST', `/${random.pick([...WILD, streams])}/_search/point_in_time?keep_alive=1m`],
        ['GET', '/_search/point_in_time/_all'],
      )
    }
    return random.pick(choices)
  }

  /** Anything, to what anything may happen to. */
  #request(client: number, random: Random): readonly [method: string, path: string, body?: object | string] {
    const name = random.pick(RACED)
    const any = random.pick([...RACED, ...ALIASES])
    const several = random.pick(WILD)
    const wild = random.pick(['i*', 'i1,i2', 'i3,i4', name])
    const alias = random.pick(ALIASES)
    const id = random.whole(0, 40)
    const doc = { n: random.whole(0, 1_000), client, [`f${random.whole(0, 5)}`]: 'text' }
    const query = { range: { n: { gte: random.whole(0, 500) } } }
    const typed = this.#isTyped
    const lenient = random.pick(['', '?ignore_unavailable=true'])
    const update = typed ? `/${any}/_doc/${id}/_update` : `/${any}/_update/${id}`
    const choices: (() => readonly [string, string, (object | string)?])[] = [
      () => [
        'PUT',
        `/${name}`,
        {
          settings: { number_of_shards: random.whole(1, 2), number_of_replicas: 0 },
          aliases: random.chance(0.3) ? { [alias]: {} } : {},
        },
      ],
      () => ['DELETE', `/${random.pick([name, name, 'i*', 'i1,i2'])}${lenient}`],
      () => ['POST', `/${wild}/_close${lenient}`],
      () => ['POST', `/${wild}/_open${lenient}`],
      () => ['POST', `/${wild}/_open`],
      () => [
        'PUT',
        typed ? `/${wild}/_mapping/_doc` : `/${wild}/_mapping`,
        { properties: { [`m${random.whole(0, 9)}`]: { type: 'keyword' } } },
      ],
      () => ['PUT', `/${wild}/_settings`, { number_of_replicas: random.whole(0, 2) }],
      () => ['PUT', `/${wild}/_settings`, { 'index.blocks.write': random.chance(0.3) }],
      () => [
        'POST',
        '/_aliases',
        { actions: [{ add: { index: name, alias } }, { remove: { index: 'i*', alias: random.pick(ALIASES) } }] },
      ],
      () => ['POST', '/_aliases', { actions: [{ add: { indices: RACED, alias } }] }],
      () => [
        'POST',
        '/_aliases',
        { actions: [{ remove_index: { index: name } }, { add: { index: random.pick(RACED), alias } }] },
      ],
      () => ['POST', `/${any}/_doc`, doc],
      () => ['PUT', `/${any}/_doc/${id}${random.pick(['', '?refresh=true', '?op_type=create'])}`, doc],
      () => ['DELETE', `/${any}/_doc/${id}`],
      () => ['POST', `${update}?retry_on_conflict=${random.whole(0, 3)}`, { doc, doc_as_upsert: true }],
      () => ['GET', `/${any}/_doc/${id}${random.pick(['', '?refresh=true', '?realtime=false'])}`],
      () => [
        'POST',
        `/_mget${random.pick(['', '?refresh=true'])}`,
        { docs: RACED.map((_index) => ({ _index, ...this.#type, _id: String(id) })) },
      ],
      () => [
        'POST',
        `/${several}/_search${lenient}`,
        { query, sort: [{ n: { order: 'asc', unmapped_type: 'long' } }], aggs: { c: { terms: { field: 'client' } } } },
      ],
      () => ['POST', `/${any}/_search`, { query }],
      () => [
        'POST',
        '/_msearch',
        RACED.map((index) => `${JSON.stringify({ index })}\n${JSON.stringify({ query })}\n`).join(''),
      ],
      () => ['POST', `/${several}/_count`, { query }],
      () => ['POST', `/${several}/_search?scroll=1m`, { size: random.whole(1, 600) }],
      () => ['POST', `/${wild}/_update_by_query?conflicts=proceed${random.pick(['', '&refresh'])}`, { query }],
      () => ['POST', `/${wild}/_delete_by_query?conflicts=proceed${random.pick(['', '&refresh'])}`, { query }],
      () => [
        'POST',
        '/_reindex',
        { conflicts: 'proceed', source: { index: name, query }, dest: { index: random.pick(RACED) } },
      ],
      () => ['POST', `/${several}/_refresh`],
      () => ['POST', `/${several}/_flush`],
      () => ['POST', `/${several}/_forcemerge?max_num_segments=1`],
      () => ['GET', `/${several}/_stats`],
      () => [
        'GET',
        `/_cat/${random.pick(['indices', 'shards', 'aliases', 'segments', 'recovery', 'count'])}?format=json`,
      ],
      () => ['GET', `/_cluster/${random.pick(['health', 'state', 'stats'])}`],
      () => ['GET', `/${several}`],
      () => ['GET', `/${several}/_field_caps?fields=*`],
      () => [
        'POST',
        `/${name}/_explain/${id}`.replace('_explain/', typed ? '_doc/' : '_explain/') + (typed ? '/_explain' : ''),
        { query },
      ],
      () => ['POST', `/${several}/_validate/query`, { query }],
      () => ['POST', `/${name}/_analyze`, { text: 'some text' }],
      () => ['POST', `/${alias}/_rollover`, random.chance(0.5) ? {} : { conditions: { max_docs: 1 } }],
      () => ['POST', `/${alias}/_rollover/i${random.whole(1, 6)}`, {}],
      () => ['PUT', `/${name}/_shrink/i${random.whole(5, 6)}`, { settings: { 'index.number_of_replicas': 0 } }],
      () => ['DELETE', '/i5,i6?ignore_unavailable=true'],
      () => [
        'PUT',
        `/_template/t${random.whole(1, 2)}`,
        { index_patterns: ['i*'], order: random.whole(0, 9), settings: { 'index.refresh_interval': '50ms' } },
      ],
      () => ['DELETE', `/_template/t${random.pick(['1', '2', '*'])}`],
      () => [
        'PUT',
        `/_ingest/pipeline/p${random.whole(1, 2)}`,
        { processors: [{ set: { field: 'piped', value: random.whole(0, 9) } }] },
      ],
      () => ['DELETE', `/_ingest/pipeline/p${random.pick(['1', '2', '*'])}`],
      () => ['PUT', `/${any}/_doc/${id}?pipeline=p1`, doc],
      () => ['PUT', `/${wild}/_settings`, { 'index.default_pipeline': random.pick(['p1', '_none']) }],
      () => ['PUT', '/_cluster/settings', { persistent: { 'search.max_open_scroll_context': random.whole(500, 600) } }],
    ]
    if (!typed && random.chance(0.25)) return this.#laterRequest(client, random)
    // Often enough that there is something to disturb.
    return random.chance(0.12) ? (choices[0] as (typeof choices)[number])() : random.pick(choices)()
  }

  /** Changes both of a pair, in ways that a look at them tells. */
  async #changePair(over: { readonly now: boolean }): Promise<void> {
    const random = new Random(this.#o.seed * 100 + 98)
    for (let n = 1; !over.now; n++) {
      const dice = random.whole(0, 5)
      if (dice === 0) await this.#expect(200, 'PUT', '/pair-*/_settings', { number_of_replicas: n % 5 })
      else if (dice === 1)
        await this.#expect(200, 'PUT', `/pair-*/_mapping${this.#isTyped ? '/_doc' : ''}`, {
          properties: { [`f${n % 50}`]: { type: 'keyword' } },
        })
      else if (dice === 2) await this.#expect(200, 'POST', '/pair-*/_close')
      else if (dice === 3) await this.#expect(200, 'POST', '/pair-*/_open')
      else
        await this.#expect(200, 'POST', '/_aliases', {
          actions: PAIR.map((index) => ({ add: { index, alias: `both${n % 5}` } })).concat(
            PAIR.map((index) => ({ add: { index, alias: `more${n % 7}` } })),
          ),
        })
      await sleep(random.whole(0, 20))
    }
    await this.#expect(200, 'POST', '/pair-*/_open')
  }

  async #watchPair(over: { readonly now: boolean }): Promise<void> {
    while (!over.now) {
      const { json } = await this.#ask('GET', '/pair-1,pair-2?expand_wildcards=all')
      const [one, other] = PAIR.map((name) => {
        const { aliases, mappings, settings } = json[name] ?? {}
        return JSON.stringify([aliases, mappings, settings?.index?.number_of_replicas])
      })
      if (one !== other) this.#fault(`a change of two indices is seen by halves: ${one} and ${other}`)
      const rows = (await this.#ask('GET', '/_cat/indices/pair-*?format=json&h=index,status')).json as object[]
      if (new Set(rows.map((row) => (row as { status: string }).status)).size !== 1)
        this.#fault(`one of two indices is closed: ${text(rows, 300)}`)
      await sleep(5)
    }
  }

  async #removeTogether(over: { readonly now: boolean }): Promise<void> {
    while (!over.now) {
      for (const name of GONE) await this.#expect(200, 'PUT', `/${name}`, { settings: { number_of_shards: 1 } })
      this.#phase++
      this.#gone = 'there'
      await sleep(5)
      this.#phase++
      this.#gone = 'going'
      await this.#expect(200, 'DELETE', '/gone-*')
      this.#phase++
      this.#gone = 'making'
    }
  }

  async #watchGone(over: { readonly now: boolean }): Promise<void> {
    while (!over.now) {
      const [phase, state] = [this.#phase, this.#gone]
      const rows = (await this.#ask('GET', '/_cat/indices/gone-*?format=json&h=index')).json as object[]
      await sleep(5)
      if (this.#phase !== phase || state === 'making') continue
      if (rows.length !== GONE.length && (state === 'there' || rows.length > 0))
        this.#fault(`of indices that are removed together there are ${text(rows, 300)}`)
    }
  }

  /** What nobody named, and what was acknowledged. */
  async #compare(): Promise<void> {
    await this.#expect(200, 'POST', '/_refresh')
    for (const name of KEPT) {
      const { json } = await this.#expect(200, 'GET', `/${name}`)
      const { aliases, settings, mappings } = json[name]
      if (JSON.stringify(aliases) !== JSON.stringify({ [`${name}-alias`]: {} }))
        this.#fault(`${name} has the aliases ${text(aliases, 300)}`)
      if (settings.index.number_of_replicas !== '0' || settings.index.blocks !== undefined)
        this.#fault(`${name} has the settings ${text(settings, 600)}`)
      const { properties = {} } = this.#isTyped ? (mappings._doc ?? {}) : mappings
      const own = new Set(['n', 'client', '@timestamp'])
      const fields = Object.keys(properties).filter((field) => !own.has(field))
      if (fields.length > 0) this.#fault(`${name} has the fields ${fields}`)
    }
    for (const [name, known] of this.#kept) await this.#compareDocuments(name, known)
  }

  async #compareDocuments(name: string, known: ReadonlyMap<string, number>): Promise<void> {
    const { json } = await this.#expect(200, 'POST', `/${name}/_search`, { size: 10_000 })
    const found = new Map<string, number>(
      json.hits.hits.map((hit: { _id: string; _source: { n: number } }) => [hit._id, hit._source.n]),
    )
    for (const [id, n] of known) if (found.get(id) !== n) this.#fault(`${name}/${id} is ${found.get(id)}, not ${n}`)
    for (const id of found.keys()) if (!known.has(id)) this.#fault(`${name}/${id} was never acknowledged`)
  }
}

const text = (value: unknown, most: number): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, most)

function totalOf({ hits }: { readonly hits?: { readonly total: number | { readonly value: number } } }): number {
  const total = hits?.total ?? -1
  return typeof total === 'number' ? total : total.value
}

interface Fault {
  readonly type: string
  readonly status: number
  readonly reason: string
}

function isAllowed({ type, status, reason }: Fault): boolean {
  if (!FAULTS.has(type)) return false
  return status < 500 || (SERVER_FAULTS[type]?.includes(status) === true && (REASONS[type]?.test(reason) ?? true))
}

/** The faults that an answer tells: its own, those of its items, of searches in it, of documents. */
function faultTypes({ status, json }: RaceAnswer): readonly Fault[] {
  const found = new Map<string, Fault>()
  const add = (error: unknown, of: number): void => {
    const { type, reason = '' } = (error ?? {}) as Partial<Fault>
    if (type !== undefined) found.set(`${type} ${of} ${reason}`, { type, status: of, reason })
  }
  if (json === null || typeof json !== 'object') return []
  add(json.error, status)
  for (const item of json.items ?? []) for (const one of Object.values<never>(item)) add(one['error'], one['status'])
  for (const one of json.responses ?? []) add(one.error, one.status)
  for (const one of json.docs ?? []) add(one.error, 404)
  for (const one of json.failures ?? []) add(one.cause ?? one.reason, one.status ?? 404)
  for (const one of json._shards?.failures ?? []) add(one.reason, 404)
  return [...found.values()]
}
