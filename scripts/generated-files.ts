import { readFileSync } from 'node:fs';
import path from 'node:path';
import { remotes, root } from '@daybook/runner/workspaces';
import { variablesOf } from '@daybook/server';
import { environmentSchema as backendSchema } from '../backend/src/environment.ts';
import { environmentSchema as shellSchema } from '../shell/server/environment.ts';
import { renderDashboard } from './dashboard.ts';
import { type FileTexts, staleLists } from './new/remote-lists.ts';

const settingsFile = 'docs/configuration.md';
const [begin, end] = ['<!-- settings: written by `npm run check -- --fix` -->', '<!-- end of settings -->'];

/** Returns the settings of both servers as a Markdown table; a variable with the same meaning in both has one row. */
function settingsTable(): string {
  const rows = [
    ...variablesOf(shellSchema).map((each) => ({ ...each, server: 'shell server' })),
    ...variablesOf(backendSchema).map((each) => ({ ...each, server: 'backend' })),
  ];
  const merged = Map.groupBy(rows, ({ name, description, fallback }) => [name, description, fallback].join('\n'));
  const lines = [...merged.values()].map(([row, other]) => {
    const { name, isSecret, canBeFile, server, description, fallback } = row as NonNullable<typeof row>;
    const note = isSecret ? ' ¹' : canBeFile ? ' ²' : '';
    return `| \`${name}\`${note} | ${other ? 'both' : server} | ${description} | ${fallback} |`;
  });
  return ['| variable | read by | meaning | default |', '|---|---|---|---|', ...lines].join('\n');
}

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Returns a file with its current text if it has another. */
const staleFile = (file: string, current: string): FileTexts =>
  new Map(read(file) === current ? [] : [[file, current]]);

/** Returns docs/configuration.md with the present settings if it has others. */
function staleSettings(): FileTexts {
  const [before, rest = ''] = read(settingsFile).split(begin);
  return staleFile(settingsFile, `${before}${begin}\n\n${settingsTable()}\n\n${end}${rest.split(end)[1]}`);
}

/** What is written from other sources, by its name; each returns the files that are stale, with their new text. */
export const generatedFiles: Readonly<Record<string, () => FileTexts>> = {
  'table of settings': staleSettings,
  'lists of remotes': () => staleLists(remotes),
  dashboard: () =>
    staleFile('deploy/monitoring/dashboard.json', renderDashboard(read('deploy/monitoring/dashboard.yml'))),
};
