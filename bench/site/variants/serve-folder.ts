import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { precompress } from '@daybook/build/precompress';
import { findFreePort } from '@daybook/testing/ports';
import { hasEnded, startServer, stopChild } from '@daybook/testing/processes';
import type { FixedAnswer } from '../nginx.ts';
import { answersFileName, type WrittenAnswer } from './bare-server.ts';
import { type StaticSite, staticSiteFileName } from './static-server.ts';

/** A server that does not answer after this many ms will not. */
const startLimit = 30_000;

/** Writes a file, and its compressed siblings where compression pays. */
export async function writeCompressed(file: string, content: Buffer): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  for (const [extension, compressed] of await precompress(file, content)) writeFileSync(file + extension, compressed);
}

/** Compresses all files of a build. */
export async function compressFolder(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name);
    await writeCompressed(file, readFileSync(file));
  }
}

/** What is of one connection or one content, and what leads to scripts. */
const notCopied =
  /^(?:cache-control|connection|content-(?:encoding|length|type)|date|etag|keep-alive|link|set-cookie|transfer-encoding|vary|x-request-id)$/;

/** The headers that a site sends with each page alike. */
export async function pageHeaders(address: string): Promise<Record<string, string>> {
  const answer = await fetch(address);
  await answer.arrayBuffer();
  return Object.fromEntries([...answer.headers].filter(([name]) => !notCopied.test(name)));
}

/**
 * Serves a folder by a static server of its own.
 *
 * @param started it is put here, to be stopped in the end
 * @returns its address and process, once it answers
 */
export function serveFolder(started: AsyncDisposableStack, folder: string, site: StaticSite, port?: number) {
  writeFileSync(path.join(folder, staticSiteFileName), JSON.stringify(site));
  return startVariant(started, 'static-server.ts', folder, port);
}

/** Gives answers from memory by node:http alone; as `serveFolder`. */
export function serveAnswers(started: AsyncDisposableStack, folder: string, answers: readonly FixedAnswer[]) {
  mkdirSync(folder, { recursive: true });
  const written = answers.map((answer): WrittenAnswer => ({ ...answer, body: answer.body.toString('base64') }));
  writeFileSync(path.join(folder, answersFileName), JSON.stringify(written));
  return startVariant(started, 'bare-server.ts', folder);
}

/** @param script the server's own, in this folder */
async function startVariant(started: AsyncDisposableStack, script: string, folder: string, port?: number) {
  const chosen = port ?? (await findFreePort());
  const child = startServer([path.join(import.meta.dirname, script), folder], { PORT: String(chosen) });
  started.defer(() => stopChild(child));
  const address = `http://localhost:${chosen}`;
  const end = Date.now() + startLimit;
  while (!(await fetch(address).catch(() => undefined))) {
    if (hasEnded(child) || Date.now() > end) throw new Error(`The server of ${folder} did not start.`);
    await delay(25);
  }
  return { address, pid: child.pid ?? 0 };
}
