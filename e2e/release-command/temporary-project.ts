import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { remotes, root } from '@daybook/runner/workspaces';
import { buildParts, copyRepository } from '@daybook/testing/repository-copy';
import { OwnSite } from '../support/own-site.ts';

/** Parts needed to release a remote: Jest requires the folders of all its projects; the shell is already built. */
const parts = [
  'backend/jest.config.mjs',
  'backend/package.json',
  'backend/src',
  'backend/test',
  'biome.json',
  'jest.config.mjs',
  ...buildParts,
  'scripts',
  'deploy/receiver',
  'deploy/postgres',
  'shell/build',
  'shell/package.json',
  'shell/public',
  'shell/server',
  'shell/src',
  'e2e/support',
];

const remote = 'mf-press';

const manifest = {
  name: remote,
  version: '1.0.0',
  private: true,
  type: 'module',
  dependencies: {
    '@daybook/contract': '1.0.0',
    '@daybook/platform': '1.0.0',
    '@daybook/ui': '1.0.0',
    react: '19.3.1',
  },
  devDependencies: { '@daybook/build': '1.0.0' },
};

const sources = {
  'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  'src/pages/press.tsx': `import type { PageRouteDefinition } from '@daybook/platform/page';

export const route = {
  path: '/press',
  title: 'Press',
  description: 'Facts and pictures for journalists.',
  frame: 'site',
} satisfies PageRouteDefinition;

export default function PressPage() {
  return <h1>Press</h1>;
}
`,
  'src/pages/press.spec.tsx': `import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import PressPage from './press.tsx';

test('the press page has a heading', () => {
  render(<PressPage />);
  expect(screen.getByRole('heading', { name: 'Press' })).toBeTruthy();
});
`,
};

/** A copy of the repository, for tests to change; its only remote, mf-press, has one page. */
export type TemporaryProject = ReturnType<typeof createTemporaryProject>;

/**
 * Copies the repository with a minimal remote, which can be released in seconds. Paths of its files are relative to the
 * remote's folder.
 */
export function createTemporaryProject() {
  const { folder } = copyRepository(parts);
  const place = (file = '') => path.join(folder, remote, file);
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(place(file)), { recursive: true });
    writeFileSync(place(file), text);
  };
  for (const [file, text] of Object.entries(sources)) write(file, text);
  for (const file of ['rspack.config.ts', 'tsconfig.json']) cpSync(path.join(root, 'mf-legal', file), place(file));
  return {
    folder,
    remote,
    write,
    read: (file: string) => readFileSync(place(file), 'utf8'),
    remove: (file?: string) => rmSync(file ? place(file) : folder, { recursive: true, force: true }),
  };
}

/** A finished command. */
export interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Starts a site that has mf-press beside the remotes of this repository, with the tokens of the project. */
export async function startSiteOf({ folder, remote: name }: TemporaryProject): Promise<OwnSite> {
  const site = new OwnSite({ tokensFolder: path.join(folder, '.data'), remotes: [...remotes, name] });
  await site.start();
  return site;
}

type OnOutput = (output: string, signal: (name: NodeJS.Signals) => void) => void;

/**
 * Runs a command of the project as in a terminal, `release` for mf-press.
 *
 * @param words options of the command
 * @param onOutput called with the whole output after each change; may send a signal, like Ctrl-C
 */
export async function runScript(
  { folder, remote: name }: TemporaryProject,
  script: 'release' | 'releases',
  words: readonly string[],
  onOutput?: OnOutput,
): Promise<Run> {
  // Neither a token nor a site of the tests' own environment.
  const { RELEASES_TOKEN: _, RELEASES_TOKEN_FILE: __, SITE_URL: ___, ...env } = process.env;
  const named = script === 'release' ? [name] : [];
  const child = spawn('npm', ['run', script, ...named, '--', ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, since Ctrl-C signals a whole group.
    detached: true,
  });
  let output = '';
  const signal = (each: NodeJS.Signals) => process.kill(-Number(child.pid), each);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      onOutput?.(output, signal);
    });
  const [code] = await once(child, 'close');
  return { code, output };
}
