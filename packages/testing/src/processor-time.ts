/** Processor time of this thread in ms; other processes and a busy machine do not count. */
function threadTime(): number {
  // Linux accounts for the running thread at ticks of some milliseconds, and when somebody asks for the whole process.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the processor time of the fastest of some rounds in ms; ends early with one that takes less than `enough`. */
export async function fastest(run: () => unknown, enough: number, rounds = 5): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && best >= enough; round += 1) {
    const before = threadTime();
    await run();
    best = Math.min(best, threadTime() - before);
  }
  return best;
}
