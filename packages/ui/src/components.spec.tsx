import { site } from '@daybook/contract/site';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server.edge';
import { Button, ButtonLink } from './button.tsx';
import { Checkbox, CheckboxGroup } from './checkboxes.tsx';
import { Introduction, SideBySide } from './columns.tsx';
import { Select, TextArea, TextField } from './fields.tsx';
import { PrivacyHeader, SiteFooter, SiteHeader } from './frame.tsx';
import { Container, Cover, PageHeading, Panel } from './layout.tsx';
import { ErrorMessage, NeedsScript, Spinner, showAlert, VisuallyHidden } from './status.tsx';

const user = userEvent.setup({ delay: null });
const button = () => screen.getByRole('button');
const { alert } = window;

afterEach(() => void Object.assign(window, { alert }));

const types = [
  { value: 'access', label: 'Access My Data' },
  { value: 'delete', label: 'Delete My Data' },
];
const categories = [
  { value: 'health', label: 'Health Information', description: 'Treatments and diagnoses' },
  { value: 'location', label: 'Precise Location Data' },
];
const notes = { hint: 'One or more', error: 'Please choose' };
const checkboxes = (shown: Partial<typeof notes>) => (
  <CheckboxGroup {...shown} id="type" name="type" legend="Request type" options={categories} />
);

const picture = <img src="data:," alt="A tooth" />;

