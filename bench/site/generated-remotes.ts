import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { integrityOf } from '@daybook/build/integrity';
import { precompress } from '@daybook/build/precompress';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract';
import { runQuietly } from '@daybook/testing/processes';
import { remotes, root } from '@daybook/testing/workspaces';

/** The number that stands for a remote's own in all that was built of the first one. */
const mark = '000';
const nameOf = (number: string) => `mf-growth-${number}`;

const sources = {
  'package.json': JSON.stringify({
    name: nameOf(mark),
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: { '@daybook/contract': '1.0.0', '@daybook/platform': '1.0.0', '@daybook/ui': '1.0.0' },
    devDependencies: { '@daybook/build': '1.0.0' },
  }),
  'src/remote.ts': `import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  name: '${nameOf(mark)}',
  routes: [
    {
      path: '/growth-${mark}',
      title: 'Growth ${mark}',
      description: 'One of many pages, each of a team of its own, as small as a page can be.',
      frame: 'site',
      page: () => import('./pages/growth-page.tsx'),
    },
  ],
});
`,
  'src/pages/growth-page.tsx': `import { Container, PageHeading } from '@daybook/ui';

export default function GrowthPage() {
  return (
    <Container>
      <PageHeading>Growth ${mark}</PageHeading>
      <p>This is a small page.</p>
    </Container>
  );
}
`,
};

/** Builds the smallest remote there can be, in a copy of the repository that has nothing but it and the packages. */
async function buildFirst(parent: string): Promise<string> {
  const project = mkdtempSync(path.join(parent, 'growth-'));
  for (const part of ['package.json', 'package-lock.json', 'tsconfig.base.json', 'packages'])
    cpSync(path.join(root, part), path.join(project, part), {
      recursive: true,
      filter: (name) => !name.includes('node_modules'),
    });
  symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
  const folder = path.join(project, nameOf(mark));
  for (const [file, text] of Object.entries(sources)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  cpSync(path.join(root, remotes[0] ?? '', 'rspack.config.ts'), path.join(folder, 'rspack.config.ts'));
  const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');
  const { code, output } = await runQuietly([rspack, 'build'], { folder });
  if (code !== 0) throw new Error(`${output}\nThe generated remote could not be built; see above.`);
  return path.join(folder, 'dist');
}

const isCompressed = (file: string) => /\.(?:br|gz)$/.test(file);
const isText = (file: string) => /\.(?:js|css|html|json|txt|svg)$/.test(file);

/**
 * Makes another remote of a built one, as a build under another number would have made it: all numbers are equally
 * long, so it weighs the same.
 *
 * @param number three digits
 */
export async function writeNumbered(built: string, folder: string, number: string): Promise<void> {
  const numbered = (text: string) =>
    text.replaceAll(`growth-${mark}`, `growth-${number}`).replaceAll(`Growth ${mark}`, `Growth ${number}`);
  const release: Release = releaseSchema.parse(JSON.parse(readFileSync(path.join(built, releaseFileName), 'utf8')));
  const files: Record<string, { integrity: string; size: number }> = {};
  const write = (file: string, content: Buffer) => {
    const place = path.join(folder, numbered(file));
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, content);
    files[numbered(file)] = { integrity: integrityOf(content), size: content.length };
  };
  for (const file of Object.keys(release.files).filter((name) => !isCompressed(name))) {
    const before = readFileSync(path.join(built, file));
    const content = isText(file) ? Buffer.from(numbered(before.toString())) : before;
    write(file, content);
    for (const [extension, compressed] of await precompress(file, content)) write(file + extension, compressed);
  }
  // What is not described above, such as which file belongs to which route, is as it was built.
  const described = JSON.parse(numbered(readFileSync(path.join(built, releaseFileName), 'utf8'))) as object;
  writeFileSync(path.join(folder, releaseFileName), JSON.stringify({ ...described, files }));
}

/**
 * Makes small remotes, as releases in folders.
 *
 * @returns their origins, as `REMOTES` has them
 */
export async function generateRemotes(parent: string, count: number): Promise<readonly string[]> {
  const built = await buildFirst(parent);
  const origins: string[] = [];
  for (let index = 1; index <= count; index++) {
    const number = String(index).padStart(mark.length, '0');
    const folder = path.join(parent, 'origins', nameOf(number));
    await writeNumbered(built, folder, number);
    origins.push(`${nameOf(number)}=file:${folder}`);
  }
  rmSync(path.dirname(path.dirname(built)), { recursive: true });
  return origins;
}
