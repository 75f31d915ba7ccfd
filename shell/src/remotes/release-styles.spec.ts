import { beforeAll, expect, test } from '@jest/globals';
import { limitStyles, showStyles } from './release-styles.ts';

const [served, other] = ['mf-news@1.0.0-00000001', 'mf-other@1.0.0-00000001'];
let hideServed: () => void;

const addLink = (href: string) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  document.head.append(link);
  return link;
};
/** A microtask after a style was added, when the bundler's runtime of a remote has added it. */
const observed = () => new Promise<void>((resolve) => queueMicrotask(resolve));
const servedStyle = () => document.querySelector<HTMLStyleElement>('style[data-release]')?.sheet?.disabled;

beforeAll(() => {
  document.head.innerHTML = `<style>a{}</style><style data-release="${served}">b{}</style>`;
  document.body.innerHTML = `<div id="page"><div data-remote="${served}"></div></div>`;
  hideServed = limitStyles(document.body);
});

test('styles of a release apply from the commit of its page to that of another one, those of the shell always', async () => {
  expect(servedStyle()).toBe(false);
  const [ofShell, ofServed, ofOther] = [
    '/assets/a.css',
    `/remotes/${served.replace('@', '/')}/a.css`,
    `/remotes/${other.replace('@', '/')}/a.css`,
  ].map(addLink);
  const media = () => [ofShell, ofServed, ofOther].map((link) => link?.media);
  await observed();
  expect(media()).toEqual(['', '', 'not all']);
  // React has rendered the page in place of the server's.
  const leave = showStyles(served);
  hideServed();
  expect(servedStyle()).toBe(false);
  // The next page of the same release replaces this one.
  const leaveNext = showStyles(served);
  leave();
  expect(servedStyle()).toBe(false);
  leaveNext();
  const leaveOther = showStyles(other);
  expect(servedStyle()).toBe(true);
  expect(media()).toEqual(['', 'not all', '']);
  leaveOther();
  expect(media()).toEqual(['', 'not all', 'not all']);
  showStyles(served);
  expect(servedStyle()).toBe(false);
});
