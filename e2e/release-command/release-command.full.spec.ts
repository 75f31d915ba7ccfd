import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { OwnSite } from '../support/own-site.ts';
import {
  createTemporaryProject,
  type Run,
  runScript,
  startSiteOf,
  type TemporaryProject,
} from './temporary-project.ts';

// Serial: the first test publishes the release that the others must not change. A release takes a minute on a busy machine.
test.describe.configure({ mode: 'serial', timeout: 360_000 });

const remote = 'mf-press';
const tokenFile = `.data/tokens/${remote}`;
const page = 'src/pages/press.tsx';
const pageTest = 'src/pages/press.spec.tsx';

let project: TemporaryProject;
let site: OwnSite;
test.beforeAll(async () => {
  project = createTemporaryProject();
  site = await startSiteOf(project);
});
test.afterAll(async () => {
  await site.stop();
  project.remove();
});

/** Releases to the test's site. */
const release = (options: readonly string[] = [], onOutput?: Parameters<typeof runScript>[3]): Promise<Run> =>
  runScript(project, 'release', ['--site', site.url, '--token-file', tokenFile, ...options], onOutput);

/** Runs `npm run releases` with the token of the remote. */
const releases = (...words: readonly string[]): Promise<Run> =>
  runScript(project, 'releases', [...words, '--site', site.url, '--token-file', tokenFile]);

/** Changes the heading of the page, and its test. */
function setHeading(from: string, to: string): void {
  project.write(page, project.read(page).replace(`${from}<`, `${to}<`));
  project.write(pageTest, project.read(pageTest).replace(`'${from}'`, `'${to}'`));
}

async function expectRejection(run: Promise<Run>, ...words: readonly (string | RegExp)[]): Promise<void> {
  const before = await site.read(remote);
  const { code, output } = await run;
  for (const each of words) expect(output).toMatch(each);
  expect(output).toContain('\nNothing was published.\n');
  // The reason is what is read last.
  expect(output).not.toContain('npm error');
  expect(code).not.toBe(0);
  expect(await site.read(remote)).toEqual(before);
}

test('a release that passes all checks is active', async () => {
  const { code, output } = await release();
  expect(output).toContain('✓ what visitors have: no release yet');
  expect(output).toContain('its own tests: 1 passed');
  expect(output).toContain('✓ in a browser, inside the shell: 1 page');
  const version = await site.versionOf(remote);
  expect(output).toContain(`\nmf-press: all visitors get ${version} instead of nothing.\n`);
  expect(code).toBe(0);
});

test('the active release is not checked again', async () => {
  const before = await site.read(remote);
  const { code, output } = await release();
  expect(output).toContain(' is active already: all visitors get it.\n');
  expect(output).not.toContain('its own tests');
  expect(code).toBe(0);
  expect(await site.read(remote)).toEqual(before);
});

test('a token that the site does not know is rejected before the build', async () => {
  writeFileSync(path.join(project.folder, '.data/wrong-token'), 'wrong');
  const { code, output } = await release(['--token-file', '.data/wrong-token']);
  expect(output).toContain('rejects it (401)');
  expect(output).not.toContain('build');
  expect(code).toBe(1);
});

test('a missing site is named before all else', async () => {
  const { code, output } = await runScript(project, 'release', []);
  expect(output).toContain('No site runs on this machine. Start it with npm start');
  expect(code).toBe(2);
});

test('a page with errors is rejected, with all its problems', async () => {
  const good = project.read(page);
  const style = 'src/pages/press.module.css';
  project.write(style, '.faint {\n  color: light-dark(#bbb, #eee);\n}\n');
  const [head] = good.split('export default');
  project.write(
    page,
    `import { useEffect } from 'react';
${head?.replace('\n\n', "\nimport styles from './press.module.css';\n\n")}export default function PressPage() {
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
`.replace(/^(import \{ useEffect.*\n)(import type.*\n)/, '$2$1'),
  );
  await expectRejection(
    release(),
    /✗ in a browser, inside the shell \(/,
    '/press: <div role="img"> “Our logo, without alternative text.”: ',
    /\(role-img-alt\)\n/,
    /\/press: <p> “Facts” has contrast 1\.\d+:1; 4\.5:1 is needed \(color-contrast\)\n/,
    /\/press: console error: The facts are missing\. \(mf-press\/src\/pages\/press\.tsx:\d+:27\)/,
  );
  project.write(page, good);
  project.remove(style);
});

test('a remote without a passing test is rejected', async () => {
  setHeading('Press', 'Press room');
  const good = project.read(pageTest);
  project.remove(pageTest);
  await expectRejection(release(), /✗ its own tests \(/, 'mf-press has no tests. A release needs one that passes');
  project.write(pageTest, good.replace("test('", "test.skip('"));
  await expectRejection(release(), 'All 1 tests of mf-press are skipped.');
  project.write(pageTest, good);
});

test('Ctrl-C during the checks publishes nothing', async () => {
  let done = false;
  const stop: Parameters<typeof runScript>[3] = (output, signal) => {
    if (done || !output.includes('✓ lint and format')) return;
    done = true;
    signal('SIGINT');
  };
  await expectRejection(release([], stop), 'Stopped before the end.');
});

test('a kept release is shown to those with its link, and then activated', async () => {
  const first = await site.versionOf(remote);
  const kept = await release(['--keep']);
  const [, link = ''] = /\n {2}preview: {4}(\S+)\n/.exec(kept.output) ?? [];
  expect(kept.code).toBe(0);
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
  expect(await site.versionOf(remote)).toBe(first);

  const version = link.split('/').at(-1) ?? '';
  const { code, output } = await releases('activate', `${remote}@${version}`);
  expect(output).toContain(`\nmf-press: all visitors get ${version} instead of ${first}.\n`);
  expect(code).toBe(0);
  await site.untilActive(remote, version);
});

test('a release that was rolled back is refused before the checks', async () => {
  const { state, previous } = await site.read(remote);
  expect((await releases('rollback', remote, '--why', 'the wording')).code).toBe(0);
  await expectRejection(
    release(),
    `mf-press@${state?.active} was rolled back; visitors get ${previous}.`,
    `npm run releases -- activate mf-press@${state?.active} --site ${site.url}`,
  );
});

test('a canary reaches a share of the visitors until it is activated', async () => {
  const before = await site.versionOf(remote);
  setHeading('Press room', 'Press office');
  const { output } = await release(['--percent', '10']);
  const [, version = ''] = /\nmf-press: 10 % of visitors get (\S+), all others /.exec(output) ?? [];
  expect(await site.versionOf(remote, { Cookie: 'bucket=9' })).toBe(version);
  expect(await site.versionOf(remote, { Cookie: 'bucket=10' })).toBe(before);
  expect((await releases('activate', `${remote}@${version}`)).code).toBe(0);
  await site.untilActive(remote, version);
});

test('a hold of operators keeps a release from its visitors', async () => {
  const before = await site.versionOf(remote);
  await site.change({ action: 'hold', remote, why: 'an incident' });
  setHeading('Press office', 'Press desk');
  const { code, output } = await release();
  expect(output).toContain('is stored and not active: mf-press is held by ');
  expect(code).toBe(1);
  expect(await site.versionOf(remote)).toBe(before);
});
