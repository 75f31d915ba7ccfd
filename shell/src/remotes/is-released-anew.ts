import { type PageData, pageDataElementId, type RegisteredRemote } from '@daybook/contract';

/** Whether the site now has another release of a remote than this page knows; false where that can't be learnt. */
export async function isReleasedAnew({ name, version }: RegisteredRemote): Promise<boolean> {
  try {
    const html = await (await fetch(location.href, { cache: 'no-cache' })).text();
    const json = new DOMParser().parseFromString(html, 'text/html').getElementById(pageDataElementId)?.textContent;
    const { registry } = JSON.parse(json ?? '') as PageData;
    const current = registry.remotes.find((remote) => remote.name === name);
    return current !== undefined && current.version !== version;
  } catch {
    return false;
  }
}
