import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { expect, test } from '@playwright/test';
import { createTemporaryProject, type Run, runRelease, type TemporaryProject } from './temporary-project.ts';

type OnOutput = (output: string, signal: (name: NodeJS.Signals) => void) => void;

// Serial: the first test publishes the release that the others must not change.
test.describe.configure({ mode: 'serial' });

const page = 'src/pages/press-page.tsx';
const pageTest = 'src/pages/press-page.spec.tsx';

let project: TemporaryProject;
let origin: string;
test.beforeAll(() => {
  project = createTemporaryProject();
  origin = path.join(project.folder, 'origin');
  mkdirSync(origin);
});
test.afterAll(() => project.remove());

/** Releases to the test's origin. */
const release = (onOutput?: OnOutput): Promise<Run> =>
  runRelease(project, ['--to', origin], onOutput ? { onOutput } : {});

/** Calls back once, when the browser checks start. */
function onceInBrowser(then: (signal: (name: NodeJS.Signals) => void) => void): OnOutput {
  let done = false;
  return (output, signal) => {
    if (done || !output.includes('✓ size budget')) return;
    done = true;
    then(signal);
  };
}

/** Returns every file of the origin with attributes that reveal a write. */
const originFiles = () =>
  readdirSync(origin, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const { ino, mtimeNs, size } = statSync(file, { bigint: true });
      return { name: path.relative(origin, file), ino, mtimeNs, size };
    });

async function expectRejection(run: Promise<Run>, ...words: readonly (string | RegExp)[]): Promise<void> {
  const before = originFiles();
  const { code, output } = await run;
  for (const each of words) expect(output).toMatch(each);
  expect(output).toMatch(/\nNothing was published\.\n/);
  expect(code).not.toBe(0);
  expect(originFiles()).toEqual(before);
}

test('a release is published completely, with its signature last', async () => {
  const { code, output } = await release();
  expect(output).toMatch(/its own tests: 1 passed/);
  expect(output).toMatch(/✓ in a browser, inside the shell: 1 page, 1 changed/);
  expect(output).toMatch(/\n {2}✓ sign with key [\w-]{8}… \(\d+\.\d s\)\n/);
  expect(output).toMatch(/\nmf-press@1\.0\.0-[0-9a-f]{8} is published\.\n/);
  expect(code).toBe(0);

  const description = JSON.parse(readFileSync(path.join(origin, 'release.json'), 'utf8')) as Release;
  expect(output).toContain(`mf-press@${description.version} is published.`);
  for (const [name, { integrity, size }] of Object.entries(description.files)) {
    const content = readFileSync(path.join(origin, name));
    const hash = createHash('sha384').update(content).digest('base64');
    expect([name, content.length, `sha384-${hash}`]).toEqual([name, size, integrity]);
  }
  const files = originFiles().sort((one, other) => Number(one.mtimeNs - other.mtimeNs));
  expect(files.map(({ name }) => name).sort()).toEqual(
    ['release.json', 'release.jws', ...Object.keys(description.files)].sort(),
  );
  expect(files.slice(-2).map(({ name }) => name)).toEqual(['release.json', 'release.jws']);
  expect(output).toContain('Made a key pair that signs the releases of mf-press: ');
  const [signature, text] = readFileSync(path.join(origin, 'release.jws'), 'utf8').split(/\n(.*)/s);
  expect(signature?.split('.')).toHaveLength(3);
  expect(text).toBe(readFileSync(path.join(origin, 'release.json'), 'utf8'));
});

test('a release that is already published is not checked again; only its signature is renewed', async () => {
  const withoutSignature = () => originFiles().filter(({ name }) => name !== 'release.jws');
  const [before, signature] = [withoutSignature(), statSync(path.join(origin, 'release.jws')).ino];
  const { code, output } = await release();
  expect(output).toMatch(
    /\nNothing new to release: mf-press@1\.0\.0-[0-9a-f]{8} is already at its origin\. Its signature was renewed\.\n/,
  );
  expect(output).not.toContain('its own tests');
  expect(code).toBe(0);
  expect(withoutSignature()).toEqual(before);
  expect(statSync(path.join(origin, 'release.jws')).ino).not.toBe(signature);
});

test('a page with errors is rejected, with all its problems', async () => {
  const good = project.read(page);
  project.write(
    page,
    `import { useEffect } from 'react';

export default function PressPage() {
  // biome-ignore lint/suspicious/noConsole: stands for a library that writes to the console.
  useEffect(() => console.error('The facts are missing.'), []);
  return (
    <>
      <h1>Press</h1>
      <div role="img">Our logo, without alternative text.</div>
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
    '/press: console error: The facts are missing. (mf-press/src/pages/press-page.tsx:5:27)',
  );
  project.write(page, good);
});

test('a remote without a passing test is rejected', async () => {
  const good = project.read(pageTest);
  project.write(page, project.read(page).replace('Press<', 'Press room<'));
  project.remove(pageTest);
  await expectRejection(release(), /✗ its own tests \(/, 'mf-press has no tests. A release needs one that passes');
  project.write(pageTest, good.replace("test('", "test.skip('"));
  await expectRejection(release(), 'All 1 tests of mf-press are skipped.');
  project.write(pageTest, good.replace("'Press'", "'Press room'"));
});

test('Ctrl-C during the checks publishes nothing and exits with an error code', async () => {
  await expectRejection(release(onceInBrowser((signal) => signal('SIGINT'))), 'Stopped before the end.');
});

test('a release is rejected if its sources change during the checks', async () => {
  const change = onceInBrowser(() => project.write(page, `${project.read(page)}// Changed.\n`));
  await expectRejection(release(change), /✗ sources unchanged \(/, 'The sources of mf-press were changed while');
});

test('a preview passes all checks, and is published beside the release, which stays as it is', async () => {
  const before = originFiles();
  const { code, output } = await runRelease(project, ['--preview', '--to', origin]);
  expect(output).toMatch(/✓ in a browser, inside the shell: 1 page, 1 changed/);
  const [, version] =
    /\nmf-press@(\S+) is published as a preview; it does not become active by itself\.\n/.exec(output) ?? [];
  const [, token] = /\n {2}link: {7}\/_preview\/([\w-]{22}), after the address of the site\n/.exec(output) ?? [];
  expect(output).toContain(`\n  activate:   npm run releases -- activate mf-press ${version}\n`);
  expect(code).toBe(0);
  expect(originFiles()).toEqual(expect.arrayContaining(before));
  const preview = readFileSync(path.join(origin, 'preview.jws'), 'utf8');
  const { files, ...release } = JSON.parse(preview.slice(preview.indexOf('\n') + 1)) as Release;
  expect(release.version).toBe(version);
  for (const name of Object.keys(files)) expect(originFiles().map((file) => file.name)).toContain(name);
  const claims = String(Buffer.from(preview.split('.')[1] ?? '', 'base64url'));
  expect(JSON.parse(claims).token).toBe(createHash('sha256').update(String(token)).digest('base64url'));
  expect(preview + claims).not.toContain(String(token));
});
