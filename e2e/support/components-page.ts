import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { componentsPageFileName } from '@daybook/contract/server';
import { runQuietly } from '@daybook/runner/processes';
import { buildCommand, root } from '@daybook/runner/workspaces';
import { expect, type Page } from '@playwright/test';

let built: Promise<string> | undefined;

/** Makes a development build of the shell, beside its build for production; once in each worker. */
async function buildComponents(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-components-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const command = buildCommand('shell', '--mode', 'development', '--output-path', folder);
  const environment = { NODE_ENV: 'development' };
  const { code, output } = await runQuietly(command, { folder: path.join(root, 'shell'), environment });
  expect(code, output).toBe(0);
  return folder;
}

/** Serves the page of all components at `/_components`, which a site of production builds does not have. */
export async function serveComponents(page: Page): Promise<void> {
  built ??= buildComponents();
  const folder = await built;
  const contentType = 'text/html';
  await page.route('**/_components', (route) =>
    route.fulfill({ contentType, body: readFileSync(path.join(folder, componentsPageFileName)) }),
  );
  await page.route('**/assets/*', (route) => {
    const file = path.join(folder, path.basename(new URL(route.request().url()).pathname));
    return existsSync(file) ? route.fulfill({ path: file }) : route.fallback();
  });
}
