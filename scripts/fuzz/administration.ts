import { settings } from './definitions.ts'
import { type Context, type Json, type Made, make, maybe, named, oneOf, orWrong, type Rule, some } from './grammar.ts'
import { aliases, at, call, get, index, mappings, NAMES, pattern, target } from './indices.ts'
import type { Call } from './searches.ts'

const flag: Made = orWrong(oneOf('true', 'false', ''), 'x', '1', 'TRUE')
const duration: Made = orWrong(oneOf('1s', '50ms', '0'), 'x', '5', '-1', '1.5s')
/** What is told of any answer that lists what differs from server to server. */
const SHARDS = { filter_path: '_shards,error,status,_nodes' }
const picked = (c: Context, ...of: readonly string[]): string => c.random.pick(of)
/** Some of the names, or one that is none of them. */
const listed = (c: Context, names: string, odd = 'nix'): string => {
  const all = names.split(' ')
  if (c.random.chance(c.wrong * 2)) return c.random.pick([odd, `${all[0]},${odd}`, '_all', '*', ''])
  return Array.from({ length: c.random.whole(1, 2) }, () => c.random.pick(all)).join()
}

const component: Made = ({ index: i }) => orWrong(oneOf(`${i}_c1`, `${i}_c2`), `${i}_no`, `${i}_c*`, 'A', '_x')
const composable: Made = ({ index: i }) => orWrong(oneOf(`${i}_t1`, `${i}_t2`), `${i}_no`, 'A', '_x', 'a b')
const contents: Made = orWrong(
  { 'settings?': settings(2), 'mappings?': mappings, 'aliases?': aliases, foo: orWrong(undefined, 1) },
  null,
  5,
  [],
)
const composed: Made = orWrong(
  {
    index_patterns: oneOf([pattern], some(1, 2, pattern), pattern),
    template: maybe(0.7, contents),
    'composed_of?': some(0, 2, component),
    priority: maybe(0.6, orWrong(oneOf(0, 1, 5, '2', 10), 'x', -1)),
    'version?': orWrong(3, 'x', -1),
    '_meta?': orWrong({ a: 1 }, 5, []),
    data_stream: maybe(0.05, orWrong({}, { x: 1 }, 5)),
    foo: orWrong(undefined, 1),
  },
  {},
  { index_patterns: [] },
  { template: {} },
  [],
)

/** The names and columns of tables about nodes and clusters, of which nothing but their form is the same everywhere. */
const TABLES = 'allocation nodes health master pending_tasks plugins thread_pool tasks fielddata recovery repositories'

