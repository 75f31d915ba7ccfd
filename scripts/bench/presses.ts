import path from 'node:path';
import { siteRoutes } from '@daybook/testing/routes';
import { measurePress, readDialog } from './browser.ts';
import { measureCases, mediansOf } from './comparison.ts';
import { type Part, startMeasuredSite } from './site.ts';
import { serveStaticPages } from './variants/static-site.ts';

const signupButton = 'main button[aria-haspopup="dialog"]';
const checkbox = 'main input[type="checkbox"]';

/** Measures presses against what they could cost: the dialog against a native one, a first tick against that of the offers. */
export const measurePresses: Part = async (context) => {
  const { started, folder, browser } = context;
  const chromium = await browser();
  const { url: site } = await startMeasuredSite(started, folder);
  const { dialog, styles } = await readDialog(chromium, site, signupButton);
  const opening = `for (const button of document.querySelectorAll('${signupButton}'))
    button.addEventListener('click', () => document.querySelector('dialog').showModal());`;
  const withDialog = (page: string) =>
    page.replace('</body>', `<style>${styles}</style>${dialog}<script>${opening}</script></body>`);
  const html = await serveStaticPages(started, path.join(folder, 'static'), site, siteRoutes(['/']), withDialog);
  const cases = {
    'signup button': [
      { name: 'site', url: site, selector: signupButton },
      { name: 'baseline', url: html, selector: signupButton },
    ],
    'first tick of /limit-sensitive-info': [
      { name: 'site', url: `${site}/limit-sensitive-info`, selector: checkbox },
      { name: 'baseline', url: `${site}/continue-registration?id=7`, selector: checkbox },
    ],
  };
  const measured = await measureCases(cases, context, ({ url, selector }) => measurePress(chromium, url, selector));
  const figures = [{ key: 'nextPaint', title: 'press to next paint in ms', digits: 0 }];
  return {
    comparisons: [
      { title: 'Presses', contestants: ['site', 'baseline'], baseline: 'baseline', figures, cases: measured },
    ],
    note: `4x CPU, ${mediansOf(context.rounds)}; in brackets the ratio to the baseline: the same page as static HTML with a native dialog, and the first tick of the offers.`,
  };
};
