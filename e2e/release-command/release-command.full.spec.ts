import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type OwnSite, startOwnSite } from '@daybook/testing/own-site';
import { buildParts, copyRepository } from '@daybook/testing/repository-copy';
import { remotes, root } from '@daybook/testing/workspaces';
import { expect, test } from '@playwright/test';

// A copy of the repository whose only remote has one page. Serial: the first test publishes the release that the others
// must not change. A release takes a minute on a busy machine.
test.describe.configure({ mode: 'serial', timeout: 360_000 });

/** Parts needed to release a remote: Jest requires the folders of all its projects; the shell is already built. */
const parts = [
  ...['package.json', 'src', 'test', 'jest.config.mjs'].map((part) => `backend/${part}`),
  ...['package.json', 'build', 'public', 'server', 'src'].map((part) => `shell/${part}`),
  ...['biome.json', 'jest.config.mjs', 'scripts', 'deploy/receiver', 'deploy/postgres'],
  ...buildParts,
];
const remote = 'mf-press';
const head = `import type { PageRouteDefinition } from '@daybook/platform/page';

export const route = {
  path: '/press',
  title: 'Press',
  description: 'Facts and pictures for journalists.',
  frame: 'site',
} satisfies PageRouteDefinition;
`;
const pageOf = (heading: string) => `${head}
export default function PressPage() {
  return <h1>${heading}</h1>;
}
`;
const testOf = (heading: string) => `import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import PressPage from './press.tsx';

test('the press page has a heading', () => {
  render(<PressPage />);
  expect(screen.getByRole('heading', { name: '${heading}' })).toBeTruthy();
});
`;

let folder: string;
const started = new AsyncDisposableStack();
let site: OwnSite;
const place = (file: string) => path.join(folder, remote, file);
const write = (file: string, text: string) => writeFileSync(place(file), text);
const [page, pageTest, style] = ['press.tsx', 'press.spec.tsx', 'press.module.css'].map(
  (name) => `src/pages/${name}`,
) as [string, string, string];

function setHeading(heading: string): void {
  write(page, pageOf(heading));
  write(pageTest, testOf(heading));
}

test.beforeAll(async () => {
  ({ folder } = copyRepository(parts));
  mkdirSync(place('src/pages'), { recursive: true });
  for (const file of ['package.json', 'rspack.config.ts', 'tsconfig.json'])
    write(file, readFileSync(path.join(root, 'mf-legal', file), 'utf8').replace('"mf-legal"', `"${remote}"`));
  setHeading('Press');
  const options = { tokensFolder: path.join(folder, '.data'), remotes: [...remotes, remote] };
  site = await startOwnSite(started, options);
});
test.afterAll(async () => {
  await started.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `npm run …` on the test's site as in a terminal; `stopAt` is the output after which Ctrl-C is pressed. */
async function run(words: readonly string[], stopAt?: string) {
  // Neither a token nor a site of the tests' own environment.
  const { RELEASES_TOKEN: _, RELEASES_TOKEN_FILE: __, SITE_URL: ___, ...env } = process.env;
  const options = ['--site', site.url, '--token-file', `.data/tokens/${remote}`];
  const child = spawn('npm', ['run', ...words, ...options], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, since Ctrl-C signals a whole group.
    detached: true,
  });
  let output = '';
  let isStopped = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      if (isStopped || stopAt === undefined || !output.includes(stopAt)) return;
      isStopped = true;
      process.kill(-Number(child.pid), 'SIGINT');
    });
  const [code] = await once(child, 'close');
  return { code: code as number | null, output };
}
const release = (...options: readonly string[]) => run(['release', remote, '--', ...options]);
const releases = (...words: readonly string[]) => run(['releases', '--', ...words]);

