import { readFileSync } from 'node:fs';
import path from 'node:path';
import { variablesOf } from '@daybook/server';
import { remotes, root } from '@daybook/testing/workspaces';
import { environmentSchema as backendSchema } from '../backend/src/environment.ts';
import { environmentSchema as shellSchema } from '../shell/server/environment.ts';
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
    const { name, isSecret, server, description, fallback } = row as NonNullable<typeof row>;
    const note = isSecret ? ' ¹' : '';
    return `| \`${name}\`${note} | ${other ? 'both' : server} | ${description} | ${fallback} |`;
  });
  return ['| variable | read by | meaning | default |', '|---|---|---|---|', ...lines].join('\n');
}

function staleSettings(): FileTexts {
  const text = readFileSync(path.join(root, settingsFile), 'utf8');
  const [before, rest = ''] = text.split(begin);
  const current = `${before}${begin}\n\n${settingsTable()}\n\n${end}${rest.split(end)[1]}`;
  return new Map(text === current ? [] : [[settingsFile, current]]);
}

/** What is written from other sources; each returns the files that are stale, with their new text. */
export const generatedFiles: Readonly<Record<string, () => FileTexts>> = {
  'table of settings': staleSettings,
  'lists of remotes': () => staleLists(remotes),
};
