/** chaja's client: `import { Client } from 'chaja'`. */
export { Client, type ConnectOptions } from './client.ts'
export * from './entry.ts'
