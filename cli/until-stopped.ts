/** Runs until Ctrl-C or SIGTERM, then stops in order; a second signal does not wait. */
export function untilStopped(stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false
    const onSignal = (): void => {
      if (isStopping) process.exit(1)
      isStopping = true
      stop().then(resolve, reject)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
