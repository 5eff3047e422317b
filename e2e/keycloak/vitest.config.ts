import { defineConfig } from 'vitest/config'

/** One Keycloak serves all files, one after the other; another realm file means another start. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    globalSetup: ['shared-keycloak.ts'],
    // The platform's embedded database takes seconds to start: one for all files.
    pool: 'forks',
    isolate: false,
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'demo',
          include: ['*.test.ts'],
          exclude: ['hardened-*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'hardened', include: ['hardened-*.test.ts'], sequence: { groupOrder: 1 } },
      },
    ],
  },
})
