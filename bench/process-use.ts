import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, on every machine that Node runs on. */
const ticksPerSecond = 100;

/** The numbers of /proc/<pid>/stat after the program's name, which may hold spaces; undefined where there is none. */
function statOf(pid: number | string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

const sumOf = (fields: readonly string[], from: number, to: number) =>
  fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0);

/** Processor time of a process and all its threads since its start, in s; undefined where there is no /proc. */
export function cpuSeconds(pid: number): number | undefined {
  const fields = statOf(pid);
  return fields && sumOf(fields, 11, 13) / ticksPerSecond;
}

/** Processor time of a process, its children that run and those that have ended, in s. */
export function cpuSecondsWithChildren(pid: number): number | undefined {
  const own = statOf(pid);
  if (!own) return undefined;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((fields) => fields?.[1] === String(pid));
  return children.reduce((sum, fields) => sum + sumOf(fields ?? [], 11, 13), sumOf(own, 11, 15)) / ticksPerSecond;
}

/** Memory that a process has in use, in MB; undefined where there is no /proc. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}
