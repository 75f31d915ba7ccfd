import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeTemporaryFolder } from '../../test/temporary-folder.ts';
import { checkNotOlder, newestSignature, rememberSignature, type SeenSignature } from './seen-signatures.ts';

const remote = 'mf-legal';
let folder: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const signatureAt = (signedAt: number, version = `1.0.${signedAt}-00000001`): SeenSignature => ({
  version,
  key: 'K'.repeat(43),
  signedAt,
  expiresAt: signedAt + 1_000,
  integrity: `of ${version}`,
});
const remember = (signature: SeenSignature) => rememberSignature(folder, remote, signature);
const files = () => readdirSync(path.join(folder, remote));

describe('the newest signature of a remote', () => {
  test('is none in an empty folder, and of its own remote only', () => {
    expect(newestSignature(folder, remote)).toBeUndefined();
    rememberSignature(folder, 'mf-privacy', signatureAt(9_000));
    expect(newestSignature(folder, remote)).toBeUndefined();
    expect(() => checkNotOlder(folder, remote, signatureAt(1_000))).not.toThrow();
  });

  test('replaces older ones', () => {
    remember(signatureAt(1_000));
    remember(signatureAt(10_000));
    expect(newestSignature(folder, remote)).toEqual(signatureAt(10_000));
    expect(files()).toEqual(['signature-10000.json']);
  });

  test('may be seen again, but no older one, and no other one of the same second', () => {
    remember(signatureAt(2_000));
    remember(signatureAt(2_000));
    expect(() => remember(signatureAt(1_000))).toThrow(
      'its signature of 1970-01-01T00:00:01.000Z is older than that of 1.0.2000-00000001 of 1970-01-01T00:00:02.000Z, which was seen before; release it again, or roll back as an operator',
    );
    expect(() => remember(signatureAt(2_000, '1.0.9-00000009'))).toThrow(
      'its signature is of the same second as that of 1.0.2000-00000001; release it again',
    );
    expect(newestSignature(folder, remote)).toEqual(signatureAt(2_000));
  });

  test('counts by its time even if its file is damaged, until a newer one replaces it', () => {
    remember(signatureAt(2_000));
    writeFileSync(path.join(folder, remote, 'signature-2000.json'), '');
    expect(() => remember(signatureAt(1_000))).toThrow(/is older than/);
    remember(signatureAt(3_000));
    expect(newestSignature(folder, remote)).toEqual(signatureAt(3_000));
  });

  test('is found beside releases and files of a crash', () => {
    mkdirSync(path.join(folder, remote, '1.0.0-00000001'), { recursive: true });
    for (const file of ['origin.json', 'signature-99.json.x.tmp', 'signature-.json', 'signature-x.json'])
      writeFileSync(path.join(folder, remote, file), '');
    expect(newestSignature(folder, remote)).toBeUndefined();
  });

  test('is the newest of all servers on the folder, whichever writes and cleans up last', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (seconds) => {
        rmSync(path.join(folder, remote), { recursive: true, force: true });
        mkdirSync(path.join(folder, remote), { recursive: true });
        // Each server has checked before the others wrote.
        for (const second of seconds)
          writeFileSync(
            path.join(folder, remote, `signature-${second * 1_000}.json`),
            JSON.stringify(signatureAt(second * 1_000)),
          );
        const newest = Math.max(...seconds) * 1_000;
        remember(signatureAt(newest));
        expect(newestSignature(folder, remote)?.signedAt).toBe(newest);
        remember(signatureAt(newest + 1));
        expect(files()).toEqual([`signature-${newest + 1}.json`]);
      }),
      { numRuns: 30 },
    );
  });
});
