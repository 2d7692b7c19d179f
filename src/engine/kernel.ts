import { readFileSync } from 'node:fs'

/** Memory that threads and WebAssembly share; a message hands it over as it is. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer
  /** Adds pages of 64 KiB; answers how many there were. Several threads may at a time. */
  grow(pages: number): number
}

/** A kernel's code, to be instantiated by each thread. */
export interface KernelCode {
  readonly compiled: object
}

// TypeScript knows WebAssembly as part of browsers only.
const { Memory, Module, Instance } = (
  globalThis as unknown as {
    readonly WebAssembly: {
      readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => SharedMemory
      readonly Module: new (bytes: Uint8Array) => object
      readonly Instance: new (code: object, imports: { env: { memory: SharedMemory } }) => { readonly exports: unknown }
    }
  }
).WebAssembly

const PAGE_BYTES = 1 << 16
/** 2 GiB of addresses; what is never written takes no memory. */
const MAX_PAGES = 1 << 15

/** Shared memory with room for so many bytes at its start. */
export function createSharedMemory(bytes: number): SharedMemory {
  return new Memory({ initial: Math.ceil(bytes / PAGE_BYTES), maximum: MAX_PAGES, shared: true })
}

/** A kind of typed array. */
export interface ArrayKind<A> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A
}

/** Adds room for so many bytes; answers where it begins, undefined when there is no more. */
export function addRoom(memory: SharedMemory, bytes: number): number | undefined {
  try {
    return memory.grow(Math.ceil(bytes / PAGE_BYTES)) * PAGE_BYTES
  } catch {
    return undefined
  }
}

const codes = new Map<string, KernelCode | undefined>()

/**
 * A kernel as `npm run build` makes it of `kernels/NAME.ts`. Undefined where it was not built, and where the processor has no
 * 128-bit instructions: every kernel has a plain equivalent that answers the same.
 */
export function kernelCode(name: string): KernelCode | undefined {
  if (!codes.has(name)) codes.set(name, compile(new URL(`../../dist/kernels/${name}.wasm`, import.meta.url)))
  return codes.get(name)
}

function compile(file: URL): KernelCode | undefined {
  try {
    return { compiled: new Module(readFileSync(file)) }
  } catch {
    return undefined
  }
}

/** Functions of a kernel that works on a memory; `Exports` is what its source exports. */
export function openKernel<Exports>(code: KernelCode, memory: SharedMemory): Exports {
  return new Instance(code.compiled, { env: { memory } }).exports as Exports
}
