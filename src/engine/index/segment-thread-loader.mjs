// Runs the segment thread from TypeScript source (tests, `npm run dev`); the built package starts segment-thread-worker.js itself.
import { register } from 'tsx/esm/api'

register()
await import('./segment-thread-worker.ts')
