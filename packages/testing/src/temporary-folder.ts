import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const inMemory = '/dev/shm';

/** Creates a folder for a test; in memory if possible, since files are synced one by one. */
export const makeTemporaryFolder = (): string =>
  mkdtempSync(path.join(existsSync(inMemory) ? inMemory : tmpdir(), 'daybook-test-'));
