import { createProgram, processTerminal, runProgram } from '@daybook/server/command-line';
import { checkManifest, checkTexts } from './checks.ts';
import { publishImage } from './publish-image.ts';
import { readReleaseBuild } from './release-build.ts';

// The program of a remote's image: deploy/remote/Dockerfile.

const {
  RELEASE_FOLDER: folder = 'build',
  SITE_URL: site = 'http://shell:8080',
  RELEASE_KEY_FILE: keyFile = '',
  // The site's own, for which requests are signed: the URL above may be of a network inside.
  PUBLIC_URL: publicUrl,
} = process.env;
const report = (line: string) => void processTerminal.errors.write(`${line}\n`);

const program = createProgram('publish', 'Publishes the release of this image to the site of SITE_URL.')
  .option('--check', 'check the release, without publishing it')
  .action(async ({ check }: { readonly check?: boolean }) => {
    if (!check) return publishImage({ folder, site, keyFile, publicUrl: publicUrl || undefined }, report);
    const build = readReleaseBuild(folder);
    checkTexts(build);
    checkManifest(build);
  });
process.exitCode = await runProgram(program, process.argv.slice(2));
