// Runs the document thread from TypeScript source (tests, `npm run dev`); the built package starts document-thread-worker.js itself.
import { register } from 'tsx/esm/api'

register()
await import('./document-thread-worker.ts')
