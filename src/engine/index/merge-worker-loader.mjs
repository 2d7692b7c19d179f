// Runs the merge thread from TypeScript source (tests, `npm run dev`); the built package starts merge-worker.js itself.
import { register } from 'tsx/esm/api'

register()
await import('./merge-worker.ts')
