/**
 * What does each signer do, and does the door take it? Sends every awkward request with every signer to a domain of its own
 * over TLS, and the same with one thing changed, and prints a table.
 *
 *   npx tsx scripts/signers.ts
 *
 * Python's signers are asked too where they are installed (`python3 -m venv .venv`, `.venv/bin/pip install botocore
 * requests-aws4auth opensearch-py requests`).
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { sendExactly, startEchoDomain } from '../test/security/echo-domain.ts'
import { canSign, changedRequests, pythonWithSigners, REQUESTS, SIGNERS } from '../test/security/signers.ts'

const domain = await startEchoDomain({ tls: true, accessLog: true })
domain.access.store.policy = JSON.stringify({
  Version: '2012-10-17',
  Statement: ['user/admin', 'role/pool'].map((who) => ({
    Effect: 'Allow',
    Principal: { AWS: `arn:aws:iam::111122223333:${who}` },
    Action: 'es:*',
    Resource: '*',
  })),
})
// The domain takes a changed policy over by itself.
await new Promise((resolve) => setTimeout(resolve, 500))
const rows: string[][] = [
  ['signer', 'accepted', 'query as specified', 'query otherwise', 'changed and refused', 'signed headers'],
]
let isGood = true

for (const [name, sign] of Object.entries(SIGNERS)) {
  let sent = 0
  let accepted = 0
  let changed = 0
  let refused = 0
  const readings = new Map<string, number>()
  const signedHeaders = new Set<string>()
  for (const [title, wire] of Object.entries(REQUESTS)) {
    if (!canSign(name, wire)) continue
    for (const credentials of [domain.admin, domain.session()]) {
      const signed = await sign(wire, domain.host, credentials)
      sent++
      domain.logged.length = 0
      const answer = await sendExactly(domain, { ...wire, ...signed })
      if (answer.status === 200) accepted++
      else console.log(`${name}, ${title}: ${answer.status} ${answer.body}`)
      // The line is written when the answer has left.
      await new Promise((resolve) => setImmediate(resolve))
      const reading = String(domain.logged.find(({ message }) => message === 'request')?.fields['queryReading'])
      readings.set(reading, (readings.get(reading) ?? 0) + 1)
      const list = /SignedHeaders=([^,&]*)/.exec(
        signed.headers['authorization'] ?? signed.headers['Authorization'] ?? signed.target,
      )
      for (const header of decodeURIComponent(list?.[1] ?? '').split(';')) signedHeaders.add(header)
      for (const variant of changedRequests(wire, signed)) {
        changed++
        if ((await sendExactly(domain, { ...variant.wire, headers: variant.headers })).status === 403) refused++
        else console.log(`${name}, ${title}: taken with another ${variant.what}`)
      }
    }
  }
  const others = [...readings].filter(([reading]) => reading !== 'strict').map(([reading, n]) => `${reading} ${n}`)
  isGood &&= accepted === sent && refused === changed
  rows.push([
    name,
    `${accepted}/${sent}`,
    String(readings.get('strict') ?? 0),
    others.join(', ') || '-',
    `${refused}/${changed}`,
    [...signedHeaders].sort().join(' '),
  ])
}

const python = pythonWithSigners()
let pythonSaid = 'Python signers: not installed'
if (python !== undefined) {
  const ca = join(domain.dataDir, 'tls', 'ca.pem')
  const child = spawn(python, [join(import.meta.dirname, '../test/security/live_signers.py')], {
    env: {
      ...process.env,
      CHAJA_URL: domain.url,
      CHAJA_CA: ca,
      REQUESTS_CA_BUNDLE: ca,
      CHAJA_KEYS: JSON.stringify([domain.admin, domain.session()]),
      CHAJA_REQUESTS: JSON.stringify(REQUESTS),
    },
  })
  pythonSaid = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      pythonSaid += chunk
    })
  }
  const code = await new Promise((resolve) => child.once('close', resolve))
  isGood &&= code === 0
}
const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => (row[i] as string).length))) ?? []
for (const row of rows)
  console.log(
    row
      .map((cell, i) => cell.padEnd(widths[i] as number))
      .join('  ')
      .trimEnd(),
  )
console.log(pythonSaid)
await domain.close()
if (!isGood) process.exitCode = 1