/** Calls about what indices share: templates of the second kind, shards, statistics, tasks and the cluster. */
const ADMINISTRATION: Readonly<Record<string, readonly [number, (c: Context) => Rule]>> = {
  forcemerge: [
    1,
    (c) =>
      call('POST', c, `/${at(c, target)}/_forcemerge`, {
        ...NAMES,
        ...SHARDS,
        'max_num_segments?': orWrong('1', 'x', '0', '-1', '1.5'),
        'only_expunge_deletes?': flag,
        'flush?': flag,
      }),
  ],
  flush: [
    1,
    (c) =>
      call(oneOf('POST', 'GET'), c, `/${at(c, target)}/_flush${picked(c, '', '', '/synced')}`, {
        ...NAMES,
        ...SHARDS,
        'force?': flag,
        'wait_if_ongoing?': flag,
      }),
  ],
  clear_cache: [
    1,
    (c) =>
      call('POST', c, `/${at(c, target)}/_cache/clear`, {
        ...NAMES,
        ...SHARDS,
        'query?': flag,
        'fielddata?': flag,
        'request?': flag,
        'field_data?': flag,
        'fields?': orWrong('k', 'nix'),
      }),
  ],
  recovery: [
    0.7,
    (c) =>
      get(c, `/${at(c, target)}/_recovery`, {
        ...NAMES,
        filter_path: '*.shards.type,*.shards.stage,*.shards.primary,error,status',
        'active_only?': flag,
        'detailed?': flag,
      }),
  ],
  segments: [
    0.7,
    (c) =>
      get(c, `/${at(c, target)}/_segments`, {
        ...NAMES,
        filter_path: '_shards,indices.*.shards.*.routing.state,indices.*.shards.*.num_search_segments,error,status',
        'verbose?': flag,
      }),
  ],
  shard_stores: [
    0.7,
    (c) =>
      get(c, `/${at(c, target)}/_shard_stores`, {
        ...NAMES,
        filter_path: '**.allocation,error,status',
        'status?': listed(c, 'green yellow red all'),
      }),
  ],
  metrics: [
    2,
    (c) =>
      get(
        c,
        `/${at(c, target)}/_stats/${listed(c, 'docs store get search indexing merge refresh flush warmer query_cache fielddata completion segments translog request_cache recovery suggest')}`,
        {
          ...NAMES,
          filter_path: oneOf(
            '_shards,*.*.*,error,status',
            '_shards,indices.*.*.docs,error,status',
            '**.fields,**.groups,error',
          ),
          'level?': orWrong(oneOf('cluster', 'indices', 'shards'), 'x'),
          'fields?': oneOf('k', '*', 'nix'),
          'groups?': oneOf('a', '*', '_all'),
          'types?': '_doc',
          'completion_fields?': '*',
          'include_segment_file_sizes?': flag,
          'include_unloaded_segments?': flag,
          'forbid_closed_indices?': flag,
        },
      ),
  ],
  blocks: [
    1.5,
    (c) =>
      c.typeless
        ? call('PUT', c, `/${at(c, target)}/_block/${orWrongText(c, 'write', 'nix', 'read_only_allow_delete')}`, NAMES)
        : get(c, `/${at(c, target)}`),
  ],
  resized: [
    2,
    (c) =>
      call(
        oneOf('PUT', 'POST'),
        c,
        `/${c.index}_ro/${picked(c, '_shrink', '_split', ...(c.typeless ? ['_clone'] : []))}/${at(c, orWrong(`${c.index}_new`, `${c.index}_1`, 'A', '_x'))}`,
        {
          'copy_settings?': flag,
          'wait_for_active_shards?': orWrong(oneOf('0', '1'), 'x'),
        },
        oneOf(
          undefined,
          { settings: { 'index.number_of_shards': oneOf(1, 2, 4, 8, 3) } },
          {
            settings: {
              'index.number_of_shards': oneOf(1, 4),
              'index.number_of_replicas': 0,
              'index.codec': 'best_compression',
            },
          },
          {
            'aliases?': aliases,
            'mappings?': mappings,
            foo: orWrong(undefined, 1),
            'settings?': settings(2),
            max_shard_size: maybe(0.1, orWrong('1gb', 'x')),
          },
        ),
      ),
  ],
  resolve: [1, (c) => get(c, c.typeless ? `/_resolve/index/${at(c, target)}` : `/${at(c, target)}/_alias`, NAMES)],
  cluster_settings: [
    1,
    (c) =>
      call(
        'PUT',
        c,
        '/_cluster/settings',
        { 'flat_settings?': 'true' },
        oneOf(
          {},
          { transient: {} },
          { persistent: { 'cluster.foo': 1 } },
          { transient: { 'cluster.routing.allocation.enable': 'x' } },
          { transient: { 'cluster.routing.allocation.enable': null } },
          { persistent: { cluster: { max_shards_per_node: oneOf('x', 0, -1, null) } } },
          { transient: { 'cluster.routing.allocation.disk.watermark.low': oneOf('x', '-5', null) } },
          { persistent: { 'indices.recovery.max_bytes_per_sec': oneOf('x', null) } },
          { transient: { 'cluster.name': 'x' } },
          { transient: { 'node.name': 'x' } },
          { transient: { 'action.auto_create_index': oneOf(null, '+', 'true,x,-') } },
          { transient: { 'search.default_search_timeout': oneOf('x', null) } },
          { transient: { 'search.max_buckets': oneOf('x', -1, null) } },
          { transient: { 'logger.org.x': oneOf('x', null) } },
          { transient: { 'indices.breaker.total.limit': oneOf('x', '200%x', null) } },
          { transient: { 'archived.x': null, 'a.*': null } },
          { foo: {} },
          { transient: 5 },
          { transient: { a: { b: 5 } }, persistent: { c: null } },
        ),
      ),
  ],
  cluster_state: [
    1,
    (c) =>
      get(c, `/_cluster/state/${listed(c, 'metadata routing_table blocks')}/${at(c, target)}`, {
        ...NAMES,
        filter_path: oneOf(
          'metadata.indices.*.state,metadata.indices.*.aliases,metadata.indices.*.mappings,error,status',
          'routing_table.indices.*.shards.*.state,blocks.indices,error,status',
        ),
        'flat_settings?': flag,
        'wait_for_metadata_version?': orWrong('1', 'x', '0'),
        'wait_for_timeout?': duration,
      }),
  ],
  cluster_health: [
    1,
    (c) =>
      get(c, `/_cluster/health${picked(c, '', `/${at(c, target)}`)}`, {
        ...NAMES,
        filter_path: 'timed_out,error,*.*.shards.*.status',
        level: maybe(0.3, orWrong(oneOf('indices', 'shards', 'cluster'), 'x')),
        timeout: oneOf('50ms', duration),
        'wait_for_nodes?': orWrong(oneOf('>=1', '1', 'ge(1)', '>5', '<2', 'le(3)'), 'x', '>x', ''),
        'wait_for_no_relocating_shards?': flag,
        'wait_for_no_initializing_shards?': flag,
        'wait_for_relocating_shards?': orWrong('0', 'x'),
        'wait_for_events?': orWrong(oneOf('languid', 'urgent', 'LOW'), 'x'),
        'wait_for_active_shards?': orWrong(oneOf('0', 'all', '1'), 'x', '-1'),
        'wait_for_status?': orWrong(oneOf('yellow', 'RED'), 'x', ''),
      }),
  ],
  allocation: [
    1,
    (c) =>
      call(
        oneOf('GET', 'POST'),
        c,
        '/_cluster/allocation/explain',
        {
          'include_yes_decisions?': flag,
          'include_disk_info?': flag,
          filter_path: 'index,shard,primary,current_state,error,status,can_allocate,unassigned_info.reason',
        },
        oneOf(
          {
            index,
            shard: orWrong(oneOf(0, '0', 1), 9, -1, 'x', null),
            primary: orWrong(oneOf(true, 'true', false), 'x', 1),
          },
          { index },
          { shard: 0 },
          { index, shard: 0 },
          { index: '', shard: 0, primary: true },
          { index: 5, shard: 0, primary: true, current_node: 'x' },
          { foo: 1 },
        ),
      ),
  ],
  reroute: [
    1,
    (c) =>
      call(
        'POST',
        c,
        '/_cluster/reroute',
        {
          dry_run: 'true',
          'explain?': flag,
          'metric?': listed(c, 'none metadata'),
          'retry_failed?': flag,
          filter_path: 'acknowledged,explanations,error,status',
        },
        oneOf(
          {},
          { commands: [] },
          { commands: orWrong([], {}, 'x', [5], [{}]) },
          {
            commands: [
              oneOf(
                { move: { index, shard: oneOf(0, 9), from_node: 'x', to_node: 'y' } },
                { move: { index, shard: 0 } },
                { cancel: { index, shard: 0, node: 'x', 'allow_primary?': true } },
                { cancel: { shard: 0, node: 'x' } },
                { allocate_replica: { index, shard: 0, node: 'x' } },
                { allocate_stale_primary: { index, shard: 0, node: 'x', 'accept_data_loss?': true } },
                { allocate_empty_primary: { index, shard: 0, node: 'x' } },
                { x: {} },
                { move: 5 },
                { move: { foo: 1 } },
              ),
            ],
          },
          { foo: 1 },
        ),
      ),
  ],
  nodes: [
    1.5,
    (c) =>
      get(
        c,
        `/_nodes${picked(c, '', '/_local', '/nix', '/_all', '/_master', '/data:true', '/master:false', '/x:y')}${picked(
          c,
          '',
          `/${listed(c, 'settings os process jvm thread_pool transport http plugins ingest')}`,
          `/stats/${listed(c, 'indices os process jvm thread_pool fs transport http breaker script discovery ingest')}`,
          `/stats/indices/${listed(c, 'docs store get search merge')}`,
          `/stats/os/docs`,
          `/usage/${listed(c, 'rest_actions')}`,
        )}`,
        {
          filter_path: oneOf(
            '_nodes,error,status',
            'nodes.*.indices.docs.xx,nodes.*.roles,error',
            'nodes.*.jvm.mem.pools.x,error',
          ),
          'level?': orWrong(oneOf('node', 'indices', 'shards'), 'x'),
          'fields?': 'k',
          'groups?': 'a',
          'types?': 'a',
          'timeout?': duration,
        },
      ),
  ],
  tasks: [
    1,
    (c) =>
      get(c, `/_tasks${picked(c, '', '', '/x', '/x:5', '/x:y', '/_local', '/:5', '/x:5/_cancel')}`, {
        filter_path: 'error,status,node_failures.reason,tasks.x',
        'group_by?': orWrong(oneOf('nodes', 'parents', 'none'), 'x', ''),
        'actions?': oneOf('x', '*nix'),
        'nodes?': oneOf('_local', 'nix'),
        'parent_task_id?': orWrong(oneOf('x:5', ''), 'x', 'x:y'),
        'detailed?': flag,
        'wait_for_completion?': flag,
        'timeout?': duration,
      }),
  ],
  cancel: [
    0.5,
    (c) =>
      call('POST', c, `/_tasks/${picked(c, '_cancel', 'x:5/_cancel', 'x/_cancel', 'x:y/_cancel')}`, {
        actions: oneOf('x', 'indices:nix*'),
        'nodes?': 'nix',
        'parent_task_id?': orWrong('x:5', 'x'),
      }),
  ],
  table: [
    2.5,
    (c) =>
      get(c, `/_cat/${listed(c, TABLES).split(',')[0]}`, {
        help: maybe(0.4, oneOf('', 'true')),
        // Nothing of the rows, unless the names of columns are wrong.
        h: maybe(0.7, oneOf('nix', 'nix,foo', '')),
        s: orWrong(undefined, 'nix', 'nix:desc', ':', 'a:b:c'),
        'v?': flag,
        'format?': orWrong(oneOf('text', 'yaml'), 'x'),
        'bytes?': orWrong(oneOf('b', 'kb', 'mb'), 'x', 'pb', ''),
        'time?': orWrong(oneOf('s', 'ms', 'd'), 'x', ''),
        'size?': orWrong(oneOf('k', 'm', ''), 'x'),
        'ts?': flag,
        'active_only?': flag,
        'detailed?': flag,
        'full_id?': flag,
      }),
  ],
  typed_cat: [
    2,
    (c) => {
      const [name, columns] = c.random.pick(Object.entries(SAID)) as [string, string]
      return get(c, `/_cat/${name}/${at(c, target)}`, {
        h: listed(c, columns),
        s: columns.split(' ')[0] as string,
        'v?': flag,
        'format?': 'json',
        'bytes?': orWrong(oneOf('b', 'kb', 'mb'), 'x'),
        'time?': orWrong(oneOf('s', 'ms', 'd'), 'x'),
        'pri?': flag,
        ...NAMES,
        'include_unloaded_segments?': flag,
      })
    },
  ],
  pipeline_put: [
    1,
    (c) =>
      call(
        'PUT',
        c,
        `/_ingest/pipeline/${c.index}_p1`,
        {},
        c.typeless
          ? oneOf(
              { processors: [] },
              { processors: [{ nix: {} }] },
              { processors: 5 },
              {},
              { processors: [], foo: 1 },
              { processors: [{}] },
              { processors: [{ a: {}, b: {} }] },
              { processors: [], version: oneOf(1, 'x'), description: oneOf('d', 5) },
              { processors: [], on_failure: oneOf([], 5, [{ x: {} }]) },
            )
          : oneOf(
              { processors: [] },
              { processors: [{ set: { field: 'a', value: 1 } }] },
              { processors: [{ nix: {} }] },
              { processors: 5 },
              {},
              { processors: [], foo: 1 },
              { processors: [{}] },
              { processors: [{ set: {}, lowercase: {} }] },
              { processors: [], on_failure: oneOf([], 5, [{ x: {} }]) },
            ),
      ),
  ],
  pipeline_get: [
    0.7,
    (c) =>
      get(c, `/_ingest/pipeline/${at(c, oneOf(`${c.index}_p1`, `${c.index}_p*`, `${c.index}_no`))}`, {
        'summary?': flag,
      }),
  ],
  pipeline_delete: [
    0.4,
    (c) => call('DELETE', c, `/_ingest/pipeline/${at(c, oneOf(`${c.index}_p1`, `${c.index}_p*`, `${c.index}_no`))}`),
  ],
}

