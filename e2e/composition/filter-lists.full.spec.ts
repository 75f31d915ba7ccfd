import { causedByPageStates, pageStates } from '../support/page-states.ts';
import { expect, test } from '../support/test.ts';

test.use(causedByPageStates);

/**
 * Beginnings of ids and classes that EasyList, Fanboy's Annoyances (its newsletter list hides some 500 ids) and uBlock's
 * annoyances hide on every site, such as `#newsletter-signup-form` and `#subscribe-widget`. The lists change weekly, and
 * no package ships them as text, so this is broader than they are.
 */
const hidden =
  /^(?:newsletters?|nl|subscri\w*|sign-?up|mailing-list|email-(?:sign|sub|opt|popup|modal|widget)\w*|pop-?up|overlay|banner|promo\w*|advert\w*|ads?|cookie-(?:banner|notice|consent|bar|law)|gdpr|social|share)[-_]/i;

/** Parts of addresses that EasyList and EasyPrivacy block on every site. */
const blocked =
  /[/._-](?:ads?|adverts?|banners?|sponsored|popups?|analytics|track(?:er|ing)?|pixel|beacon|telemetry)[/._-]/i;

for (const state of pageStates)
  test(`content blockers hide and block nothing of ${state.name}`, async ({ page }) => {
    const requested: string[] = [];
    page.on('request', (request) => {
      const { host, pathname } = new URL(request.url());
      if (host === new URL(page.url()).host) requested.push(pathname);
    });
    await page.goto(state.path);
    await state.arrive?.(page);
    const names = await page.evaluate(() =>
      [...document.querySelectorAll('[id], [class]')].flatMap(({ id, classList }) => [id, ...classList]),
    );
    expect(names.filter((name) => hidden.test(name))).toEqual([]);
    expect(requested.filter((path) => blocked.test(path))).toEqual([]);
  });
