import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { versionOf } from '../../test/release-folder.ts';
import { makeTemporaryFolder } from '../../test/temporary-folder.ts';
import { logFileName, ReleaseLog } from './release-log.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = makeTemporaryFolder();
  file = path.join(folder, logFileName);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = '2026-11-21T00:00:00.000Z';
const activation = (number: number, changes: object = {}) => ({
  at,
  remote: 'mf-legal',
  revision: number,
  action: 'activate',
  from: null,
  to: versionOf(number),
  why: 'a test',
  by: 'test',
  ...changes,
});

/** Invalid lines: broken bytes, other JSON, and changes with one wrong property. */
const hostileLine = fc
  .oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .record(
        {
          remote: fc.string(),
          revision: fc.jsonValue().filter((value) => !Number.isInteger(value)),
          to: fc.string(),
          action: fc.string(),
        },
        { requiredKeys: [] },
      )
      .filter((changes) => Object.keys(changes).length > 0)
      .map((changes) => Buffer.from(JSON.stringify(activation(0, changes)))),
    fc.constantFrom('[', '{"remote":').map((text) => Buffer.from(text.repeat(5_000))),
    fc.constant(Buffer.from(' (torn)')),
  )
  .map((bytes) => bytes.filter((byte) => byte !== 10));

test('applies each change, and no invalid line between changes', () => {
  fc.assert(
    fc.property(fc.array(fc.array(hostileLine, { maxLength: 3 }), { minLength: 1, maxLength: 6 }), (groups) => {
      const lines = groups.flatMap((group, index) => [...group, Buffer.from(JSON.stringify(activation(index + 1)))]);
      writeFileSync(file, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])));
      const log = new ReleaseLog(folder);
      expect(log.changes().map(({ to }) => to)).toEqual(groups.map((_, index) => versionOf(index + 1)));
      for (const problem of log.problems()) expect(problem).toMatch(/^Line \d+ of the release log[^\n]{0,300}\.$/);
    }),
  );
});

test('gives the same result when it is read in pieces and as a whole', () => {
  const why = fc.string({ unit: 'binary', maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(why, { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.integer({ min: 10, max: 500 })),
      (reasons, sizes) => {
        const bytes = Buffer.from(
          reasons.map((each, index) => `${JSON.stringify(activation(index + 1, { why: each }))}\n`).join(''),
        );
        writeFileSync(file, '');
        const reader = new ReleaseLog(folder);
        for (let start = 0; start < bytes.length; ) {
          const end = start + Number(sizes.next().value);
          appendFileSync(file, bytes.subarray(start, end));
          reader.refresh();
          start = end;
        }
        expect(reader.changes()).toEqual(new ReleaseLog(folder).changes());
        expect(reader.changes().map((change) => change.why)).toEqual(reasons);
        expect(reader.problems()).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
});