const SAID: Readonly<Record<string, string>> = {
  indices:
    'index health status pri rep docs.count docs.deleted pri.search.query_current refresh.listeners warmer.current search.open_contexts suggest.current merges.current bulk.total_operations search.throttled segments.version_map_memory',
  shards:
    'index shard prirep state docs unassigned.at unassigned.for merges.current search.fetch_current recoverysource.type get.current indexing.delete_current suggest.total warmer.total',
  segments: 'index prirep docs.deleted searchable compound',
  recovery: 'index shard stage repository snapshot target_host type',
}

/** Calls about templates of the second kind. */
const COMPOSABLE: typeof ADMINISTRATION = {
  put_component: [
    2,
    (c) =>
      call(
        'PUT',
        c,
        `/_component_template/${at(c, component)}`,
        { 'create?': flag },
        orWrong(
          {
            template: contents,
            'version?': orWrong(1, 'x'),
            '_meta?': orWrong({ a: 1 }, 5),
            foo: orWrong(undefined, 1),
          },
          {},
          [],
        ),
      ),
  ],
  get_component: [
    1,
    (c) => get(c, `/_component_template/${at(c, oneOf(component, `${c.index}_*`))}`, { 'flat_settings?': flag }),
  ],
  delete_component: [0.5, (c) => call('DELETE', c, `/_component_template/${at(c, component)}`)],
  put_composable: [
    3,
    (c) => call('PUT', c, `/_index_template/${at(c, composable)}`, { 'create?': flag, 'cause?': 'x' }, composed),
  ],
  get_composable: [
    1,
    (c) => get(c, `/_index_template/${at(c, oneOf(composable, `${c.index}_*`))}`, { 'flat_settings?': flag }),
  ],
  delete_composable: [0.5, (c) => call('DELETE', c, `/_index_template/${at(c, oneOf(composable, `${c.index}_t*`))}`)],
  simulate_composable: [
    1.5,
    (c) =>
      call(
        'POST',
        c,
        `/_index_template/_simulate${picked(c, '', `/${at(c, composable)}`)}`,
        { 'create?': flag, 'flat_settings?': flag },
        oneOf(undefined, composed),
      ),
  ],
  simulate_index: [
    1.5,
    (c) =>
      call(
        'POST',
        c,
        `/_index_template/_simulate_index/${at(c, orWrong(oneOf(`${c.index}_new`, `${c.index}_l2`), 'A', '_x'))}`,
        { 'flat_settings?': flag },
        oneOf(undefined, undefined, composed),
      ),
  ],
}

/** One of the words, mostly the first. */
const orWrongText = (c: Context, right: string, ...wrong: readonly string[]): string =>
  c.random.chance(0.3) ? c.random.pick(wrong) : right

/** A call of {@link ADMINISTRATION}, and where there are templates of the second kind, of {@link COMPOSABLE}. */
export const administrationCall = (c: Context): Call => {
  const [kind, made] = Object.entries(
    make(c, named(c.typeless ? { ...ADMINISTRATION, ...COMPOSABLE } : ADMINISTRATION)),
  )[0] as [string, Json]
  return { kind, ...made }
}

/** What {@link ADMINISTRATION} stores beside indices, by pattern. */
export const stored = ({ index: i, typeless }: Context): readonly string[] => [
  `/_template/${i}*`,
  `/_ingest/pipeline/${i}*`,
  ...(typeless ? [`/_index_template/${i}*`, `/_component_template/${i}*`] : []),
]

/** An index that may be resized. */
export const resizable = ({ index: i }: Context): readonly [path: string, body: Json] => [
  `/${i}_ro`,
  {
    settings: {
      number_of_shards: 2,
      number_of_replicas: 0,
      number_of_routing_shards: 8,
      'index.blocks.write': true,
    },
  },
]
