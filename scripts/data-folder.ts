import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './workspaces.ts';

/** Where `npm start` keeps what shall outlive it. */
export const dataFolder = path.join(root, '.data');

/** The secret that signs cookies: from the environment, or one made at the first start and kept. */
export function cookieSecret(): string {
  if (process.env.COOKIE_SECRET) return process.env.COOKIE_SECRET;
  const file = path.join(dataFolder, 'cookie-secret');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const secret = randomBytes(32).toString('hex');
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
