import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { createTemporaryRepository } from '@daybook/testing/temporary-repository';
import { describe, expect, test } from '@jest/globals';

/** Folders whose name says that nobody commits what is in them; `packages/build` is a package. */
const isGenerated = (file: string) =>
  /(?:^|\/)(?:node_modules|test-results)$/.test(file) || /^(?:mf-[^/]+|shell|backend)\/build$/.test(file);

const sources = globSync('{docs,deploy,packages,shell,mf-*,backend,scripts,e2e,bench}/**', {
  cwd: root,
  exclude: isGenerated,
}).filter((file) => statSync(path.join(root, file)).isFile());

const attributes = readFileSync(path.join(root, '.gitattributes'), 'utf8');

test('git is called in one module, whose result no configuration changes, and for repositories of tests', () => {
  const call = /\b(?:spawn|exec|execFile|execa|fork)(?:Sync)?\(\s*['"`]git\b/;
  const calling = sources.filter(
    (file) => /\.(?:tsx?|mjs)$/.test(file) && call.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(calling.sort()).toEqual([
    // Builds a former version in the tests of upgrades.
    'e2e/compose/upgrade.spec.ts',
    // Compares the dates of legal texts with their former ones.
    'mf-legal/src/legal-page/dates.spec.ts',
    'packages/build/src/git.ts',
    'packages/testing/src/temporary-repository.ts',
  ]);
});

describe('.gitattributes', () => {
  test('gives text the same line ends in a clone that asks for those of Windows, and leaves other files as they are', () => {
    const repository = createTemporaryRepository();
    const { folder, git, place } = repository;
    const clone = path.join(place, 'windows');
    const [script, picture] = ['deploy/start.sh', 'docs/picture.png'];
    repository.commit({ '.gitattributes': attributes, [script]: 'one\ntwo\n', [picture]: 'PNG\n\r\n\n' });
    git('clone', '--quiet', '--config', 'core.autocrlf=true', '--config', 'core.eol=crlf', folder, clone);
    for (const file of [script, picture])
      expect([file, readFileSync(path.join(clone, file), 'utf8')]).toEqual([
        file,
        readFileSync(path.join(folder, file), 'utf8'),
      ]);
    repository.remove();
  });

  test('names every kind of file that is no text, and no text has the line ends of Windows', () => {
    const binary = new Set(attributes.match(/(?<=^\*)\.\w+(?= binary$)/gm));
    const contents = sources.map((file) => [file, readFileSync(path.join(root, file))] as const);
    const unnamed = contents.filter(([file, content]) => content.includes(0) && !binary.has(path.extname(file)));
    const windows = contents.filter(([file, content]) => content.includes('\r\n') && !binary.has(path.extname(file)));
    expect([...unnamed, ...windows].map(([file]) => file)).toEqual([]);
  });
});
