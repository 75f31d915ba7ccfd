import { setTimeout as wait } from 'node:timers/promises';
import { ReleasesClient, SiteError } from './client.ts';
import { readBuild } from './read-build.ts';
import { readTokenFile } from './token.ts';

/** In ms between attempts while the site is not ready. */
const [minPause, maxPause] = [500, 15_000];

/** The site is not ready or too busy: another attempt may succeed. */
const isTemporary = ({ status = 503 }: SiteError) => status === 429 || status >= 500;

/**
 * Publishes the release of an image as soon as the site is ready. A version that the site had before changes nothing.
 *
 * @param site URL of the shell server, inside of the container network
 * @param folder of the built release
 * @param report receives what visitors get now, and once each why the site is not ready
 * @param pause waits for a number of ms
 * @throws CommandError if the site rejects the release, or the token can't be read
 */
export async function publishImage(
  { site, folder, tokenFile }: { readonly site: string; readonly folder: string; readonly tokenFile: string },
  report: (line: string) => void,
  pause: (ms: number) => Promise<unknown> = wait,
): Promise<void> {
  const build = readBuild(folder);
  const token = readTokenFile(tokenFile);
  if (token === '') return report(`There is no token of ${build.release.name}: its team publishes from elsewhere.`);
  const client = new ReleasesClient(site, token, { allowHttp: true });
  let reported = '';
  for (let ms = minPause; ; ms = Math.min(ms * 2, maxPause)) {
    try {
      const { lines } = await client.publish(build);
      return lines.forEach(report);
    } catch (error) {
      if (!(error instanceof SiteError && isTemporary(error))) throw error;
      if (error.message !== reported) report(`${error.message} Trying again.`);
      reported = error.message;
    }
    await pause(ms);
  }
}
