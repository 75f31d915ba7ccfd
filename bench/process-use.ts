import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second on every platform that Node supports. */
const ticksPerSecond = 100;

/** /proc/<pid>/stat after the program's name, which may contain spaces; empty where there is no such process. */
function statOf(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

const secondsOf = ([, , , , , , , , , , , user, system]: readonly string[]) =>
  (Number(user) + Number(system)) / ticksPerSecond;

/** Processor time in s of a process and its running children, such as nginx's worker; undefined without /proc. */
export function cpuSeconds(pid: number): number | undefined {
  const own = statOf(pid);
  if (own.length === 0) return undefined;
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf);
  const children = stats.filter(([, parent]) => parent === String(pid));
  return [own, ...children].reduce((sum, stat) => sum + secondsOf(stat), 0);
}

/** Resident memory of a process in MB; undefined without /proc. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}
