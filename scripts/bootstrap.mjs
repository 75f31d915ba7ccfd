// The first step of every command. It depends on nothing, since nothing may be installed yet: it installs
// with whatever Node there is, and runs the command on the Node that the project pins.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { takeInstallLock } from './install-lock.mjs';

const root = path.dirname(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname));
const modules = path.join(root, 'node_modules');
const pinnedNode = path.join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const installLock = path.join(root, '.data', 'install.lock');
const oldestNode = [20, 19];

/** Whether this process was asked to stop. */
let stopped = false;

/** Runs a program with this process's terminal; passes signals on to it, and gives its exit code. */
function run(program, parameters, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { cwd: root, stdio: 'inherit', ...options });
    const forward = (signal) => {
      stopped = true;
      child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const each of signals) process.off(each, forward);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** What npm wrote down of its last installation here; nothing while one is under way. */
function readInstalled() {
  try {
    return readPackages(path.join(modules, '.package-lock.json'));
  } catch {
    return undefined;
  }
}

/** Whether what npm last installed here, by whichever command, is what package-lock.json asks for. */
function isInstalled() {
  const installed = readInstalled();
  if (!existsSync(pinnedNode) || !installed) return false;
  return Object.entries(readPackages(path.join(root, 'package-lock.json'))).every(([place, wanted]) => {
    if (!place.includes('node_modules/')) return true;
    const found = installed[place];
    // Packages for other platforms are left out.
    return found ? wanted.link || found.version === wanted.version : wanted.optional || wanted.devOptional;
  });
}

async function install() {
  const started = Date.now();
  console.log('Installing dependencies from package-lock.json; about a minute on a fresh clone …');
  const ticker = setInterval(() => console.log(`  … ${Math.round((Date.now() - started) / 1000)} s`), 15_000);
  const npm = process.env.npm_execpath;
  const parameters = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm 11 and 12 ask about install scripts; package.json says which of them may run.
  const code = npm
    ? await run(process.execPath, [npm, ...parameters])
    : await run('npm', parameters, { shell: process.platform === 'win32' });
  clearInterval(ticker);
  if (stopped) {
    console.error('\nThe installation was stopped; the next start begins it anew.');
    process.exit(130);
  }
  if (code !== 0) {
    console.error('\nThe dependencies could not be installed; npm says why above. Is the npm registry reachable?');
    process.exit(code);
  }
  if (!existsSync(pinnedNode)) {
    console.error(
      `\nThe pinned Node is missing at ${path.relative(root, pinnedNode)}: were install scripts turned off? Run: npm ci --ignore-scripts=false`,
    );
    process.exit(1);
  }
  console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** Installs what is not installed; of several commands that find so at once, one does, and the others wait for it. */
async function installOnce() {
  if (isInstalled()) return;
  const giveBack = await takeInstallLock(installLock, (pid) =>
    console.log(
      `Another command, process ${pid}, is installing the dependencies; waiting for it … If there is none, remove ${path.relative(root, installLock)}.`,
    ),
  );
  if (!isInstalled()) await install();
  giveBack();
}

async function main() {
  const [command = '', ...parameters] = process.argv.slice(2);
  const script = path.join(root, 'scripts', 'commands', `${command}.ts`);
  if (!/^[a-z]+(-[a-z]+)*$/.test(command) || !existsSync(script)) {
    console.error(`There is no command “${command}”. See README.md for those there are.`);
    process.exit(2);
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    console.error(
      `Node ${process.versions.node} is too old to install with; ${oldestNode.join('.')} or newer is needed. The project then runs on its own pinned Node.`,
    );
    process.exit(1);
  }
  await installOnce();

  if (realpathSync(process.execPath) === realpathSync(pinnedNode)) {
    process.argv.splice(1, 2, script);
    await import(pathToFileURL(script).href);
  } else {
    const searchPath = [path.join(modules, '.bin'), process.env.PATH].join(path.delimiter);
    process.exitCode = await run(pinnedNode, [script, ...parameters], { env: { ...process.env, PATH: searchPath } });
  }
}

await main();
