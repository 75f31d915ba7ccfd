import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildParts, copyRepository, type RepositoryCopy } from '@daybook/testing/repository-copy';
import { remotes, root } from '@daybook/testing/workspaces';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';

// Each test builds all remotes, which takes minutes on a busy machine.
jest.setTimeout(400_000);

let copy: RepositoryCopy;
let before: Readonly<Record<string, string>>;

async function versions(): Promise<Readonly<Record<string, string>>> {
  const built = await Promise.all(remotes.map(async (remote) => [remote, (await copy.build(remote)).release.version]));
  return Object.fromEntries(built);
}

beforeAll(async () => {
  copy = copyRepository([...buildParts, ...remotes]);
  before = await versions();
});
afterAll(() => copy.remove());

/** Changes an installed package: replaces its link by a changed copy. */
function editInstalled(name: string, file: string, change: (text: string) => string): void {
  const link = path.join(copy.folder, 'node_modules', name);
  rmSync(path.join(copy.folder, 'node_modules', path.dirname(name)), { recursive: true, force: true });
  cpSync(path.join(root, 'node_modules', path.dirname(name)), path.dirname(link), { recursive: true });
  const changed = path.join(link, file);
  writeFileSync(changed, change(readFileSync(changed, 'utf8')));
}

test.each<[string, () => void, readonly string[]]>([
  [
    'a dependency of the repository',
    () =>
      copy.edit('package-lock.json', (text) =>
        text.replace('"packages": {', '"packages": { "node_modules/left-pad": { "version": "1.3.0" },'),
      ),
    [],
  ],
  [
    'a component that one remote uses',
    () =>
      copy.edit('packages/ui/src/tooltip.tsx', (text) => text.replace('delayDuration={700}', 'delayDuration={701}')),
    ['mf-offers'],
  ],
  [
    'a package that one remote contains',
    () => editInstalled('@radix-ui/react-tooltip', 'dist/index.mjs', (text) => `${text}\nglobalThis.changed = 2;\n`),
    ['mf-offers'],
  ],
])('a change of %s gives exactly the remotes that contain it a new version', async (_what, change, affected) => {
  change();
  const after = await versions();
  expect(remotes.filter((remote) => after[remote] !== before[remote])).toEqual(affected);
  before = after;
});
