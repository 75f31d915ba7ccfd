import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server';
import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { root } from './workspaces.ts';

const systemNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const systemPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Timeout for installing a browser, in ms. */
const installTimeout = 600_000;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const systemBrowsers = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => systemNames.map((name) => path.join(folder, name)))
    .concat(systemPaths);

/** Installs Debian's package if possible, since it includes the libraries; otherwise Playwright's download. */
function installBrowser(): void {
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const options = {
      stdio: [...stdio],
      timeout: installTimeout,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  } else {
    const playwright = path.join(root, 'node_modules/playwright/cli.js');
    execFileSync(process.execPath, [playwright, 'install', 'chromium'], { stdio: 'inherit', timeout: installTimeout });
  }
}

/**
 * Finds a Chromium or Chrome to test with: that of `BROWSER_PATH`, Playwright's, the system's; installs one if there
 * is none.
 *
 * @returns the path of its executable
 * @throws CommandError with instructions if there is none and none can be installed
 */
export function findBrowser(): string {
  const named = process.env.BROWSER_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new CommandError(`BROWSER_PATH is “${named}”, which is not an executable file.`);
  }
  const find = () => [chromium.executablePath(), ...systemBrowsers()].find(isExecutable);
  const found = find();
  if (found) return found;
  console.log('No browser found: installing Chromium …');
  try {
    installBrowser();
  } catch (error) {
    console.error((error as Error).message);
  }
  const installed = find();
  if (installed) return installed;
  throw new CommandError(
    'No browser to test with. Install Chromium or Chrome, or set BROWSER_PATH to the path of one.',
  );
}

/**
 * Starts a headless browser.
 *
 * @param started closes the browser when it is disposed
 * @throws CommandError if there is no browser
 */
export async function launchBrowser(started: AsyncDisposableStack, options: LaunchOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    // Otherwise Playwright would exit the process on Ctrl-C, before the command has stopped the rest.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ...options,
  });
  started.defer(() => browser.close());
  return browser;
}
