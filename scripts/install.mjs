// Installs the dependencies of package-lock.json if they are missing or outdated. Runs on any Node version and imports
// no package; npm's scripts then run their command on the pinned Node.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const folder = fileURLToPath(root);
const pinnedNode = new URL('node_modules/.bin/node', root);
const readPackages = (file) => Object.entries(JSON.parse(readFileSync(new URL(file, root), 'utf8')).packages);

/** Length of the project's path, in bytes. */
const maxPath = 800;

/**
 * Returns why nothing works in a folder; undefined in nearly all of them. The bundler's names of modules have the syntax
 * `loader!path?query#fragment|layer`, without a way to write these characters in a path: builds fail, or have another
 * version. Node replaces a `*` in the path of a package, a colon separates folders in `PATH`, and PostgreSQL's initdb calls a
 * program by a line for the shell, in double quotes.
 */
function findUnusable(name) {
  const [character] = /[!#?|*:"`$\n]/.exec(name) ?? [];
  if (character)
    return `the character ${JSON.stringify(character)} in it is syntax to the bundler, Node, PATH or PostgreSQL`;
  // Node runs no TypeScript there, and Jest, Playwright and the bundler take all files for those of packages.
  if (/\/node_modules\//.test(name)) return 'a folder node_modules is above it';
  // PostgreSQL's own paths end at 1,023 bytes; its programs and its data lie up to 200 bytes below.
  return Buffer.byteLength(name) > maxPath
    ? `its path has more than ${maxPath} bytes, too many for PostgreSQL`
    : undefined;
}

/** Returns whether npm's last installation, by any command, matches package-lock.json. */
function isInstalled() {
  // npm writes the second file at the end of an installation.
  if (!existsSync(pinnedNode) || !existsSync(new URL('node_modules/.package-lock.json', root))) return false;
  const installed = Object.fromEntries(readPackages('node_modules/.package-lock.json'));
  return readPackages('package-lock.json').every(([place, wanted]) => {
    if (!place.includes('node_modules/')) return true;
    const found = installed[place];
    // npm does not install packages for other platforms.
    return found ? wanted.link || found.version === wanted.version : wanted.optional || wanted.devOptional;
  });
}

/** npm's own settings that say where packages come from; all others of the caller could change what is installed. */
const ofSource =
  /^npm_config_(?:userconfig|globalconfig|cache|(?:@[^:]+:)?registry|\/\/.+|ca|cafile|cert|key|strict.ssl|(?:https?.)?proxy|noproxy|fetch.\w+|maxsockets|offline|prefer.o\w+)$/i;
const isForNpm = ([name]) => (/^npm_/i.test(name) ? ofSource.test(name) : !/^NODE_(?:ENV|OPTIONS|PATH)$/.test(name));

/**
 * Everything in package-lock.json, as npm installs it by default: files of the person's settings may say `omit=dev` or
 * `ignore-scripts=true`. `engine-strict`: all but this script runs on the pinned Node.
 */
const parameters = [
  'ci',
  ...['--include=dev', '--include=optional', '--include=peer', '--ignore-scripts=false', '--engine-strict=false'],
  ...['--bin-links', '--package-lock', '--install-strategy=hoisted', '--install-links=false'],
  ...['--legacy-peer-deps=false', '--global=false', '--dry-run=false'],
  // npm 11 and 12 prompt for install scripts; package.json lists the allowed ones.
  ...['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'],
];

/** Returns how many of the packages at the top are unpacked, as text; npm makes all folders first. */
function unpacked() {
  const places = readPackages('package-lock.json').filter(
    ([place, { link, optional, devOptional }]) => /^node_modules\//.test(place) && !link && !optional && !devOptional,
  );
  const found = places.filter(([place]) => existsSync(new URL(`${place}/package.json`, root)));
  return `${found.length} of ${places.length} packages`;
}

/** Runs npm, with a line every ten seconds; returns its exit code. */
function install() {
  const started = Date.now();
  const npm = spawn('npm', parameters, {
    cwd: folder,
    stdio: 'inherit',
    env: Object.fromEntries(Object.entries(process.env).filter(isForNpm)),
  });
  const progress = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`  still installing after ${seconds} s: ${unpacked()}`);
  }, 10_000);
  // npm ends by the signal, too, and cleans up; without these, it would go on alone.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => npm.kill(signal));
  return new Promise((resolve) => {
    npm.on('error', ({ message }) => {
      console.error(message);
      resolve(1);
    });
    npm.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 2)));
  }).finally(() => clearInterval(progress));
}

// A closed pipe, as of `| head`, ends no installation.
process.stdout.on('error', () => undefined);
const unusable = findUnusable(folder);
if (unusable) {
  console.error(
    `This project cannot run in ${JSON.stringify(folder)}: ${unusable}. Move or clone it to another folder.`,
  );
  process.exit(1);
}
if (!isInstalled()) {
  console.log('Installing dependencies from package-lock.json; a minute or two on a fresh clone …');
  const code = await install();
  if (code !== 0) {
    console.error(
      '\nThe dependencies could not be installed; see the output of npm above. Is the npm registry reachable?',
    );
    process.exit(code);
  }
  if (!existsSync(pinnedNode)) {
    console.error(`\nThe pinned Node is missing: npm installed no ${fileURLToPath(pinnedNode)}.`);
    process.exit(1);
  }
}
