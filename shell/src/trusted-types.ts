/** Paths of scripts that this page may run: files of the shell and of remotes. */
const scriptFolders = /^\/(?:assets|remotes)\//;

function checkedUrl(url: string): string {
  const { origin, pathname } = new URL(url, location.href);
  if (origin === location.origin && scriptFolders.test(pathname)) return url;
  throw new TypeError(`${url} is no script of this site.`);
}

/** A policy of Trusted Types. Its result is an object that the browser trusts, which TypeScript does not know. */
interface Policy {
  createScriptURL(url: string): string;
}

/** The rules of each policy; used alone by browsers that accept text. */
const plainRules: Policy = { createScriptURL: checkedUrl };

/**
 * Creates a policy.
 *
 * @param scope the window whose Trusted Types create it
 * @returns `undefined` if the name is taken, or if something else is in place of Trusted Types
 */
function createPolicy(name: string, scope: object = globalThis): Policy | undefined {
  try {
    const factory = Reflect.get(scope, 'trustedTypes') as { createPolicy(name: string, rules: Policy): Policy };
    const policy = factory.createPolicy(name, plainRules);
    return acceptsUrls(policy) ? policy : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a script of this page may have a URL from the policy, and gets exactly this one. */
function acceptsUrls(policy: Policy): boolean {
  try {
    const script = document.createElement('script');
    script.src = policy.createScriptURL('/assets/');
    return script.getAttribute('src') === '/assets/';
  } catch {
    return false;
  }
}

/** Creates the policy by an empty frame, whose Trusted Types are the browser's where the page's were replaced. */
function createPolicyInFrame(): Policy | undefined {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.documentElement.append(frame);
  const policy = createPolicy(policyName, frame.contentWindow ?? {});
  frame.remove();
  return policy;
}

/** Named in the security headers, which allow no other policy besides `default`. */
const policyName = 'daybook';

let policy = plainRules;

/** Returns the URL of a script of this site as the page's security policy demands it; throws for any other URL. */
export const scriptUrl = (url: string) => policy.createScriptURL(url);

/**
 * Allows this page to run the site's scripts; must run before any is loaded. The security headers let no text become a
 * script's URL except by a policy, and nothing become markup or code. Browsers without Trusted Types rely on the rest of
 * the headers.
 *
 * @throws Error if that is impossible: the document stays as the server sent it
 */
export function trustOwnScripts(): void {
  const own = createPolicy(policyName);
  const usable = own ?? (acceptsUrls(plainRules) ? plainRules : createPolicyInFrame());
  if (!usable) throw new Error('No script can be loaded: trustedTypes has been replaced.');
  policy = usable;
}
