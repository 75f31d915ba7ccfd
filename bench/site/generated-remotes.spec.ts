import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { releaseSchema } from '@daybook/contract';
import { expect, test } from '@jest/globals';
import { writeNumbered } from './generated-remotes.ts';

const integrityOf = (content: Buffer) => `sha384-${createHash('sha384').update(content).digest('base64')}`;

test('a numbered remote is a whole release under a name of its own, as heavy as the first', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-growth-'));
  try {
    const built = path.join(folder, 'built');
    mkdirSync(built);
    const script = `mf-growth-000 ${'x'.repeat(2_000)} Growth 000`;
    writeFileSync(path.join(built, 'remoteEntry.0a0a0a0a.js'), script);
    const description = { integrity: integrityOf(Buffer.from(script)), size: script.length };
    const route = { path: '/growth-000', title: 'Growth 000', description: 'A page.', frame: 'site', files: [] };
    const release = {
      name: 'mf-growth-000',
      version: '1.0.0-0a0a0a0a',
      contract: 1,
      entry: 'remoteEntry.0a0a0a0a.js',
      routes: [{ ...route, whatIsNew: 'kept' }],
      files: { 'remoteEntry.0a0a0a0a.js': description, 'remoteEntry.0a0a0a0a.js.br': description },
    };
    writeFileSync(path.join(built, 'release.json'), JSON.stringify(release));

    const place = path.join(folder, 'numbered');
    await writeNumbered(built, place, '007');

    const written = JSON.parse(readFileSync(path.join(place, 'release.json'), 'utf8'));
    expect(written).toMatchObject({
      name: 'mf-growth-007',
      routes: [{ path: '/growth-007', title: 'Growth 007', whatIsNew: 'kept' }],
    });
    const { files, entry } = releaseSchema.parse(written);
    expect(Object.keys(files).sort()).toEqual(['', '.br', '.gz'].map((extension) => entry + extension));
    for (const [file, { integrity, size }] of Object.entries(files)) {
      const content = readFileSync(path.join(place, file));
      expect([integrity, size]).toEqual([integrityOf(content), content.length]);
    }
    const content = readFileSync(path.join(place, entry));
    expect(content.toString()).toBe(script.replaceAll('000', '007'));
    expect(brotliDecompressSync(readFileSync(path.join(place, `${entry}.br`)))).toEqual(content);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
