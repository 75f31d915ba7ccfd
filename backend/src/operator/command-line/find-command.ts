import type { Command } from './command.ts';
import { UsageError } from './errors.ts';

const list = new Intl.ListFormat('en');

/**
 * Finds the command that the first words name.
 *
 * @returns the command, and what was written after its name
 * @throws UsageError naming what there is
 */
export function findCommand(commands: readonly Command[], parameters: readonly string[]) {
  const found = commands.find(({ name }) => name.split(' ').every((word, index) => parameters[index] === word));
  if (found) return { command: found, rest: parameters.slice(found.name.split(' ').length) };
  const [topic, action] = parameters;
  const ofTopic = commands
    .filter(({ name }) => name.startsWith(`${topic} `))
    .map(({ name }) => name.split(' ')[1] ?? '');
  if (ofTopic.length === 0) throw new UsageError(`There is no command “${topic}”.`);
  const known = `operator ${topic} has ${list.format(ofTopic)}`;
  throw new UsageError(
    action === undefined || action.startsWith('-')
      ? `${known}; write one of them.`
      : `There is no “${topic} ${action}”; ${known}.`,
  );
}
