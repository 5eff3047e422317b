import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*.test.ts', '{server,cli,scripts,deploy}/**/*.test.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    // One embedded database per worker, a fresh schema per file: starting one takes seconds.
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
