import { spawnSync } from 'node:child_process';
import path from 'node:path';

const module = path.join(import.meta.dirname, '../releases/store/durable-files.ts');

/** A name of a folder aside that a process of this host has made, which has ended by now. */
export function nameOfEndedProcess(): string {
  const program = `import { createAsideName } from ${JSON.stringify(module)}; process.stdout.write(createAsideName());`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }).stdout;
}
