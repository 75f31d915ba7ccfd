import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { UsageError } from './errors.ts';
import { Given } from './given.ts';

/** How a command is written. */
export const synopsisOf = ({ name, words = [] }: Command): string => ['operator', name, ...words].join(' ');

/**
 * Reads what stands after the name of a command.
 *
 * @throws UsageError naming what is unknown, missing or too much
 */
export function readGiven(command: Command, parameters: readonly string[]): Given {
  const { words: names = [], options, withoutValue = {} } = command;
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(withValues(parameters, withoutValue), options);
  } catch (error) {
    throw new UsageError(sentenceOf(error as Error));
  }
  const { positionals: words, values } = parsed;
  const isMany = names.at(-1)?.endsWith('…') ?? false;
  const missing = isMany ? undefined : names[words.length];
  if (missing) throw new UsageError(`${missing} is missing: ${synopsisOf(command)}.`);
  if (!isMany && words.length > names.length)
    throw new UsageError(`operator ${command.name} does not take “${words[names.length]}”.`);
  return new Given(words, values);
}

/** An option has no value where another one, or nothing, follows it. */
function withValues(parameters: readonly string[], withoutValue: Readonly<Record<string, string>>): readonly string[] {
  return parameters.map((parameter, index) => {
    const next = parameters[index + 1];
    const value = parameter.startsWith('--') ? withoutValue[parameter.slice(2)] : undefined;
    return value !== undefined && (next === undefined || next.startsWith('-')) ? `${parameter}=${value}` : parameter;
  });
}

const parse = (parameters: readonly string[], options: Command['options']) =>
  parseArgs({ args: [...parameters], allowPositionals: true, options });

/** Node's own words, which go on about something else, and end without a full stop. */
function sentenceOf({ message }: Error): string {
  const [sentence] = message.split('. ');
  const hint = /^Unknown option '-[^-]/.test(message) ? ' An address that begins with - goes after --.' : '';
  return `${sentence?.replace(/\.$/, '')}.${hint}`;
}
