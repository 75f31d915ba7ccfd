import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import { root } from './workspaces.ts';

const systemNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const systemPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Longest time, in ms, that installing a browser may take. */
const installLimit = 600_000;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const systemBrowser = (): string | undefined =>
  [
    ...(process.env.PATH ?? '')
      .split(path.delimiter)
      .flatMap((folder) => systemNames.map((name) => path.join(folder, name))),
    ...systemPaths,
  ].find(isExecutable);

const isDebianAsRoot = () =>
  process.getuid?.() === 0 &&
  existsSync('/etc/os-release') &&
  /\b(?:ID|ID_LIKE)=.*debian/.test(readFileSync('/etc/os-release', 'utf8'));

function installDebianChromium(): void {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const parameters of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    execFileSync('apt-get', parameters, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: environment,
      timeout: installLimit,
    });
  }
}

function downloadWithPlaywright(): boolean {
  const command = [path.join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium'];
  return spawnSync(process.execPath, command, { stdio: 'inherit', timeout: installLimit }).status === 0;
}

/**
 * Finds a Chromium or Chrome to test with: the one that `BROWSER_PATH` names, Playwright's own, the system's;
 * else installs one.
 *
 * @param report gets a line where something has to be installed
 * @returns the path of its executable
 * @throws Error saying what to do where there is none and none can be installed
 */
export function findBrowser(report: (line: string) => void): string {
  const named = process.env.BROWSER_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`BROWSER_PATH is “${named}”, which is not an executable file.`);
  }
  const ownPath = chromium.executablePath();
  const found = [ownPath, systemBrowser()].find((file) => file !== undefined && isExecutable(file));
  if (found) return found;
  if (isDebianAsRoot()) {
    report('No browser found: installing the Debian package chromium …');
    installDebianChromium();
  } else {
    report('No browser found: downloading Playwright’s Chromium …');
    downloadWithPlaywright();
  }
  const installed = [systemBrowser(), ownPath].find((file) => file !== undefined && isExecutable(file));
  if (installed) return installed;
  throw new Error('No browser to test with. Install Chromium or Chrome, or set BROWSER_PATH to the path of one.');
}
