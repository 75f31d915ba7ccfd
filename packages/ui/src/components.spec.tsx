import { site } from '@daybook/contract/site';
import { describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import type { ReactElement } from 'react';
import { Button, ButtonLink } from './button.tsx';
import { Checkbox, CheckboxGroup } from './checkboxes.tsx';
import { Introduction, SideBySide } from './columns.tsx';
import { Select, TextArea, TextField } from './fields.tsx';
import { PrivacyHeader, SiteFooter, SiteHeader } from './frame.tsx';
import { Container, Cover, PageHeading, Panel } from './layout.tsx';
import { ErrorMessage, NeedsScript, Spinner, VisuallyHidden } from './status.tsx';

const user = userEvent.setup({ delay: null });
const button = () => screen.getByRole('button');
const paragraphs = () => screen.getAllByRole('paragraph').map(({ textContent }) => textContent);

const notes = { hint: 'One or more', error: 'Please choose' };
const types = [
  { value: 'access', label: 'Access My Data' },
  { value: 'delete', label: 'Delete My Data' },
];
const categories = [
  { value: 'health', label: 'Health Information', description: 'Treatments and diagnoses' },
  { value: 'location', label: 'Precise Location Data' },
];
/** Each kind of field, with its role, with or without hint and error message. */
const fieldsWith = (
  shown: Partial<typeof notes>,
): Readonly<Record<string, { readonly role: string; readonly field: ReactElement }>> => {
  const common = { ...shown, id: 'type', name: 'type' };
  return {
    'a text field': { role: 'textbox', field: <TextField {...common} label="Request type" /> },
    'a text area': { role: 'textbox', field: <TextArea {...common} label="Request type" /> },
    'a drop-down list': { role: 'combobox', field: <Select {...common} label="Request type" options={types} /> },
    'a group of checkboxes': {
      role: 'group',
      field: <CheckboxGroup {...common} legend="Request type" options={categories} />,
    },
  };
};

const elements: Readonly<Record<string, ReactElement>> = {
  'a button': <Button>Unsubscribe</Button>,
  'a busy button': (
    <Button variant="secondary" size="large" busy busyLabel="Working...">
      Busy
    </Button>
  ),
  'a link that looks like a button': <ButtonLink href="/">Return to Home</ButtonLink>,
  'a checkbox': <Checkbox {...categories[0]} id="a" label="Health Information" />,
  'the header of the site': <SiteHeader />,
  'the header of the privacy pages': <PrivacyHeader />,
  'the footer': <SiteFooter supportAddress="help@example.com" />,
  'a container': <Container>Content</Container>,
  'a cover': <Cover aria-label="Subscribe">Tomorrow’s page is still blank.</Cover>,
  'a panel': <Panel aria-label="Request Submitted">Allow 48 hours.</Panel>,
  'content side by side': <SideBySide align="start">First</SideBySide>,
  'a heading': <PageHeading lead="Allow up to 48 hours.">Unsubscribe</PageHeading>,
  'an introduction': <Introduction heading="Dentist" lead="A plan." picture={<img src="data:," alt="" />} />,
  'a link with hidden text': (
    <a href="/terms">
      Terms <VisuallyHidden>of Service</VisuallyHidden>
    </a>
  ),
  'a spinner with a label': <Spinner label="Loading your offers..." />,
  'an error message': <ErrorMessage>Something went wrong.</ErrorMessage>,
};

test.each([
  ...Object.entries(elements),
  ...Object.entries(fieldsWith({})).map(([name, { field }]): [string, ReactElement] => [name, field]),
  ...Object.entries(fieldsWith(notes)).map(([name, { field }]): [string, ReactElement] => [
    `${name} with notes`,
    field,
  ]),
])('%s is accessible by the rules of axe', async (_what, element) => {
  const { container } = render(element);
  expect((await axe(container)).violations).toEqual([]);
});

describe('a button', () => {
  test('shows its busy label and a spinner, and retains the focus', () => {
    const { rerender } = render(<Button busyLabel="Processing...">Submit Request</Button>);
    expect(button()).toHaveAttribute('type', 'button');
    expect(button()).not.toHaveAttribute('aria-disabled', 'true');
    button().focus();
    rerender(
      <Button busy busyLabel="Processing...">
        Submit Request
      </Button>,
    );
    expect(screen.getByRole('button', { name: 'Processing...' })).toHaveFocus();
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    expect(button()).toBeEnabled();
    expect(button().querySelector('.ring')).toBeInTheDocument();
    rerender(<Button busy>Try again</Button>);
    expect(button()).toHaveAccessibleName('Try again');
  });

  test('ignores a press while it is busy, including Enter in a field of its form', async () => {
    const press = jest.fn();
    const submit = jest.fn();
    const form = (busy: boolean) => (
      <form onSubmit={submit}>
        <input aria-label="Email" />
        <Button type="submit" busy={busy} onClick={press}>
          Send
        </Button>
      </form>
    );
    const { rerender } = render(form(true));
    await user.click(button());
    await user.type(screen.getByRole('textbox'), 'a{Enter}');
    expect([press, submit].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    rerender(form(false));
    submit.mockImplementation((event) => (event as Event).preventDefault());
    await user.click(button());
    expect([press, submit].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });
});

describe('a field', () => {
  test.each(Object.entries(fieldsWith(notes)))('shows and announces its notes: %s', (_what, { role, field }) => {
    render(field);
    const control = screen.getByRole(role, { name: 'Request type' });
    expect(screen.getByRole('alert')).toHaveTextContent('Please choose');
    expect(control).toHaveAccessibleDescription('One or more Please choose');
    if (role !== 'group') expect(control).toBeInvalid();
  });

  test.each(Object.entries(fieldsWith({})))('is valid without notes: %s', (_what, { role, field }) => {
    render(field);
    const control = screen.getByRole(role, { name: 'Request type' });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(control).not.toHaveAttribute('aria-describedby');
    expect(control).toBeValid();
  });

  test('of checkboxes toggles each by its label, describes it, and retains the order of the options', async () => {
    const { container } = render(<form>{fieldsWith({})['a group of checkboxes']?.field}</form>);
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

test('the header of the site has only the logo, and that of the privacy pages a link home', () => {
  const { unmount } = render(<SiteHeader />);
  expect(screen.getAllByRole('link')).toEqual([screen.getByRole('link', { name: 'Daybook, home' })]);
  unmount();
  render(<PrivacyHeader />);
  for (const name of ['Daybook, home', 'Back to Home'])
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', '/');
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

test('a cover has the colors for a dark surface', () => {
  render(<Cover aria-label="Subscribe">Tomorrow’s page is still blank.</Cover>);
  expect(screen.getByRole('region', { name: 'Subscribe' })).toHaveAttribute('data-surface', 'cover');
});

test.each([
  ['a page', <PageHeading key="a">Unsubscribe</PageHeading>, []],
  [
    'a page with an introduction',
    <Introduction
      key="b"
      label={<p>Sponsored</p>}
      heading="Unsubscribe"
      lead="A membership, not insurance."
      picture={<img src="data:," alt="A tooth" />}
    >
      <p>Plans from $9.95 a month</p>
    </Introduction>,
    ['Sponsored', 'A membership, not insurance.', 'Plans from $9.95 a month'],
  ],
])('the heading of %s takes the focus after a navigation, before any picture', (_what, element, texts) => {
  render(element);
  const heading = screen.getByRole('heading', { level: 1, name: 'Unsubscribe' });
  heading.focus();
  expect(heading).toHaveFocus();
  expect(texts.length > 0 ? paragraphs() : []).toEqual(texts);
  for (const picture of screen.queryAllByRole('img'))
    expect(heading.compareDocumentPosition(picture)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a spinner announces its label, and is decoration without one', () => {
  const { container, rerender } = render(<Spinner label="Loading your offers..." />);
  expect(screen.getByRole('status')).toHaveTextContent('Loading your offers...');
  rerender(<Spinner />);
  expect(screen.queryByRole('status')).toBeNull();
  expect(container.firstChild).toHaveAttribute('aria-hidden', 'true');
});

test('an error message is announced', () => {
  render(<ErrorMessage>Please try again.</ErrorMessage>);
  expect(screen.getByRole('alert')).toHaveTextContent('Please try again.');
});

test('a note for visitors without JavaScript is not shown to others', () => {
  expect(render(<NeedsScript>Subscribing needs JavaScript.</NeedsScript>).container).toHaveTextContent('');
});
