import { expect, test } from '@daybook/testing/browser-test';

test.use({ expectedMessages: [/Trusted|Integrity-Policy|blocked|Content Security Policy/i] });

/** Injects a script into the page, with its URL as text or as the shell sets it; resolves with its result. */
function addScript({ url, isTrusted }: { url: string; isTrusted: boolean }): Promise<string> {
  return new Promise((resolve) => {
    const script = document.createElement('script');
    script.onload = () => resolve('it ran');
    script.onerror = () => resolve('blocked');
    try {
      if (isTrusted) Reflect.get(globalThis, 'daybookVerifiedElement')(script, url);
      else script.src = url;
    } catch (error) {
      return resolve(String(error));
    }
    document.head.append(script);
  });
}

test('text cannot become markup or code, and injected scripts are blocked', async ({ page }) => {
  await page.goto('/terms');
  const own = String(await page.locator('script[src^="/assets/"]').first().getAttribute('src'));
  for (const url of ['https://evil.example/remotes/a.js', 'data:text/javascript,alert(1)', own])
    expect(await page.evaluate(addScript, { url, isTrusted: false })).toContain("'TrustedScriptURL' assignment");
  for (const url of [
    ...['https://evil.example/remotes/a.js', '//evil.example/remotes/a.js', 'data:text/javascript,alert(1)'],
    ...['/api/docs/script.js', '/remotes/%2e%2e/api/docs/script.js', '/assetsevil.js', 'blob:http://localhost/1'],
  ])
    expect(await page.evaluate(addScript, { url, isTrusted: true })).toContain(`${url} is no script of this site.`);
  // It is no file of a release that the page may load.
  expect(await page.evaluate(addScript, { url: own, isTrusted: true })).toBe('blocked');
  const attempts: readonly (() => unknown)[] = [
    () => Object.assign(document.body, { innerHTML: '<img src="x">' }),
    () => new DOMParser().parseFromString('<p>', 'text/html'),
    () => Reflect.get(globalThis, 'trustedTypes')?.createPolicy('other', { createScriptURL: String }),
  ];
  for (const attempt of attempts) await expect(page.evaluate(attempt)).rejects.toThrow('TypeError');
});

test('a link to a script, such as from a team’s content, runs nothing', async ({ page }) => {
  await page.goto('/terms');
  const blocked = await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'javascript:void (document.title = "it ran")';
    document.querySelector('main')?.append(link);
    const violation = new Promise<string>((resolve) =>
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective)),
    );
    link.click();
    return violation;
  });
  expect(blocked).toMatch(/^(?:script-src-elem|require-trusted-types-for)$/);
  await expect(page).not.toHaveTitle('it ran');
});
