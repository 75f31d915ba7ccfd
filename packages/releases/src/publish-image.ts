import { setTimeout as wait } from 'node:timers/promises';
import { ReleasesClient, SiteError } from './client.ts';
import { readBuild } from './read-build.ts';
import { readTokenFile } from './token.ts';

const [minPause, maxPause] = [500, 15_000];

const isTemporary = ({ status = 503 }: SiteError) => status === 429 || status >= 500;

/** Publishes an image's release as soon as the site is ready; a version that the site had before changes nothing. */
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
