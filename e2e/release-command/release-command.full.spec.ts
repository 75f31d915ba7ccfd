import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { openTeamKeys } from '@daybook/runner/team-keys';
import { expect, test } from '@playwright/test';
import type { OwnSite } from '../support/own-site.ts';
import {
  createTemporaryProject,
  type Run,
  runScript,
  startSiteOf,
  type TemporaryProject,
} from './temporary-project.ts';

type OnOutput = NonNullable<Parameters<typeof runScript>[3]>;

// Serial: the first test publishes the release that the others must not change. A release takes a minute on a busy machine.
test.describe.configure({ mode: 'serial', timeout: 360_000 });

const remote = 'mf-press';
const page = 'src/pages/press-page.tsx';
const pageTest = 'src/pages/press-page.spec.tsx';

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
const release = (options: readonly string[] = [], onOutput?: OnOutput): Promise<Run> =>
  runScript(project, 'release', [...options, '--site', site.url], onOutput);

/** Runs `npm run releases` with the key of the project. */
const releases = (...words: readonly string[]): Promise<Run> =>
  runScript(project, 'releases', [...words, '--site', site.url]);

/** Calls back once, when the browser checks start. */
function onceInBrowser(then: (signal: (name: NodeJS.Signals) => void) => void): OnOutput {
  let done = false;
  return (output, signal) => {
    if (done || !output.includes('✓ size budget')) return;
    done = true;
    then(signal);
  };
}

/** Changes the heading of the page, and its test. */
function setHeading(from: string, to: string): void {
  project.write(page, project.read(page).replace(`${from}<`, `${to}<`));
  project.write(pageTest, project.read(pageTest).replace(`'${from}'`, `'${to}'`));
}

async function expectRejection(run: Promise<Run>, ...words: readonly (string | RegExp)[]): Promise<void> {
  const before = await site.read(remote);
  const { code, output } = await run;
  for (const each of words) expect(output).toMatch(each);
  expect(output).toMatch(/\nNothing was published\.\n/);
  // The reason is what is read last: npm adds lines after a script of a workspace, and none after one of the root.
  expect(output).not.toContain('npm error');
  expect(code).not.toBe(0);
  expect(await site.read(remote)).toEqual(before);
}

const versionIn = (output: string) => /1\.0\.0-[0-9a-f]{8}/.exec(output)?.[0] ?? '';

