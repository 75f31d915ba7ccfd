// Installs the packages of package-lock.json if they are missing or outdated. Runs on any Node version and imports no
// package; npm's scripts then run their command on the pinned Node.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const readPackages = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

// The bundler, Node, PATH and PostgreSQL have no way to write these in a path.
const [unusable] = /[!#?|*:"`$\n]|\/node_modules\//.exec(root) ?? [];
if (unusable) {
  console.error(`This project cannot run in ${JSON.stringify(root)}: move it to a path without ${unusable}`);
  process.exit(1);
}

const wanted = Object.entries(readPackages('package-lock.json')).filter(([place]) => /node_modules\//.test(place));
// npm writes this file at the end of an installation.
const record = 'node_modules/.package-lock.json';
const installed = existsSync(join(root, record)) ? readPackages(record) : {};
const isInstalled = ([place, { version, link, optional, devOptional }]) =>
  link || (installed[place] ? installed[place].version === version : optional || devOptional);

/** npm's settings that say where packages come from; any other of the caller could change what is installed. */
const ofSource =
  /^npm_config_(?:userconfig|globalconfig|cache|.*registry|\/\/.+|ca|cafile|cert|key|strict.ssl|.*proxy|offline|prefer.o\w+)$/i;
const isForNpm = ([name]) => (/^npm_/i.test(name) ? ofSource.test(name) : !/^NODE_(?:ENV|OPTIONS|PATH)$/.test(name));

if (!existsSync(join(root, 'node_modules/.bin/node')) || !wanted.every(isInstalled)) {
  console.log('Installing packages; a minute on a fresh clone …');
  const env = Object.fromEntries(Object.entries(process.env).filter(isForNpm));
  const flags = ['--include=dev', '--include=optional', '--ignore-scripts=false', '--engine-strict=false'];
  const others = ['--legacy-peer-deps=false', '--no-audit', '--no-fund', '--loglevel=error'];
  const install = (...more) => {
    const npm = spawn('npm', ['ci', ...flags, ...others, ...more], { cwd: root, stdio: 'inherit', env });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopped.push(npm.kill(signal)));
    return new Promise((end) => npm.on('error', () => end(127)).on('close', (code) => end(code ?? 1)));
  };
  const stopped = [];
  setInterval(() => console.log(`  still installing after ${Math.round(process.uptime())} s`), 10_000).unref();
  // Does not ask for each package whether it is new; but npm's cache may lack a version that is.
  let code = await install('--prefer-offline');
  if (code !== 0 && stopped.length === 0) code = await install();
  if (code !== 0) console.error('\nThe packages could not be installed; see above. Is the npm registry reachable?');
  if (code !== 0) process.exit(code);
}
// Without npm, which removes all packages first: a site may be running on them.
for (const [place, { link, resolved }] of wanted)
  if (link && !existsSync(join(root, place))) symlinkSync(relative(dirname(place), resolved), join(root, place));
