import { scriptAddressName } from '@daybook/contract/page';

/** URLs that this page may run: files of the shell and of remotes, from its own origin. */
const scriptFolders = /^\/(?:assets|remotes)\//;

function scriptAddress(address: string): string {
  const { origin, pathname } = new URL(address, location.href);
  if (origin === location.origin && scriptFolders.test(pathname)) return address;
  throw new TypeError(`${address} is no script of this site.`);
}

interface Policy {
  createScriptURL(address: string): string;
}

interface TrustedTypes {
  readonly defaultPolicy: Policy | null;
  createPolicy(name: string, rules: Policy): Policy;
}

/** Returns `undefined` without Trusted Types, and if a user script or an extension has created the policy already. */
function createPolicy(name: 'daybook' | 'default'): Policy | undefined {
  try {
    const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
    if (name === 'default' && trustedTypes?.defaultPolicy) return undefined;
    return trustedTypes?.createPolicy(name, { createScriptURL: scriptAddress });
  } catch {
    return undefined;
  }
}

// The security headers allow only these policies to turn a text into a script's URL, and nothing to turn one into markup
// or code. Browsers without Trusted Types rely on the rest of the security policy. The default policy is for releases
// built before the site's own one, and need not be ours: a page has only one, which a user script may have created.
const policy = createPolicy('daybook');
createPolicy('default');

/**
 * Returns the address of a script in the form that this page can assign to `script.src`.
 *
 * @throws TypeError for a script of another site or folder, in browsers with Trusted Types
 */
export const trustedScriptAddress = (address: string): string => policy?.createScriptURL?.(address) ?? address;

// Unlike Object's, does not throw if something else has defined it.
Reflect.defineProperty(globalThis, scriptAddressName, { value: trustedScriptAddress });
