// Runs a reader thread from TypeScript source (tests, `npm run dev`); the built package starts reader-thread.js itself.
import { register } from 'tsx/esm/api'

register()
await import('./reader-thread.ts')
