import { activeLives } from './active-lives.ts'
import { approvedLives } from './approved-lives.ts'
import { cast } from './cast.ts'
import { endedLives } from './ended-lives.ts'
import { laterLife } from './later-life.ts'
import { type Life, scenesOf } from './life.ts'
import { inOrderOfTime, type Scene } from './scene.ts'
import { waitingLives } from './waiting-lives.ts'

export const storyLives: readonly Life[] = [
  ...activeLives,
  ...endedLives,
  ...approvedLives,
  ...waitingLives,
]

/** Four weeks of work, scene by scene. */
export const STORY: readonly Scene[] = inOrderOfTime([
  ...cast,
  ...laterLife,
  ...storyLives.flatMap(scenesOf),
])
