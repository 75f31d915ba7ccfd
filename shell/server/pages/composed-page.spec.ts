import { rmSync } from 'node:fs';
import path from 'node:path';
import { fragmentReplacements, fragmentSettings } from '@daybook/contract/page';
import { defaultSiteSettings, offerIds, type SiteSettings } from '@daybook/contract/site';
import { fileEntry } from '@daybook/runner/releases';
import { releaseOf, routeOf } from '@daybook/testing/releases';
import { createTemporaryBuilds, type TemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { escapeHtml } from '../html.ts';
import { fillInSettings, PageComposer } from './composed-page.ts';
import { ShellBuild } from './shell-build.ts';

const [entry, script, style] = ['remoteEntry.00000001.js', '1.00000001.js', '1.00000001.css'];
const fragment = 'fragments/terms.00000001.html';
const contents = {
  [entry]: 'entry',
  [script]: 'page',
  [style]: '.a{color:red}',
  [fragment]: `<h1>Terms</h1><a href="mailto:${fragmentSettings.supportAddress}">Write</a>`,
};
const release = releaseOf('mf-legal', {
  routes: [routeOf('/terms', { files: [style, script], fragment })],
  files: Object.fromEntries(Object.entries(contents).map(([file, text]) => [file, fileEntry(Buffer.from(text))])),
});

let site: TemporaryBuilds;
let composer: PageComposer;
beforeEach(() => {
  site = createTemporaryBuilds();
  for (const [file, text] of Object.entries(contents)) site.write(`mf-legal/${file}`, text);
  const folder = site.folderOf('mf-legal');
  const pageFile = (name: string) => {
    const page = release.files[name];
    return page && { name, ...page };
  };
  const found = { release, manifest: '', folder, pageFile };
  composer = new PageComposer(
    { find: (...names) => (`${names}` === 'mf-legal,1.0.0-00000001' ? found : undefined) },
    site.shellFolder,
  );
});
afterEach(() => site.remove());

const manifest = () => new ShellBuild(site.shellFolder).manifest();
const compose = () => {
  const { name, version } = release;
  const settings = { ...defaultSiteSettings, supportAddress: 'help&co@publisher.example' };
  return composer.compose(
    { remote: { name, version, entry, routes: [] }, route: routeOf('/terms') },
    manifest(),
    settings,
  );
};

test('a page is the fragment in the frame of its route, marked with its release, with settings, styles and scripts', async () => {
  const file = (name: string) => ({
    url: `/remotes/mf-legal/1.0.0-00000001/${name}`,
    integrity: release.files[name]?.integrity,
  });
  expect(await compose()).toMatchObject({
    content:
      '<header>site</header><main><div data-remote="mf-legal@1.0.0-00000001"><h1>Terms</h1>' +
      '<a href="mailto:help&amp;co@publisher.example">Write</a></div></main><footer>site</footer>',
    shellStyles: [{ url: '/assets/shell.0a1b2c3d.css', text: 'body {}' }],
    pageStyles: [{ ...file(style), text: contents[style] }],
    scripts: [file(entry), file(script)],
  });
});

test.each([
  [fragment, 'is missing', undefined, 'ENOENT'],
  [fragment, 'has changed', '<h1>Other</h1>', 'has changed since it was built'],
  [style, 'has changed', '.b{}', '1.00000001.css has changed since it was built'],
])('a page is not composed if %s %s', async (file, _what, text, message) => {
  if (text === undefined) rmSync(path.join(site.folderOf('mf-legal'), file));
  else site.write(`mf-legal/${file}`, text);
  await expect(compose()).rejects.toThrow(message);
});

test('the page for an unknown path lists the missing remotes', async () => {
  expect(await composer.composeUnknown(['mf-offers', 'mf-privacy'], manifest(), defaultSiteSettings)).toMatchObject({
    content: '<main data-failed-remote="mf-offers mf-privacy"><code>mf-offers</code>, <code>mf-privacy</code></main>',
  });
});

test.each([
  ...['$&', '$1', '$`', `'"><script>`, '&amp;', '<!--'],
  ...fragmentReplacements(fragmentSettings).map(([placeholder]) => placeholder),
])('each setting is inserted escaped, in text and attributes, also if it is %s', (hostile) => {
  const web = (offer: string) => `https://a.example/?${offer}${hostile}`;
  const settings: SiteSettings = {
    supportAddress: `${hostile}@${hostile}`,
    sponsorAddresses: Object.fromEntries(offerIds.map((id) => [id, web(id)])),
    housingGuideAddress: web('h'),
    privacyRequests: 'record',
    year: hostile,
  };
  const fragmentWith = ({ supportAddress, sponsorAddresses, housingGuideAddress, year = '' }: SiteSettings) =>
    [supportAddress, ...Object.values(sponsorAddresses), housingGuideAddress, year]
      .map((text) => `<a title="${escapeHtml(text)}">${escapeHtml(text)}</a>`)
      .join('');
  expect(fillInSettings(fragmentWith(fragmentSettings), settings)).toBe(fragmentWith(settings));
});
