import { writeReleaseFiles } from '../../cache/release-files.ts';
import { releaseOf } from '../temporary-site.ts';

const [folder = ''] = process.argv.slice(2);

/** Writes a release of one file in one chunk; sends `written`, or the error code. */
process.on('message', async ({ content, integrity }: { content: string; integrity: string }) => {
  const release = releaseOf('mf-legal', { files: { 'a.js': { integrity, size: content.length } } });
  const read = async function* read() {
    yield Buffer.from(content);
  };
  try {
    await writeReleaseFiles(folder, release, read, new AbortController().signal);
    process.send?.('written');
  } catch (error) {
    process.send?.((error as NodeJS.ErrnoException).code ?? (error as Error).message);
  }
});
