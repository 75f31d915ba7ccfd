import { createProgram, processTerminal, runProgram } from '@daybook/server/command-line';
import { publishImage } from './publish-image.ts';
import { checkManifest, checkTexts, readBuild } from './read-build.ts';

// The program of a remote's image: deploy/remote/Dockerfile.

const {
  RELEASE_FOLDER: folder = 'build',
  SITE_URL: site = 'http://shell:8080',
  RELEASES_TOKEN_FILE: tokenFile = '',
} = process.env;

const program = createProgram('publish', 'Publishes the release of this image to the site of SITE_URL.')
  .option('--check', 'check the release, without publishing it')
  .action(async ({ check }: { readonly check?: boolean }) => {
    if (!check)
      return publishImage({ site, folder, tokenFile }, (line) => void processTerminal.errors.write(`${line}\n`));
    const build = readBuild(folder);
    checkTexts(build);
    checkManifest(build);
  });
process.exitCode = await runProgram(program, process.argv.slice(2));
