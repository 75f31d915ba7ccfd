import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server';
import { type Stack, writeSettings } from '@daybook/testing/compose';

/** What differs in the next version of a part: one text in one file. */
interface Change {
  /** From the part's folder. */
  readonly file: string;
  readonly text: string;
  readonly next: string;
}

/**
 * Builds another version of a part, as its team would.
 *
 * @param settings of the stack, its VERSION among them; they are written again by whoever needs them afterwards
 * @returns the tag of the image
 * @throws CommandError where the file does not have the text
 */
export async function buildNext(
  stack: Stack,
  settings: Readonly<Record<string, string>>,
  part: string,
  { file, text, next }: Change,
): Promise<string> {
  const place = path.join(stack.folder, part, file);
  const source = readFileSync(place, 'utf8');
  if (!source.includes(text)) throw new CommandError(`${place} has no “${text}” any more.`);
  writeFileSync(place, source.replace(text, next));
  const version = `${settings.VERSION}-next`;
  writeSettings(stack.folder, { ...settings, VERSION: version });
  await stack.compose('build', part);
  return version;
}
