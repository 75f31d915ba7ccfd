import { existsSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { operatorNamePattern } from '@daybook/server';
import * as z from 'zod';

const signInSchema = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  operator: z.string().regex(operatorNamePattern),
  action: z.enum(['sign-in', 'sign-out']),
  network: z.string().regex(/^[\da-f.:/]*$/),
});

/** A sign-in or sign-out at `/_releases`. */
export type SignIn = z.infer<typeof signInSchema>;

const fileIn = (releasesFolder: string) => path.join(releasesFolder, 'sign-ins.jsonl');

/**
 * Records a sign-in in a file beside the release log. In the server's own log, others can push it out with requests; only
 * operators make this file grow, by a line each.
 */
export const recordSignIn = (releasesFolder: string, signIn: Omit<SignIn, 'at'>): Promise<void> =>
  appendFile(fileIn(releasesFolder), `${JSON.stringify({ at: new Date().toISOString(), ...signIn })}\n`, {
    mode: 0o600,
  });

/** Returns the recorded ones, the oldest first. Skips lines that were not written completely. */
export function readSignIns(releasesFolder: string): readonly SignIn[] {
  const file = fileIn(releasesFolder);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [signInSchema.parse(JSON.parse(line))];
      } catch {
        return [];
      }
    });
}
