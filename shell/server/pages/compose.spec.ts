import { hashOf } from '@daybook/contract/manifest';
import { fragmentReplacements, fragmentSettings } from '@daybook/contract/page';
import { defaultSiteSettings } from '@daybook/contract/site';
import { releaseOf, routeOf } from '@daybook/testing/releases';
import { createTemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterAll, expect, test } from '@jest/globals';
import { escapeHtml } from '../html.ts';
import type { Blobs } from '../releases/blobs.ts';
import type { LiveSite } from '../releases/live-site.ts';
import { Site } from '../releases/site.ts';
import { contentOf } from '../test/content.ts';
import { sentOf } from '../test/running-site.ts';
import { fillInSettings, PageComposer } from './compose.ts';
import { ShellBuild } from './shell-build.ts';

const [entry, script, style] = ['remoteEntry.00000001.js', '1.00000001.js', '1.00000001.css'];
const fragment = 'fragments/terms.00000001.html';
const contents: Record<string, string> = {
  [entry]: 'entry',
  [script]: 'page',
  [style]: '.a{color:red}',
  [fragment]: `<h1>Terms</h1><a href="mailto:${fragmentSettings.supportAddress}">Write</a>`,
};
const routes = [routeOf('/terms', { files: [style, script], fragment })];
const release = JSON.parse(sentOf(releaseOf('mf-legal', { routes }), contents).manifest);
const { name, version } = release;

const build = createTemporaryBuilds();
afterAll(() => build.remove());
const shell = new ShellBuild(build.shellFolder).manifest();

/** Composes pages of which some files are stored. */
const composerOf = (stored = Object.keys(contents)) => {
  const blobs = new Map(
    stored.map((file) => [hashOf(release.files[file].integrity), Buffer.from(`${contents[file]}`)]),
  );
  const get = async (hash: string) => blobs.get(hash) ?? Promise.reject(new Error('The database is down.'));
  const site = Site.from(contentOf(release), ['mf-legal']);
  return new PageComposer({ site } as LiveSite, { get } as unknown as Blobs, build.shellFolder);
};
const compose = (composer = composerOf()) => {
  const settings = { ...defaultSiteSettings, supportAddress: 'help&co@publisher.example' };
  return composer.compose({ remote: { name, version, entry, routes: [] }, route: routeOf('/terms') }, shell, settings);
};

test('a page is its HTML in the frame of its route, with settings, styles and scripts', async () => {
  const file = (of: string) => ({ url: `/remotes/mf-legal/${version}/${of}`, integrity: release.files[of].integrity });
  expect(await compose()).toMatchObject({
    content:
      `<header>site</header><main><div data-remote="mf-legal@${version}"><h1>Terms</h1>` +
      '<a href="mailto:help&amp;co@publisher.example">Write</a></div></main><footer>site</footer>',
    shellStyles: [{ url: '/assets/shell.0a1b2c3d.css', text: 'body {}' }],
    pageStyles: [{ ...file(style), text: contents[style] }],
    scripts: [file(entry), file(script)],
  });
});

test('a page is not composed without its style, or with a changed style of the shell', async () => {
  await expect(compose(composerOf([entry, script, fragment]))).rejects.toThrow('The database is down.');
  build.write('shell/shell.0a1b2c3d.css', 'changed');
  await expect(compose()).rejects.toThrow('shell.0a1b2c3d.css has changed since it was built');
  build.write('shell/shell.0a1b2c3d.css', 'body {}');
});

test('the page for an unknown path lists the missing remotes', async () => {
  expect(await composerOf().composeUnknown(['mf-offers', 'mf-privacy'], shell, defaultSiteSettings)).toMatchObject({
    content: '<main data-failed-remote="mf-offers mf-privacy"><code>mf-offers</code>, <code>mf-privacy</code></main>',
  });
});

test('settings are inserted escaped, also if they are patterns or placeholders', () => {
  const [[placeholder] = ['']] = fragmentReplacements(fragmentSettings);
  for (const text of ['$&', `'"><script>`, placeholder]) {
    const settings = { ...defaultSiteSettings, supportAddress: `${text}@x`, year: text };
    const html = `${fragmentSettings.supportAddress} ${fragmentSettings.year}`;
    expect(fillInSettings(html, settings)).toBe(`${escapeHtml(text)}@x ${escapeHtml(text)}`);
  }
});
