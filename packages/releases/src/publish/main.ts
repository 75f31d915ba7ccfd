import { createProgram, processTerminal, runProgram } from '@daybook/server';
import { checkTexts, passGate } from './checks.ts';
import { readCandidate } from './publish.ts';
import { publishImage } from './publish-image.ts';

// The program of a remote's image: deploy/remote/Dockerfile.

const {
  RELEASE_FOLDER: folder = 'build',
  SITE_URL: site = 'http://shell:8080',
  RELEASE_KEY_FILE: keyFile = '',
} = process.env;
const report = (line: string) => void processTerminal.errors.write(`${line}\n`);

const program = createProgram('publish', 'Publishes the release of this image to the site of SITE_URL.')
  .option('--check', 'check the release, without publishing it')
  .action(async ({ check }: { readonly check?: boolean }) => {
    if (!check) return publishImage({ folder, site, keyFile }, report);
    const candidate = readCandidate(folder);
    checkTexts(candidate);
    await passGate(candidate, new Map(), report);
  });
process.exitCode = await runProgram(program, process.argv.slice(2));
