import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server/command-line';
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

/** Returns the executables of these names on the PATH, in order. */
const findPrograms = (names: readonly string[]) =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .filter(isExecutable);

const installsDebianPackages = () => process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** Installs packages of Debian; a no-op for those that are installed. */
function installDebianPackages(names: readonly string[]): void {
  const options = {
    stdio: ['ignore' as const, 'ignore' as const, 'inherit' as const],
    timeout: installTimeout,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], options);
}

/** Installs Debian's package if possible, since it includes the libraries; otherwise Playwright's download. */
function installBrowser(): void {
  if (installsDebianPackages()) {
    installDebianPackages(['chromium']);
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
  const find = () => [chromium.executablePath(), ...findPrograms(systemNames), ...systemPaths].find(isExecutable);
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

/** Finds the Firefox of this machine; returns the path of its executable. */
export const findFirefox = (): string | undefined =>
  [...findPrograms(['firefox-esr', 'firefox']), '/Applications/Firefox.app/Contents/MacOS/firefox'].find(isExecutable);

/** Paths of the programs that run WebKitGTK. */
export interface WebKit {
  /** Serves W3C WebDriver. */
  readonly driver: string;
  readonly browser: string;
  /** The X server with a screen in memory; WebKitGTK has no headless mode. */
  readonly display: string;
}

/** Finds the WebKitGTK of this machine, which is complete or `undefined`. */
export function findWebKit(): WebKit | undefined {
  const [[driver], [display]] = [findPrograms(['WebKitWebDriver']), findPrograms(['Xvfb'])];
  const [browser] = globSync('/usr/{lib,libexec}/{,*/}webkit2gtk-4.1/MiniBrowser');
  return driver && browser && display ? { driver, browser, display } : undefined;
}

/** Engines in addition to Chromium, with the packages of Debian that contain them. */
const otherEngines = [
  { name: 'Firefox', find: findFirefox, packages: ['firefox-esr'] },
  { name: 'WebKit', find: findWebKit, packages: ['webkit2gtk-driver', 'libwebkit2gtk-4.1-0', 'xvfb'] },
];

/** Installs Firefox and WebKit where Debian's packages can be installed; logs which engine is still missing. */
export function installOtherEngines(log: (line: string) => void): void {
  for (const { name, find, packages } of otherEngines) {
    if (find()) continue;
    if (installsDebianPackages()) {
      log(`Installing ${name} …`);
      try {
        installDebianPackages(packages);
      } catch (error) {
        log((error as Error).message);
      }
    }
    if (!find()) log(`${name} is not installed: skipping its tests. Debian’s packages: ${packages.join(' ')}.`);
  }
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
