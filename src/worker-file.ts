/**
 * The module that a thread runs: from source (tests, development) it needs the loader beside it that reads TypeScript.
 *
 * @param own     `import.meta.url` of the module that starts the thread
 * @param loader  name of the loader; @param built  of the module itself, both beside the one that starts it
 */
export function workerFile(own: string, loader: string, built: string): URL {
  return new URL(own.endsWith('.ts') ? loader : built, own)
}
