import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from '@daybook/runner/processes';
import { openTeamKeys } from '@daybook/runner/team-keys';
import { root } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';
import { caller } from './environment.ts';
import { dataFolder, developIn, findLocalSite, keyMade } from './local-site.ts';
import { loadDefinitions, type PageOptions, planPage, planRemote } from './new/plan.ts';
import type { Plan } from './new/planned.ts';
import { writeFiles } from './new/remote-lists.ts';
import { runCommand } from './run-command.ts';

/** Formats files: line breaks depend on the length of names. */
async function format(files: readonly string[]): Promise<void> {
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { code, output } = await runQuietly([biome, 'format', '--write', '--colors=off', ...files]);
  if (code !== 0) throw new CommandError(output.trim());
}

/** Adds the workspace to package-lock.json and links it. Everything that it depends on is installed already. */
function install(): void {
  const parameters = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', parameters, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new CommandError(`${stderr}\n\nnpm install failed; see above.`);
}

/** Writes what a command planned and prints it; if anything fails, restores the files. */
async function carryOut({ remote, page, created, changed, next }: Plan, isRemote: boolean): Promise<void> {
  const [lock, changedFiles] = ['package-lock.json', [...changed.keys()]];
  const restored = isRemote ? [...changedFiles, lock] : changedFiles;
  const before = new Map(restored.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
  try {
    writeFiles(created);
    writeFiles(changed);
    await format([...created.keys(), ...changedFiles].filter((file) => /\.tsx?$/.test(file)));
    if (isRemote) install();
  } catch (error) {
    for (const file of isRemote ? [remote] : created.keys())
      rmSync(path.join(root, file), { recursive: true, force: true });
    writeFiles(before);
    throw error;
  }
  console.log(`Created\n${list(created.keys())}\nChanged\n${list(restored)}\n\nNext`);
  const texts = [...created.keys()].filter((file) => /\/content\/.*\.md$|-page\.tsx$/.test(file)).sort();
  const write = `write the text of ${page} in ${texts[0]}, its title and description in ${remote}/src/remote.ts`;
  for (const step of next ?? [write]) console.log(`  ${step}`);
  const site = findLocalSite();
  console.log(`  ${site ? developIn(site, remote) : `npm run dev ${remote}`}        # shows it, and each change`);
  console.log(`  npm run release ${remote}    # checks and publishes it`);
  // The running site reads the keys again; npm start makes those that are missing.
  if (isRemote && site) openTeamKeys(dataFolder, [remote], (file) => console.log(`  ${keyMade(file, remote)}`));
}

const list = (files: Iterable<string>) => Array.from(files, (file) => `  ${file}`).join('\n');

/** `npm run new-remote <name> [path]`: adds a remote with one page. */
export const newRemote = (name: string, page?: string): Promise<never> =>
  runCommand(async () => carryOut(planRemote(name, page, await loadDefinitions()), true));

/** npm takes an option that is not behind `--` for one of its own: the page would be another one than was asked for. */
const isOptionOfNpm = (name: keyof PageOptions) => caller[`npm_config_${name}`] === 'true';

/** `npm run new-page <remote> <path>`: adds a page to a remote, or moves it there from another one. */
export const newPage = (
  remote: string,
  page: string,
  { text = isOptionOfNpm('text'), move = isOptionOfNpm('move') }: PageOptions,
): Promise<never> =>
  runCommand(async () => carryOut(planPage(remote, page, await loadDefinitions(), { text, move }), false));
