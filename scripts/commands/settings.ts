import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError, type VariableMeta } from '@daybook/server';
import { root } from '@daybook/testing/workspaces';
import type { z } from 'zod';
import { environmentSchema as backendSchema } from '../../backend/src/environment.ts';
import { environmentSchema as shellSchema } from '../../shell/server/environment.ts';

const file = path.join(root, 'docs/configuration.md');
const [begin, end] = ['<!-- settings: written by `npm run settings` -->', '<!-- end of settings -->'];

/** Returns the default of a variable as it would be set; `required` without one. */
function defaultOf(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined);
  if (!success) return '**required**';
  return data === undefined || (Array.isArray(data) && data.length === 0) ? 'none' : `\`${data}\``;
}

function rowsOf(server: string, schema: z.ZodObject) {
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, each]) => {
    const { description = '', secretsIn } = (each.meta() ?? {}) as VariableMeta;
    return { name: secretsIn ? `\`${name}\` ¹` : `\`${name}\``, server, description, fallback: defaultOf(each) };
  });
}

/** Returns the settings of both servers as a Markdown table; a variable that both read alike has one row. */
function settingsTable(): string {
  const rows = [...rowsOf('shell server', shellSchema), ...rowsOf('backend', backendSchema)];
  const merged = Map.groupBy(rows, ({ name, description, fallback }) => [name, description, fallback].join('\n'));
  const lines = [...merged.values()].map(([row, other]) => {
    const { name, server, description, fallback } = row as NonNullable<typeof row>;
    return `| ${name} | ${other ? 'both' : server} | ${description} | ${fallback} |`;
  });
  return ['| variable | read by | meaning | default |', '|---|---|---|---|', ...lines].join('\n');
}

/**
 * `npm run settings`: writes the table of settings in docs/configuration.md.
 *
 * @throws CommandError where `check` is set and the table is stale
 */
export function writeSettings({ check = false }: { readonly check?: boolean }): void {
  const text = readFileSync(file, 'utf8');
  const [before, rest = ''] = text.split(begin);
  const written = `${before}${begin}\n\n${settingsTable()}\n\n${end}${rest.split(end)[1]}`;
  if (written === text) return;
  if (check) throw new CommandError(`${file} is stale. Run: npm run settings`);
  writeFileSync(file, written);
}
