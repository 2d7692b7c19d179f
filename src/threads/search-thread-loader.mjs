// Runs a search thread from TypeScript source (tests, `npm run dev`); the built package starts search-thread.js itself.
import { register } from 'tsx/esm/api'

register()
await import('./search-thread.ts')
