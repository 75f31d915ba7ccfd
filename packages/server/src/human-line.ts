import { styleText } from 'node:util';

interface LogLine {
  readonly time?: string;
  readonly level?: string;
  readonly service?: string;
  readonly msg?: string;
  readonly requestId?: string;
  readonly err?: { readonly stack?: string };
}

const colours = { fatal: 'red', error: 'red', warn: 'yellow', info: 'green' } as const;

const isColoured = (level: string): level is keyof typeof colours => Object.hasOwn(colours, level);

/** A line of the log as a person reads it in a terminal: time of day, server, level, what happened, request. */
export function humanLine(json: string): string {
  const line = parse(json);
  if (!line) return json;
  const { time = '', level = '', service = '', msg = '', requestId, err } = line;
  const word = level.padEnd(5);
  const parts = [
    styleText('dim', time.slice(11, 23)),
    service.padEnd(7),
    isColoured(level) ? styleText(colours[level], word) : word,
    msg,
    ...(requestId ? [styleText('dim', requestId)] : []),
  ];
  const stack = err?.stack ? `\n${err.stack.replace(/^/gm, '    ')}` : '';
  return `${parts.join(' ')}${stack}\n`;
}

function parse(json: string): LogLine | undefined {
  try {
    return JSON.parse(json) as LogLine;
  } catch {
    return undefined;
  }
}
