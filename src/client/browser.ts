/** chaja's client for browsers: `import { Client } from 'chaja/browser'`. Nothing it loads needs Node. */
export { type BrowserConnectOptions, Client } from './browser-client.ts'
export * from './entry.ts'
