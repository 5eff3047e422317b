const EVERY_MS = 200

export interface Progress {
  show(done: number, all: number): void
  clear(): void
}

/** One line that is written over, on a terminal; nothing anywhere else. */
export function progressOn(stream: NodeJS.WriteStream, noun: string): Progress {
  let shownAt = 0
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined }
  return {
    show(done, all) {
      if (Date.now() - shownAt < EVERY_MS) return
      shownAt = Date.now()
      const percent = Math.floor((100 * done) / all)
      stream.write(
        `\r${done.toLocaleString('en')} of ${all.toLocaleString('en')} ${noun} (${percent} %)`,
      )
    },
    clear() {
      if (shownAt > 0) stream.write('\r\u001b[K')
    },
  }
}
