import { existsSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '../command-line/errors.ts';

/** The reason of a failed file operation in a word, such as ENOSPC. */
const reasonOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? (error as Error).message;

/**
 * Writes a file that holds personal data: beside its place, for its owner alone, and put there once it is whole. What
 * fails or is stopped leaves no file, and an older one as it was.
 *
 * @param write gets the name of an empty file to write to
 * @param force whether it may replace a file that is there
 * @throws OperatorError where there is such a file, or none can be made
 */
export async function writeAside(
  file: string,
  force: boolean,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  if (!force && existsSync(file))
    throw new OperatorError(`There is a file ${file} already. Write --force to replace it, or name another one.`);
  const unfinished = `${file}.${process.pid}.unfinished`;
  const created = await open(unfinished, 'wx', 0o600).catch((error) => {
    throw new OperatorError(`In ${dirname(file)} no file can be written (${reasonOf(error)}).`);
  });
  await created.close();
  try {
    await write(unfinished);
    await synced(unfinished);
    await rename(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (error instanceof Error && 'syscall' in error)
      throw new OperatorError(`${file} could not be written (${reasonOf(error)}).`);
    throw error;
  }
}

async function synced(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync();
  await handle.close();
}
