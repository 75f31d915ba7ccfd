import { UsageError } from '@daybook/server/command-line';
import type { FileTexts } from './remote-lists.ts';

/** A kind of page that one remote has several of, with components of its own. */
interface PageKind {
  readonly remote: string;
  /** Files by their path in the remote's folder; `{slug}`, `{path}`, `{title}` and `{today}` are filled in. */
  readonly files: Readonly<Record<string, string>>;
  /** Additional properties of the route. */
  readonly route: string;
  /** In bytes, as transferred: of a page with little text. */
  readonly budget: number;
  /** Path of the page below which its slug begins. */
  readonly below: string;
}

const spec = (page: string, heading: string) => `import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import Page from './${page}';

test('{path} shows its heading and has no accessibility problems', async () => {
  const { container } = render(
    <main>
      <Page />
    </main>,
  );
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('${heading}');
  expect((await axe(container)).violations).toEqual([]);
});
`;

/** A text in Markdown, with its date and a table of contents. */
const textPage: PageKind = {
  remote: 'mf-legal',
  below: '/',
  route: "hydrate: 'on-interaction',",
  budget: 8000,
  files: {
    'content/{slug}.md': `---
lastUpdated: {today}
---

The purpose of this page in one or two sentences.

## A first section

Its text, in paragraphs, lists and tables.
`,
    'src/pages/{slug}-page.tsx': `import * as text from '../../content/{slug}.md';
import { legalPage } from '../legal-page/legal-page.tsx';

export default legalPage('{title}', text);
`,
    'src/pages/{slug}-page.spec.tsx': spec('{slug}-page.tsx', '{title}'),
  },
};

/** The page of a sponsor's offer. */
const sponsorPage: PageKind = {
  remote: 'mf-offers',
  below: '/offer-landing/',
  route: '',
  budget: 7500,
  files: {
    'src/pages/{slug}-page.tsx': `import { DemoForm } from '../offer-landing/demo-form.tsx';
import styles from '../offer-landing/offer-drawing.module.css';
import { offerLandingPage } from '../offer-landing/offer-landing-page.tsx';

/** {path} (docs/product.md, Sponsor offers). */
export default offerLandingPage({
  // Lines on a sheet of 480 by 300: draw the offer's subject. Styles: body, line, ring, fill, entry, found, signal.
  drawing: <path className={styles.line} d="M92 92h296M92 142h296M92 192h160" />,
  heading: '{title}',
  lead: 'The purpose of this page in one or two sentences.',
  figure: { value: '$0', after: 'a figure of the offer' },
  stepsHeading: 'How it works',
  steps: [
    { title: 'A first step', text: 'What readers do, in a sentence or two.' },
    { title: 'A second step', text: 'What happens then.' },
    { title: 'A third step', text: 'How it ends.' },
  ],
  questions: [
    { title: 'What does it cost?', text: 'What readers should ask the sponsor about it.' },
    { title: 'How does it end?', text: 'What readers should ask the sponsor about it.' },
  ],
  action: <DemoForm heading="Ask for the offer" button="Ask for the offer" />,
});
`,
    'src/pages/{slug}-page.spec.tsx': spec('{slug}-page.tsx', '{title}'),
  },
};

/**
 * Returns the kind of a new page; `undefined` for a page of the design system's components.
 *
 * @param isText whether a text in Markdown is wanted
 * @throws UsageError if the remote has no such pages
 */
export function kindOf(remote: string, page: string, isText: boolean): PageKind | undefined {
  if (isText && remote !== textPage.remote)
    throw new UsageError(`${remote} has no pages of Markdown; ${textPage.remote} has. Leave out --text.`);
  if (isText) return textPage;
  return remote === sponsorPage.remote && page.startsWith(sponsorPage.below) ? sponsorPage : undefined;
}

/**
 * Fills in a kind's files and route for a page.
 *
 * @param values what replaces `{path}`, `{title}` and `{today}`
 * @returns the files by their path from the repository's root, and the `src/remote.ts` of a remote with this route
 */
export function fillKind(
  { remote, files, route, below }: PageKind,
  values: { readonly path: string; readonly title: string; readonly today: string },
): { readonly created: FileTexts; readonly route: string } {
  const all: Readonly<Record<string, string>> = {
    ...values,
    slug: values.path.slice(below.length).replaceAll('/', '-') || 'home',
  };
  const fill = (text: string) => text.replaceAll(/\{(slug|path|title|today)\}/g, (_, name: string) => all[name] ?? '');
  const created = Object.entries(files).map(([file, text]) => [`${remote}/${fill(file)}`, fill(text)] as const);
  const description = '{title}: write here in a sentence what readers find on this page. Search engines show it.';
  const properties = `path: '{path}', title: '{title}', description: '${description}', frame: 'site', ${route}`;
  return {
    created: new Map(created),
    route: fill(`export default { routes: [{ ${properties} page: './pages/{slug}-page.tsx' }] };`),
  };
}
