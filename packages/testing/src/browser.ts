import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server/command-line';
import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { root } from './workspaces.ts';

/** In order: Debian's headless shell opens a page in less than half the time of the whole browser. */
const systemNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const macPaths = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the executables of these names on the PATH, in order. */
const findPrograms = (...names: readonly string[]) =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .filter(isExecutable);

const installsDebianPackages = () => process.getuid?.() === 0 && existsSync('/etc/debian_version');

function installDebianPackages(names: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: ['ignore' as const, 'ignore' as const, 'inherit' as const], env };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], options);
}

/** Installs Debian's package if possible, since it includes the libraries; otherwise Playwright's download. */
function installBrowser(): void {
  console.log('No browser found: installing Chromium …');
  const playwright = path.join(root, 'node_modules/playwright/cli.js');
  try {
    if (installsDebianPackages()) installDebianPackages(['chromium-headless-shell']);
    else execFileSync(process.execPath, [playwright, 'install', 'chromium'], { stdio: 'inherit' });
  } catch (error) {
    console.error((error as Error).message);
  }
}

/** Returns the path of a Chromium or Chrome to test with; installs one if there is none. @throws CommandError */
export function findBrowser(): string {
  if (process.env.BROWSER_PATH) return process.env.BROWSER_PATH;
  const find = () => [chromium.executablePath(), ...findPrograms(...systemNames), ...macPaths].find(isExecutable);
  if (!find()) installBrowser();
  const found = find();
  if (found) return found;
  throw new CommandError('No browser to test with. Install Chromium or Chrome, or set BROWSER_PATH to one.');
}

/** Returns the path of this machine's Firefox. */
export const findFirefox = (): string | undefined =>
  [...findPrograms('firefox-esr', 'firefox'), '/Applications/Firefox.app/Contents/MacOS/firefox'].find(isExecutable);

export type WebKit = NonNullable<ReturnType<typeof findWebKit>>;

/** Finds the programs that run WebKitGTK, which has no headless mode and needs the X server in memory. */
export function findWebKit() {
  const [[driver], [display]] = [findPrograms('WebKitWebDriver'), findPrograms('Xvfb')];
  const [browser] = globSync('/usr/{lib,libexec}/{,*/}webkit2gtk-4.1/MiniBrowser');
  return driver && browser && display ? { driver, browser, display } : undefined;
}

/** Engines in addition to Chromium, with the packages of Debian that contain them. */
const otherEngines = [
  { name: 'Firefox', find: findFirefox, packages: ['firefox-esr'] },
  { name: 'WebKit', find: findWebKit, packages: ['webkit2gtk-driver', 'libwebkit2gtk-4.1-0', 'xvfb'] },
];

/** Installs Firefox and WebKit where Debian's packages can be installed; names those that are missing. */
export function installOtherEngines(): void {
  for (const { name, find, packages } of otherEngines) {
    if (find()) continue;
    try {
      if (installsDebianPackages()) installDebianPackages(packages);
    } catch (error) {
      console.error((error as Error).message);
    }
    if (!find()) console.log(`${name} is not installed: skipping its tests. Debian’s packages: ${packages.join(' ')}.`);
  }
}

/** Starts a headless browser; `started` closes it when it is disposed. */
export async function launchBrowser(started: AsyncDisposableStack, options: LaunchOptions = {}): Promise<Browser> {
  // Otherwise Playwright would exit the process on Ctrl-C, before the command has stopped the rest.
  const noHandlers = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ executablePath: findBrowser(), ...noHandlers, ...options });
  started.defer(() => browser.close());
  return browser;
}
