import { writeReleaseFiles } from '../../cache/release-files.ts';
import { describeFile, releaseOf } from '../releases.ts';

const [folder = ''] = process.argv.slice(2);
const content = Buffer.alloc(100_000, 'a');
const release = releaseOf('mf-legal', { files: { 'a.js': describeFile(content) } });

/** Writes a release of one file in one chunk; prints `written`, or the error code. */
const written = await writeReleaseFiles(
  folder,
  release,
  async function* read() {
    yield content;
  },
  new AbortController().signal,
).then(
  () => 'written',
  ({ code, message }: NodeJS.ErrnoException) => code ?? message,
);
process.stdout.write(`${written}\n`);
