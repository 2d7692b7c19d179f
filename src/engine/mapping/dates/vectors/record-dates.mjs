// Asks a running server what range queries make of date expressions: node record-dates.mjs URL FILE
import { writeFileSync } from 'node:fs'

const [url, file] = process.argv.slice(2)
const call = async (method, path, body) => {
  const response = await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return response.json()
}
const info = await (await fetch(url)).json()
const formats = ['strict_date_optional_time||epoch_millis', 'yyyy-MM-dd', 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis', 'epoch_second', 'week_date', 'HH:mm', 'yyyy-MM', 'MM-dd', 'dd/MM/yy', 'basic_date_time_no_millis', 'date_hour', 'year', 'strict_date', 'ordinal_date', 'date_optional_time']
const texts = ['2019', '2019-02', '2019-02-03', '2019-02-03T10', '2019-02-03T10:20', '2019-02-03T10:20:30', '2019-02-03T10:20:30.5', '2019-02-03T10:20:30.123Z', '2019-02-03T10:20:30+09:00', '2019-02-03||/d', '2019-02-03||/M', '2019-02-03||/y', '2019-02-03||/w', '2019-02-03T10:20:30||/h', '2019-02-03T10:20:30||/m', '2019-02-03T10:20:30||/s', '2019-01-31||+1M', '2019-02-28||+1y-1M+3d', '2020-02-29||+1y', '2019-02-03||-36h', '2019-02-03||+90m/d', '2019-02-03||+1w', '2019-02-03||/H', '2019-02-03||', '2019-02-03||+', '2019-02-03||*2d', '2019-02-03||/2d', '2019-02-03||+2x', '2019-02-30', 'x', '', 'now+x', '1549190430000', '1549190430', '2019/02/03', '2019/02/03 10:20:30', '2019-W05-7', '10:20', '02-03', '03/02/19', '20190203T102030Z', '2019-034', '2019-02-03T', '-1', '1549190430.7', '2019-02-03Z']
const zones = [undefined, '+09:00', 'Asia/Seoul', 'America/New_York', 'Europe/Berlin']
const index = `dates-${process.pid}`
const recorded = { server: `${info.version.distribution ?? 'elasticsearch'} ${info.version.number}`, answers: [] }
const typed = info.version.number.startsWith('6.')
const mapping = { properties: { d: { type: 'date' } } }
await call('PUT', `/${index}`, { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings: typed ? { _doc: mapping } : mapping })
// Values at both ends, so that no range is rewritten to all or nothing.
for (const [id, d] of [-8e15, 8e15].entries()) await call('PUT', `/${index}/_doc/${id}?refresh=true`, { d })
for (const format of formats) {
  for (const text of texts) {
    for (const zone of format === formats[0] ? zones : zones.slice(0, 2)) {
      const answer = { format, text, ...(zone === undefined ? {} : { zone }) }
      for (const [bound, key] of [['gte', 'down'], ['lte', 'up']]) {
        const range = { [bound]: text, format, ...(zone === undefined ? {} : { time_zone: zone }) }
        const json = await call('POST', `/${index}/_validate/query?explain=true&all_shards=false`, { query: { constant_score: { filter: { range: { d: range } } } } })
        const explanation = json.explanations?.[0]?.explanation ?? ''
        const match = /d:\[(-?\d+) TO (-?\d+)\]/.exec(explanation)
        if (match === null) answer[key] = (json.explanations?.[0]?.error ?? explanation).replace(/^.*?(ElasticsearchParseException|IllegalArgumentException|parse_exception|OpenSearchParseException)/s, '').slice(0, 200)
        else answer[key] = Number(bound === 'gte' ? match[1] : match[2])
      }
      recorded.answers.push(answer)
    }
  }
}
await fetch(`${url}/${index}`, { method: 'DELETE' })
writeFileSync(file, `${JSON.stringify(recorded)}\n`.replaceAll('},{', '},\n{'))
