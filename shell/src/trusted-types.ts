/** URLs that this page may run: files of the shell and of remotes, from its own origin. */
const scriptFolders = /^\/(?:assets|remotes)\//;

function scriptAddress(address: string): string {
  const { origin, pathname } = new URL(address, location.href);
  if (origin === location.origin && scriptFolders.test(pathname)) return address;
  throw new TypeError(`${address} is no script of this site.`);
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): unknown;
}

// The security headers allow only this policy to turn a text into a script's URL, and nothing to turn one into markup
// or code. Browsers without Trusted Types rely on the rest of the security policy.
(globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
  createScriptURL: scriptAddress,
});
