import { defineConfig } from 'vitest/config'

/** Each file starts a Keycloak of its own, so files run one after the other. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 600_000,
  },
})
