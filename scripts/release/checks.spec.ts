import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contractVersion, type Release, releaseSchema } from '@daybook/contract/release';
import { copyRepository } from '@daybook/testing/repository-copy';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { adviceOn, checkAsSite, checkFormat, checkShared } from './checks.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-checks-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a build may have its own paths again, and none of another remote', () => {
  const entry = 'remoteEntry.00000001.js';
  const release: Release = releaseSchema.parse({
    name: 'mf-legal',
    version: '1.0.0-00000001',
    contract: contractVersion,
    designSystem: null,
    entry,
    routes: [{ path: '/terms', title: 'Terms', description: 'The terms.', frame: 'site', files: [] }],
    files: { [entry]: { integrity: `sha384-${'A'.repeat(64)}`, size: 7 } },
  });
  const build = { folder, release, text: JSON.stringify(release) };
  checkAsSite(build, [], release);
  expect(() => checkAsSite(build, [{ ...release, name: 'mf-press' }], release)).toThrow(
    `The site would reject mf-legal@${release.version}: its route ${release.routes[0]?.path} belongs to mf-press@${release.version}. Give the page another path, or move it`,
  );
});

describe('the check for one copy of React', () => {
  const check = (...packages: readonly string[]) => {
    writeFileSync(path.join(folder, 'sources.json'), JSON.stringify({ files: [], packages }));
    checkShared('mf-press', folder);
  };

  test('accepts other packages, and rejects those that the shell provides', () => {
    expect(() => check('react-aria', '@module-federation/runtime')).not.toThrow();
    expect(() => check('react-dom', 'scheduler')).toThrow(/^mf-press contains its own copy of react-dom, but a page/);
  });
});

describe('a package that a remote imports and does not declare', () => {
  test('fails the release with file, line and the command that adds it', async () => {
    const copy = copyRepository(['.gitignore', 'biome.json', 'package.json', 'packages/ui', 'scripts/new/template']);
    copy.write(
      'scripts/new/template/src/undeclared.ts',
      "import { atom } from 'jotai';\n\nexport const load = () => import('zod/mini');\nexport { atom };\n",
    );
    try {
      const error = (await checkFormat('scripts/new/template', copy.folder).catch((thrown) => thrown)) as Error;
      const finding = (place: string, name: string) =>
        `scripts/new/template/src/undeclared.ts:${place}: Dependency ${name} isn't specified in scripts/new/template/package.json. (lint/correctness/noUndeclaredDependencies)`;
      expect(error.message.split('\n')).toEqual([
        finding('1:22', 'jotai'),
        finding('3:27', 'zod'),
        expect.stringMatching(
          /^Declare what it imports: npm install --save-exact jotai@\d+\.\d+\.\d+ zod@\d+\.\d+\.\d+ -w scripts\/new\/template$/,
        ),
      ]);
    } finally {
      copy.remove();
    }
  });

  test('is named without a version while it is not installed, and once for all its imports', () => {
    const line =
      "mf-legal/src/a.ts:1:1: Dependency @daybook/nowhere isn't specified in mf-legal/package.json. (lint/x)";
    expect(adviceOn([line, line, 'mf-legal/src/b.ts:1:1: Wrong (format)'], 'mf-legal')).toEqual([
      'Declare what it imports: npm install --save-exact @daybook/nowhere -w mf-legal',
      'Format it: npx biome check --write mf-legal',
    ]);
  });
});
