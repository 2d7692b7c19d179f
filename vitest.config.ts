import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Generous: on a busy machine a domain takes many times as long to start.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The same: vitest's own is one second.
    expect: { poll: { timeout: 30_000 } },
    // Two cores: one worker keeps servers started by tests from starving each other.
    maxWorkers: 2,
  },
})
