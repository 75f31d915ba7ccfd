import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError, describeVariables } from '@daybook/server';
import { root } from '@daybook/testing/workspaces';
import { environmentSchema as backendSchema } from '../../backend/src/environment.ts';
import { environmentSchema as shellSchema } from '../../shell/server/environment.ts';

const file = path.join(root, 'docs/configuration.md');
const [begin, end] = ['<!-- settings: written by `npm run settings` -->', '<!-- end of settings -->'];

/** Returns the settings of both servers as a Markdown table; a variable with the same meaning in both has one row. */
function settingsTable(): string {
  const rows = [
    ...describeVariables(shellSchema).map((each) => ({ ...each, server: 'shell server' })),
    ...describeVariables(backendSchema).map((each) => ({ ...each, server: 'backend' })),
  ];
  const merged = Map.groupBy(rows, ({ name, description, fallback }) => [name, description, fallback].join('\n'));
  const lines = [...merged.values()].map(([row, other]) => {
    const { name, isSecret, canBeFile, server, description, fallback } = row as NonNullable<typeof row>;
    const note = isSecret ? ' ¹' : canBeFile ? ' ²' : '';
    return `| \`${name}\`${note} | ${other ? 'both' : server} | ${description} | ${fallback} |`;
  });
  return ['| variable | read by | meaning | default |', '|---|---|---|---|', ...lines].join('\n');
}

/**
 * `npm run settings`: writes the table of settings in docs/configuration.md.
 *
 * @throws CommandError if `check` is set and the table is stale
 */
export function writeSettings({ check = false }: { readonly check?: boolean }): void {
  const text = readFileSync(file, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const written = `${before}${begin}\n\n${settingsTable()}\n\n${end}${rest.split(end)[1]}`;
  if (written === text) return;
  if (check) throw new CommandError(`${file} is stale. Run: npm run settings`);
  writeFileSync(file, written);
}
