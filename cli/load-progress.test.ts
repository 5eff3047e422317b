import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { durationText, progressDisplay, progressText } from './load-progress.ts'

function screenOf(isTTY: boolean) {
  const said: string[] = []
  const screen = new Writable({
    write(chunk, _encoding, done) {
      said.push(String(chunk))
      done()
    },
  })
  return { said, screen: Object.assign(screen, { isTTY }) }
}

describe('progress of a load', () => {
  test('tells count, rate of this run and what is left', () => {
    const progress = { began: 100_000, done: 300_000, contracts: 1_000_000 }
    expect(progressText(progress, 20_000)).toBe(
      '300,000 of 1,000,000 contracts, 10,000 a second, about 70 s left',
    )
    expect(progressText({ ...progress, done: 100_000 }, 0)).not.toContain('left')
  })

  test.each([
    [0.2, '1 s'],
    [119, '119 s'],
    [600, '10 min'],
    [10_800, '3 h'],
  ])('%d seconds read %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })

  test('on a terminal one line is written over and taken away in the end', () => {
    const { said, screen } = screenOf(true)
    const display = progressDisplay(screen, () => 0)
    display.show({ began: 0, done: 5, contracts: 10 })
    display.end()
    expect(said).toEqual(['\r\x1b[K5 of 10 contracts, 0 a second', '\r\x1b[K'])
  })

  test('elsewhere a plain line now and then', () => {
    const { said, screen } = screenOf(false)
    let now = 0
    const display = progressDisplay(screen, () => now)
    for (const seconds of [0, 1, 4, 5, 9, 10]) {
      now = seconds * 1000
      display.show({ began: 0, done: seconds * 100, contracts: 10_000 })
    }
    display.show({ began: 0, done: 10_000, contracts: 10_000 })
    expect(display.end()).toBe(10_000)
    expect(said).toEqual([
      '500 of 10,000 contracts, 100 a second, about 95 s left\n',
      '1,000 of 10,000 contracts, 100 a second, about 90 s left\n',
    ])
  })
})