test.each([
  [
    'the site',
    <SiteHeader key="header" />,
    <Introduction key="h1" heading="Dentist" lead="A plan." picture={picture} />,
  ],
  [
    'the privacy pages',
    <PrivacyHeader key="header" />,
    <PageHeading key="h1" lead="Allow 48 hours.">
      Unsubscribe
    </PageHeading>,
  ],
])(
  'a page of all components in the frame of %s is accessible, and its heading takes the focus before any picture',
  async (_frame, header, heading) => {
    const { container } = render(
      <>
        {header}
        <main>
          {heading}
          <SideBySide align="start">
            <Panel aria-label="Request Submitted">
              <ErrorMessage>Something went wrong.</ErrorMessage>
              <Spinner label="Loading your offers..." />
            </Panel>
            <Container>
              <Checkbox {...categories[0]} id="a" label="Health Information" />
              <Button>Unsubscribe</Button>
              <Button busy busyLabel="Working..." />
            </Container>
          </SideBySide>
          <Cover aria-label="Subscribe">
            <ButtonLink href="/">
              Return <VisuallyHidden>to Home</VisuallyHidden>
            </ButtonLink>
          </Cover>
        </main>
        <SiteFooter supportAddress="help@example.com" />
      </>,
    );
    expect((await axe(container)).violations).toEqual([]);
    const shown = screen.getByRole('heading', { level: 1 });
    shown.focus();
    expect(shown).toHaveFocus();
    for (const each of screen.queryAllByRole('img', { name: 'A tooth' }))
      expect(shown.compareDocumentPosition(each)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  },
);

test('a busy button shows its busy label and a spinner, retains the focus, and ignores presses, also Enter in a field of its form', async () => {
  const press = jest.fn();
  const submit = jest.fn<(event: { preventDefault(): void }) => void>((event) => event.preventDefault());
  const form = (busy: boolean, busyLabel?: string) => (
    <form onSubmit={submit}>
      <input aria-label="Email" />
      <Button type="submit" busy={busy} busyLabel={busyLabel} onClick={press}>
        Send
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  expect(button()).not.toHaveAttribute('aria-disabled', 'true');
  await user.click(button());
  expect([press.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1]);
  rerender(form(true, 'Sending...'));
  expect(screen.getByRole('button', { name: 'Sending...' })).toHaveFocus();
  expect(button()).toHaveAttribute('aria-disabled', 'true');
  // A disabled button would lose the focus in browsers.
  expect(button()).toBeEnabled();
  expect(button().querySelector('.ring')).toBeInTheDocument();
  await user.click(button());
  await user.type(screen.getByRole('textbox'), 'a{Enter}');
  expect([press.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1]);
  rerender(form(true));
  expect(button()).toHaveAccessibleName('Send');
});

describe('a field', () => {
  test.each<[string, (shown: Partial<typeof notes>) => ReactElement]>([
    ['textbox', (shown) => <TextField {...shown} id="type" label="Request type" />],
    ['textbox', (shown) => <TextArea {...shown} id="type" label="Request type" />],
    ['combobox', (shown) => <Select {...shown} id="type" label="Request type" options={types} />],
    ['group', checkboxes],
  ])('with the role %s shows and announces its notes, and is valid without any', async (role, fieldWith) => {
    const { container, rerender } = render(fieldWith(notes));
    const control = screen.getByRole(role, { name: 'Request type' });
    expect(screen.getByRole('alert')).toHaveTextContent('Please choose');
    expect(control).toHaveAccessibleDescription('One or more Please choose');
    if (role !== 'group') expect(control).toBeInvalid();
    expect((await axe(container)).violations).toEqual([]);
    rerender(fieldWith({}));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(control).not.toHaveAttribute('aria-describedby');
    expect(control).toBeValid();
    expect((await axe(container)).violations).toEqual([]);
  });

  test('of checkboxes toggles each by its label, describes it, and retains the order of the options', async () => {
    const { container } = render(<form>{checkboxes({})}</form>);
    const chosen = () => new FormData(container.querySelector('form') ?? undefined).getAll('type');
    await user.click(screen.getByText('Precise Location Data'));
    await user.click(screen.getByText('Health Information'));
    expect(chosen()).toEqual(['health', 'location']);
    await user.click(screen.getByText('Precise Location Data'));
    expect(chosen()).toEqual(['health']);
    expect(screen.getByRole('checkbox', { name: 'Health Information' })).toHaveAccessibleDescription(
      'Treatments and diagnoses',
    );
  });
});

test.each([
  ['the site', <SiteHeader key="site" />, ['/ Daybook, home']],
  ['the privacy pages', <PrivacyHeader key="privacy" />, ['/ Daybook, home', '/ Back to Home']],
])('the header of %s has only links home', (_what, header, links) => {
  render(header);
  const shown = screen.getAllByRole('link');
  expect(
    shown.map((link) => `${link.getAttribute('href')} ${link.getAttribute('aria-label') ?? link.textContent}`),
  ).toEqual(links);
});

test('the footer names the publisher and links to every page required by docs/product.md', () => {
  render(<SiteFooter supportAddress="help@example.com" />);
  expect(screen.getByRole('contentinfo')).toHaveTextContent(`© ${site.publisher}`);
  const addresses = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  const required =
    '/ /#features /unsubscribe /terms /privacy-policy /cookie-policy /e-consent /california-privacy-notice ' +
    '/ca-unsubscribe /privacy-rights-request /profiling-opt-out /targeted-opt-out /limit-sensitive-info ' +
    '/accessible-view mailto:help@example.com';
  expect(addresses.toSorted()).toEqual(required.split(' ').toSorted());
});

test('a spinner announces its label, and is decoration without one', () => {
  const { container, rerender } = render(<Spinner label="Loading your offers..." />);
  expect(screen.getByRole('status')).toHaveTextContent('Loading your offers...');
  rerender(<Spinner />);
  expect(screen.queryByRole('status')).toBeNull();
  expect(container.firstChild).toHaveAttribute('aria-hidden', 'true');
});

test('a note for visitors without JavaScript is in the HTML of a page, and not shown to others', () => {
  const note = <NeedsScript>Subscribing needs JavaScript.</NeedsScript>;
  expect(renderToString(note)).toMatch(/^<noscript><p[^>]*>Subscribing needs JavaScript\.<\/p><\/noscript>$/);
  expect(render(note).container).toHaveTextContent('');
});

test.each([
  [
    'throws',
    () => {
      throw new Error('Dialogs are not supported.');
    },
  ],
  ['is missing', undefined],
])('an alert is not necessary: alert() %s', (_how, replaced) => {
  Object.assign(window, { alert: replaced });
  expect(() => showAlert('This is a demo.')).not.toThrow();
});