test('a release that passes all checks is pushed, and the output says what visitors get', async () => {
  const { code, output } = await release();
  expect(output).toMatch(/✓ what visitors have: no release yet/);
  expect(output).toMatch(/its own tests: 1 passed/);
  expect(output).toMatch(/✓ in a browser, inside the shell: 1 page \(/);
  expect(output).toMatch(/\n {2}✓ sign with key [\w-]{8}… \(\d+\.\d s\)\n/);
  const version = versionIn(output);
  expect(output).toContain(
    `\nmf-press: all visitors get ${version} instead of nothing.\n  changed:    ${site.url}/press\n`,
  );
  expect(output).not.toContain('roll back:');
  expect(code).toBe(0);

  expect(await site.versionOf(remote)).toBe(version);
  const folder = `${site.url}/remotes/${remote}/${version}`;
  const { files } = (await (await fetch(`${folder}/release.json`)).json()) as Release;
  for (const [name, { integrity, size }] of Object.entries(files)) {
    const content = Buffer.from(await (await fetch(`${folder}/${name}`)).arrayBuffer());
    const hash = createHash('sha384').update(content).digest('base64');
    expect([name, content.length, `sha384-${hash}`]).toEqual([name, size, integrity]);
  }
});

test('a release that visitors have already is not checked again, changes nothing, and says so', async () => {
  const before = await site.read(remote);
  const { code, output } = await release();
  expect(output).toMatch(
    /\nmf-press@1\.0\.0-[0-9a-f]{8} was published before; nothing has changed\.\nAll visitors get it\.\n/,
  );
  expect(output).not.toContain('its own tests');
  expect(code).toBe(0);
  expect(await site.read(remote)).toEqual(before);
});

test('a key that the site does not know is rejected before the build, and a missing site before all else', async () => {
  const stranger = openTeamKeys(path.join(project.folder, 'stranger'), [remote]);
  expect(stranger.signerOf(remote).publicKey).not.toBe('');
  const keyFile = path.join(project.folder, `stranger/keys/${remote}.pem`);
  const run = release(['--key-file', keyFile]);
  await expectRejection(run, /✗ what visitors have/, /rejects it \(40[13]\)/);
  expect((await run).output).not.toContain('build');
  const { code, output } = await runScript(project, 'release', []);
  expect(output).toContain(
    'No site runs on this machine. Start it with npm start, or name another one: npm run release',
  );
  expect(code).toBe(2);
});

test('a page with errors is rejected, with all its problems', async () => {
  const good = project.read(page);
  const style = 'src/pages/press-page.module.css';
  project.write(style, '.faint {\n  color: light-dark(#bbb, #eee);\n}\n');
  project.write(
    page,
    `import { useEffect } from 'react';
import styles from './press-page.module.css';

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
    '/press: console error: The facts are missing. (mf-press/src/pages/press-page.tsx:6:27)',
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

test('Ctrl-C during the checks publishes nothing and exits with an error code', async () => {
  const stop = onceInBrowser((signal) => signal('SIGINT'));
  await expectRejection(release([], stop), 'Stopped before the end.');
});

test('a release is rejected if its sources change during the checks', async () => {
  const change = onceInBrowser(() => project.write(page, `${project.read(page)}// Changed.\n`));
  await expectRejection(release([], change), /✗ sources unchanged \(/, 'The sources of mf-press were changed while');
});

test('a preview is shown to those with its link, and is what a release makes active then', async () => {
  const first = await site.versionOf(remote);
  const preview = await release(['--preview']);
  expect(preview.output).toMatch(/✓ in a browser, inside the shell: 1 page \(/);
  const [, version] = /\nmf-press: visitors with its link get (\S+), all others /.exec(preview.output) ?? [];
  const [, link = ''] = /\n {2}link: {7}(http\S+\/_preview\/[\w-]{22})\n/.exec(preview.output) ?? [];
  expect(preview.output).toContain(`npm run releases -- end mf-press preview --site ${site.url}\n`);
  expect(preview.code).toBe(0);
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
  expect(await site.versionOf(remote)).toBe(first);

  const live = await release();
  expect(live.output).toContain(`\nmf-press: all visitors get ${version} instead of ${first}.\n`);
  expect(live.code).toBe(0);
  const back = await releases('rollback', remote, '--why', 'the wording');
  expect(back.output).toContain(`mf-press: ${version} is rolled back; all visitors get ${first}.`);
  expect(await site.versionOf(remote)).toBe(first);
  const again = await release();
  expect(again.output).toContain(`Visitors get ${first}: ${version} was rolled back. To give it to them, activate it.`);
  expect(await site.versionOf(remote)).toBe(first);
});

test('a canary takes two commands, and a hold of operators keeps a release from its visitors', async () => {
  const before = await site.versionOf(remote);
  setHeading('Press room', 'Press office');
  const canary = await release(['--percent', '10']);
  const [, version = ''] = /\nmf-press: 10 % of visitors get (\S+), all others /.exec(canary.output) ?? [];
  const command = `npm run releases -- activate mf-press ${version} --site ${site.url}`;
  expect(canary.output).toContain(`\n  activate:   ${command}\n  end:        npm run releases -- end mf-press canary `);
  expect(await site.versionOf(remote, { Cookie: 'bucket=9' })).toBe(version);
  expect(await site.versionOf(remote, { Cookie: 'bucket=10' })).toBe(before);

  await site.deploy(remote, { action: 'hold', why: 'an incident' });
  setHeading('Press office', 'Press desk');
  const held = await release();
  expect(held.output).toContain(`is stored and not active: mf-press is held by `);
  expect(held.code).toBe(1);
  await site.deploy(remote, { action: 'lift' });
  const { output, code } = await releases('activate', remote, version);
  expect(output).toContain(`mf-press: all visitors get ${version} instead of ${before}.`);
  expect(code).toBe(0);
  await site.untilActive(remote, version);
});
