import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // For what hangs, not for what is slow: a machine may be busy with other things, too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Two cores: one worker keeps servers started by tests from starving each other.
    maxWorkers: 2,
  },
})
