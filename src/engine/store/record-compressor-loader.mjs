// Runs the thread that compresses records from TypeScript source (tests, `npm run dev`); the built package starts record-compressor-worker.js itself.
import { register } from 'tsx/esm/api'

register()
await import('./record-compressor-worker.ts')
