/** Neighbouring values as one: what a bucket of `variable_width_histogram` is. */
export interface Cluster {
  readonly min: number
  readonly max: number
  readonly centroid: number
  readonly count: number
  /** Numbers of the clusters that went into it, as the caller counts them. */
  readonly members: readonly number[]
}

/**
 * Merges clusters in the order of their centroids until so few are left: the nearest neighbours first, of equally near ones
 * the first. Those of the same least value become one in the end, and none begins before its neighbour ends.
 *
 * @source InternalVariableWidthHistogram.reduce
 */
export function mergeClusters(clusters: readonly Cluster[], most: number): Cluster[] {
  const sorted = [...clusters].sort((a, b) => a.centroid - b.centroid)
  const ranges = grouped(sorted, (a, b) => a.centroid === b.centroid).map((own) => ({ ...own, parts: [own] }))
  while (ranges.length > most) {
    let closest = 0
    let smallest = Number.POSITIVE_INFINITY
    for (let i = 0; i < ranges.length - 1; i++) {
      const distance = (ranges[i + 1] as Range).centroid - (ranges[i] as Range).centroid
      if (distance < smallest) {
        closest = i
        smallest = distance
      }
    }
    const pair = [ranges[closest] as Range, ranges[closest + 1] as Range]
    ranges.splice(closest, 2, { ...joined(pair), parts: pair.flatMap(({ parts }) => parts) })
  }
  // What was added up step by step only served to choose: means are of all parts at once, the last first.
  const merged = ranges.map(({ parts }) => (parts.length === 1 ? (parts[0] as Cluster) : joined([...parts].reverse())))
  return withoutOverlap(grouped(merged, (a, b) => a.min === b.min))
}

/** A cluster to be made of several. */
interface Range extends Cluster {
  readonly parts: readonly Cluster[]
}

/** Joins runs of neighbours that are alike. */
function grouped(clusters: readonly Cluster[], alike: (a: Cluster, b: Cluster) => boolean): Cluster[] {
  const runs: Cluster[][] = []
  for (const cluster of clusters) {
    const run = runs.at(-1)
    if (run !== undefined && alike(run[0] as Cluster, cluster)) run.push(cluster)
    else runs.push([cluster])
  }
  return runs.map((run) => (run.length === 1 ? (run[0] as Cluster) : joined(run)))
}

function joined(clusters: readonly Cluster[]): Cluster {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let count = 0
  for (const cluster of clusters) {
    min = Math.min(min, cluster.min)
    max = Math.max(max, cluster.max)
    sum += cluster.count * cluster.centroid
    count += cluster.count
  }
  return { min, max, centroid: sum / count, count, members: clusters.flatMap(({ members }) => members) }
}

function withoutOverlap(clusters: readonly Cluster[]): Cluster[] {
  const apart = [...clusters]
  for (let i = 1; i < apart.length; i++) {
    const before = apart[i - 1] as Cluster
    const own = apart[i] as Cluster
    if (own.min >= before.max) continue
    const bound = (before.max + own.min) / 2
    apart[i - 1] = { ...before, max: bound }
    apart[i] = { ...own, min: bound }
  }
  return apart
}

interface GrowingCluster {
  min: number
  max: number
  centroid: number
  count: number
  readonly members: number[]
}

/**
 * Groups values as a shard does: the first ones in even shares of their order, then each into the nearest group, or into one
 * of its own where that is far and there is room.
 *
 * @source VariableWidthHistogramAggregator.MergeBucketsPhase
 */
export function clusterValues(
  values: Float64Array,
  { shardSize, initialBuffer }: { readonly shardSize: number; readonly initialBuffer: number },
): Cluster[] {
  const buffered = Math.min(values.length, initialBuffer)
  const order = Array.from({ length: buffered }, (_, i) => i)
  order.sort((a, b) => (values[a] as number) - (values[b] as number))
  const share = Math.ceil(buffered / Math.floor((shardSize * 3) / 4))
  const clusters: GrowingCluster[] = []
  order.forEach((member, i) => {
    const last = clusters.at(-1)
    if (last === undefined || i % share === 0) clusters.push(clusterOf(values[member] as number, member))
    else add(last, values[member] as number, member)
  })
  let distance = averageDistance(clusters)
  for (let member = buffered; member < values.length; member++) {
    const value = values[member] as number
    const nearest = nearestCluster(clusters, value)
    const found = clusters[nearest] as GrowingCluster
    if (Math.abs(found.centroid - value) > 2 * distance && clusters.length < shardSize) {
      clusters.splice(value > found.centroid ? nearest + 1 : nearest, 0, clusterOf(value, member))
      distance = averageDistance(clusters)
    } else {
      add(found, value, member)
      if (nearest === 0 || nearest === clusters.length - 1) distance = averageDistance(clusters)
    }
  }
  return clusters
}

const clusterOf = (value: number, member: number): GrowingCluster => ({
  min: value,
  max: value,
  centroid: value,
  count: 1,
  members: [member],
})

function add(cluster: GrowingCluster, value: number, member: number): void {
  cluster.min = Math.min(cluster.min, value)
  cluster.max = Math.max(cluster.max, value)
  cluster.centroid = (cluster.centroid * cluster.count + value) / (cluster.count + 1)
  cluster.count++
  cluster.members.push(member)
}

function averageDistance(clusters: readonly GrowingCluster[]): number {
  if (clusters.length < 2) return 0
  const [first, last] = [clusters[0] as GrowingCluster, clusters.at(-1) as GrowingCluster]
  return (last.centroid - first.centroid) / (clusters.length - 1)
}

function nearestCluster(clusters: readonly GrowingCluster[], value: number): number {
  const at = (i: number): number => (clusters[i] as GrowingCluster).centroid
  let from = 0
  let to = clusters.length - 1
  while (from < to) {
    const middle = (from + to) >>> 1
    if (at(middle) === value) return middle
    // Of two equally near ones it is the one that the search was not at.
    const next = at(middle) < value ? middle + 1 : middle - 1
    if (next < from) return from
    if (at(next) > value !== at(middle) > value) return isNearer(at(middle), at(next), value) ? middle : next
    if (next > middle) from = next
    else to = next
  }
  return from
}

const isNearer = (a: number, b: number, value: number): boolean => Math.abs(a - value) < Math.abs(b - value)
