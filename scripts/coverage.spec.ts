import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from './workspaces.ts';

const table = readFileSync(path.join(root, 'docs/coverage.md'), 'utf8');
const named = [...table.matchAll(/`([^`]+\.spec\.tsx?)(?: › ([^`]+))?`/g)];

test.each(named.map(([, file = '', title]) => ({ file, title })))(
  'docs/coverage.md names a test that exists: $file › $title',
  ({ file, title }) => {
    expect(existsSync(path.join(root, file))).toBe(true);
    if (title) expect(readFileSync(path.join(root, file), 'utf8')).toContain(title);
  },
);
