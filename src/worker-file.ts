/**
 * The module that a thread runs: from source (tests, development) it needs the loader beside it that reads TypeScript.
 *
 * @param own     `import.meta.url` of the module that starts the thread
 * @param loader  the loader, beside that one
 * @param built   the module itself, likewise
 */
export function workerFile(own: string, loader: string, built: string): URL {
  return new URL(own.endsWith('.ts') ? loader : built, own)
}
