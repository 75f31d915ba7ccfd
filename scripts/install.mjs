// Installs the dependencies of package-lock.json if they are missing or outdated. Runs on any Node version and imports
// no package; npm's scripts then run their command on the pinned Node.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const pinnedNode = new URL('node_modules/.bin/node', root);
const readPackages = (file) => Object.entries(JSON.parse(readFileSync(new URL(file, root), 'utf8')).packages);

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

if (!isInstalled()) {
  console.log('Installing dependencies from package-lock.json; a minute or two on a fresh clone …');
  // npm 11 and 12 prompt for install scripts; package.json lists the allowed ones.
  const parameters = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', parameters, { cwd: fileURLToPath(root), stdio: 'inherit' });
  if (status !== 0) {
    console.error(
      '\nThe dependencies could not be installed; see the output of npm above. Is the npm registry reachable?',
    );
    process.exit(status ?? 130);
  }
  if (!existsSync(pinnedNode)) {
    console.error('\nThe pinned Node is missing: were install scripts turned off? Run: npm ci --ignore-scripts=false');
    process.exit(1);
  }
}