async function expectRejection(command: ReturnType<typeof run>, ...words: readonly (string | RegExp)[]) {
  const before = await site.read(remote);
  const { code, output } = await command;
  for (const each of words) expect(output).toMatch(each);
  expect(output).toContain('\nNothing was published.\n');
  // The reason is what is read last.
  expect(output).not.toContain('npm error');
  expect(code).not.toBe(0);
  expect(await site.read(remote)).toEqual(before);
}

test('a release that passes all checks is active, and not checked again', async () => {
  const { code, output } = await release();
  expect(output).toContain('✓ what visitors have: no release yet');
  expect(output).toContain('its own tests: 1 passed');
  expect(output).toContain('✓ in a browser, inside the shell: 1 page');
  const version = await site.versionOf(remote);
  expect(output).toContain(`\nmf-press: all visitors get ${version} instead of nothing.\n`);
  expect(code).toBe(0);

  const before = await site.read(remote);
  const again = await release();
  expect(again.output).toContain(' is active already: all visitors get it.\n');
  expect(again.output).not.toContain('its own tests');
  expect(again.code).toBe(0);
  expect(await site.read(remote)).toEqual(before);
});

test('a page with errors is rejected, with all its problems', async () => {
  write(style, '.faint {\n  color: light-dark(#bbb, #eee);\n}\n');
  const imports = `import { useEffect } from 'react';\nimport styles from './press.module.css';\n\n`;
  write(
    page,
    `${head.replace('\n\n', `\n${imports}`)}
export default function PressPage() {
  // biome-ignore lint/suspicious/noConsole: stands for a library that writes to the console.
  useEffect(() => console.error('The facts are missing.'), []);
  return (
    <>
      <h1>Press</h1>
      <div role="img">Our logo, without alternative text.</div>
      <p className={styles.faint}>Facts</p>
    </>
  );
}
`,
  );
  await expectRejection(
    release(),
    /✗ in a browser, inside the shell \(/,
    '/press: <div role="img"> “Our logo, without alternative text.”: ',
    /\(role-img-alt\)\n/,
    /\/press: <p> “Facts” has contrast 1\.\d+:1; 4\.5:1 is needed \(color-contrast\)\n/,
    /\/press: console error: The facts are missing\. \(mf-press\/src\/pages\/press\.tsx:\d+:27\)/,
  );
  rmSync(place(style));
});

test('a remote without tests is rejected', async () => {
  setHeading('Press room');
  rmSync(place(pageTest));
  await expectRejection(release(), /✗ its own tests \(/, 'mf-press has no tests. A release needs one that passes');
  setHeading('Press room');
});

test('Ctrl-C during the checks publishes nothing', async () => {
  await expectRejection(run(['release', remote, '--'], '✓ lint and format'), 'Stopped before the end.');
});

test('a kept release is activated, rolled back, and then refused before the checks', async () => {
  const first = await site.versionOf(remote);
  const kept = await release('--keep');
  const [, link = ''] = /\n {2}preview: {4}(\S+)\n/.exec(kept.output) ?? [];
  expect(kept.code).toBe(0);
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
  expect(await site.versionOf(remote)).toBe(first);

  const version = link.split('/').at(-1) ?? '';
  const { code, output } = await releases('activate', `${remote}@${version}`);
  expect(output).toContain(`\nmf-press: all visitors get ${version} instead of ${first}.\n`);
  expect(code).toBe(0);
  await site.untilActive(remote, version);
  expect((await releases('rollback', remote, '--why', 'the wording')).code).toBe(0);
  await expectRejection(
    release(),
    `mf-press@${version} was rolled back; visitors get ${first}.`,
    `npm run releases -- activate mf-press@${version} --site ${site.url}`,
  );
});

test('a release of a held remote is stored, and the command fails', async () => {
  const before = await site.versionOf(remote);
  await site.change({ action: 'hold', remote, why: 'an incident' });
  setHeading('Press desk');
  const { code, output } = await release();
  expect(output).toContain('is stored and not active: mf-press is held by ');
  expect(code).toBe(1);
  expect(await site.versionOf(remote)).toBe(before);
});
