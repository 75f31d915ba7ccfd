/** Lines of this level and above tell of what went wrong. */
const errorLevel = 50;

interface LogLine {
  readonly level?: unknown;
  readonly msg?: unknown;
}

/** A line of a server's log: an object where the server wrote it, else what a program printed. */
function parseLine(line: string): LogLine {
  try {
    return Object(JSON.parse(line)) as LogLine;
  } catch {
    return {};
  }
}

const linesOf = (log: string) => log.trim().split('\n');

/** What a server's log says, without the fields for machines. */
export const readableLog = (log: string): string =>
  linesOf(log)
    .map((line) => String(parseLine(line).msg ?? line))
    .join('\n');

/** What a server's log says went wrong; a line that is not written to its end does not count yet. */
export const errorsIn = (log: string): readonly string[] =>
  linesOf(log)
    .map(parseLine)
    .filter(({ level }) => typeof level === 'number' && level >= errorLevel)
    .map(({ msg }) => String(msg));
