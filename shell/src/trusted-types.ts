/** Paths of scripts that this page may run: files of the shell and of remotes. */
const scriptFolders = /^\/(?:assets|remotes)\//;

const rules = {
  createScriptURL(url: string): string {
    const { origin, pathname } = new URL(url, location.href);
    if (origin === location.origin && scriptFolders.test(pathname)) return url;
    throw new TypeError(`${url} is no script of this site.`);
  },
};
type Policy = typeof rules;

declare global {
  var trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined;
}

let policy = rules;

/**
 * Returns the URL of a script of this site, by the policy that the security headers demand.
 *
 * @throws TypeError for any other URL
 */
export const scriptUrl = (url: string) => policy.createScriptURL(url);

/**
 * Allows this page to run the site's scripts; must run before any is loaded.
 *
 * @throws TypeError if an extension replaced Trusted Types: the page stays as the server sent it
 */
export function trustOwnScripts(): void {
  // The security headers allow this name and `default`.
  policy = globalThis.trustedTypes?.createPolicy('daybook', rules) ?? rules;
  document.createElement('script').src = scriptUrl('/assets/');
}
