import type { Page } from '@playwright/test';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, test } from '../support/test.ts';

// Extensions, in-app browsers and user scripts remove and replace what the browser provides.
test.use({ expectedMessages: [/was replaced|not a constructor|not a function|is no script|Trusted/i] });

/** A browser function and how it is missing or broken. Each runs in the page before its own scripts. */
const replacements: Readonly<Record<string, () => void>> = {
  'no navigator.sendBeacon': () => {
    Reflect.deleteProperty(Navigator.prototype, 'sendBeacon');
  },
  'a navigator.sendBeacon that throws': () => {
    Navigator.prototype.sendBeacon = () => {
      throw new Error('It was replaced.');
    };
  },
  'a navigator.sendBeacon that returns false': () => {
    Navigator.prototype.sendBeacon = () => false;
  },
  'a navigator.sendBeacon that is no function': () => {
    Object.defineProperty(navigator, 'sendBeacon', { value: 'It was replaced.' });
  },
  'a performance.getEntriesByType that throws': () => {
    performance.getEntriesByType = () => {
      throw new Error('It was replaced.');
    };
  },
  'foreign entries in the performance timeline': () => {
    performance.getEntriesByType = () => [{ serverTiming: 1 }, null] as never;
  },
  'no IntersectionObserver and MutationObserver': () => {
    Reflect.deleteProperty(globalThis, 'IntersectionObserver');
    Reflect.deleteProperty(globalThis, 'MutationObserver');
  },
  'observers that are something else': () => {
    Object.assign(globalThis, { IntersectionObserver: () => undefined, MutationObserver: class {} });
  },
  'observers without methods': () => {
    Object.assign(globalThis, { IntersectionObserver: class {}, MutationObserver: class {}, ResizeObserver: class {} });
  },
  'a console that throws': () => {
    for (const name of ['log', 'warn', 'error'] as const)
      console[name] = () => {
        throw new Error('It was replaced.');
      };
  },
  'no console': () => {
    Object.defineProperty(globalThis, 'console', { value: undefined });
  },
  'no MessageChannel': () => {
    Reflect.deleteProperty(globalThis, 'MessageChannel');
  },
  'a performance.mark that throws': () => {
    performance.mark = () => {
      throw new Error('It was replaced.');
    };
  },
  'a scrollTo that throws': () => {
    globalThis.scrollTo = () => {
      throw new Error('It was replaced.');
    };
  },
  'a navigator.connection that throws': () => {
    Object.defineProperty(navigator, 'connection', {
      get() {
        throw new Error('It was replaced.');
      },
    });
  },
  'no AbortSignal.timeout and Promise.withResolvers': () => {
    Reflect.deleteProperty(AbortSignal, 'timeout');
    Reflect.deleteProperty(Promise, 'withResolvers');
  },
  'no URL.parse, structuredClone and crypto.randomUUID': () => {
    Reflect.deleteProperty(URL, 'parse');
    Reflect.deleteProperty(globalThis, 'structuredClone');
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID');
  },
};

/** Policies and factories of others, which exist before the page's own scripts. */
const foreignPolicies: Readonly<Record<string, () => void>> = {
  'a default policy that passes script addresses': () => {
    Reflect.get(globalThis, 'trustedTypes').createPolicy('default', { createScriptURL: (address: string) => address });
  },
  'a default policy for markup only': () => {
    Reflect.get(globalThis, 'trustedTypes').createPolicy('default', { createHTML: (text: string) => text });
  },
  'a default policy that throws': () => {
    Reflect.get(globalThis, 'trustedTypes').createPolicy('default', {
      createScriptURL() {
        throw new TypeError('Trusted by nobody.');
      },
    });
  },
  'a default policy that returns null': () => {
    Reflect.get(globalThis, 'trustedTypes').createPolicy('default', { createScriptURL: () => null });
  },
  // Like an extension that runs in pages, but not in their frames.
  'a trustedTypes that is something else': () => {
    if (self === top) Object.defineProperty(globalThis, 'trustedTypes', { value: 'It was replaced.' });
  },
  'a trustedTypes without createPolicy': () => {
    if (self === top)
      Reflect.deleteProperty(Reflect.get(globalThis, 'TrustedTypePolicyFactory').prototype, 'createPolicy');
  },
  'a trustedTypes.createPolicy that returns something else': () => {
    if (self === top) Reflect.get(globalThis, 'TrustedTypePolicyFactory').prototype.createPolicy = () => ({});
  },
};

/** Follows a link to another remote and back, and opens the signup dialog, whose form is loaded by the press. */
async function visit(page: Page): Promise<void> {
  await page.goto('/');
  const opened = await page.evaluate(() => performance.timeOrigin);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeFocused();
  expect(await page.evaluate(() => performance.timeOrigin), 'the same document').toBe(opened);
  const { email } = await openSignupDialog(page);
  await expect(email).toBeFocused();
}

for (const [what, replace] of Object.entries({ ...replacements, ...foreignPolicies })) {
  test(`with ${what}, a link to another remote and the signup dialog work`, async ({ page }) => {
    await page.addInitScript(replace);
    await visit(page);
  });
}

for (const [what, replace] of [
  ['something else', () => Object.assign(globalThis, { IntersectionObserver: () => undefined })],
  ['without methods', () => Object.assign(globalThis, { ResizeObserver: class {}, IntersectionObserver: class {} })],
] as const)
  test(`the offers stay when a tooltip would show and observers are ${what}`, async ({ page }) => {
    await page.addInitScript(replace);
    await page.goto('/continue-registration?id=7');
    const offer = page.getByRole('checkbox').first();
    await offer.check();
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: 'Sponsored' })).toBeFocused();
    // The delay of a hover is over when focus shows the tooltip: at once.
    await expect(offer).toBeChecked();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your bonus offers');
  });

test('without any Trusted Types, a page stays readable, and its links load documents', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'trustedTypes', { value: 'It was replaced.' });
  });
  await page.goto('/', { waitUntil: 'load' });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  await expect(page).toHaveURL(/\/terms$/);
});
