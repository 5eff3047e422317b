#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Compiling is half of a start. Beside the packages, because whoever writes there owns the program.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/tfs'))

const { run } = await import('./program.ts')
await run(process.argv)
