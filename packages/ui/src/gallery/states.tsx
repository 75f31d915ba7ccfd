import { type ReactNode, useRef } from 'react';
import { Button, ButtonLink } from '../button.tsx';
import { Checkbox, CheckboxGroup } from '../checkboxes.tsx';
import { Introduction, SideBySide } from '../columns.tsx';
import { Dialog, showDialog } from '../dialog.tsx';
import { Select, TextArea, TextField } from '../fields.tsx';
import { PrivacyHeader, SiteFooter, SiteHeader } from '../frame.tsx';
import type * as components from '../index.ts';
import { Container, Cover, PageHeading, Panel } from '../layout.tsx';
import { LedgerPage } from '../ledger-page.tsx';
import { NotFound } from '../not-found.tsx';
import { Optional } from '../optional.tsx';
import { Prose } from '../prose.tsx';
import { ErrorMessage, NeedsScript, Spinner, VisuallyHidden } from '../status.tsx';
import { Tooltip } from '../tooltip.tsx';

const topics = [
  { value: 'health', label: 'Health information', description: 'Treatments and diagnoses' },
  { value: 'location', label: 'Precise location' },
];
const requests = topics.map(({ value, label }) => ({ value, label }));
const notes = { hint: 'As on your last letter from us.', error: 'Please fill this in.' };

const picture = (
  <svg viewBox="0 0 120 80" width="120" height="80" role="img" aria-label="A sun above a line">
    <path d="M10 60h100M30 60a30 30 0 0 1 60 0" fill="none" stroke="currentColor" strokeWidth="4" />
  </svg>
);

function DialogState() {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button onClick={() => showDialog(dialog.current)}>Open the dialog</Button>
      <Dialog id="dialog" ref={dialog} title="Subscribe to the newsletter">
        <TextField id="dialog-email" label="Email address" type="email" />
        <Button>Subscribe</Button>
      </Dialog>
    </>
  );
}

function Failing(): ReactNode {
  throw new Error('An extension replaced a function of the browser.');
}

/** A component of `index.ts` that is missing here does not compile. */
export const states: Record<
  Exclude<keyof typeof components, 'closeDialog' | 'showAlert' | 'showDialog' | 'TooltipProvider'>,
  Readonly<Record<string, ReactNode>>
> = {
  Button: {
    primary: <Button>Unsubscribe</Button>,
    secondary: <Button variant="secondary">No thanks</Button>,
    large: <Button size="large">Get my free subscription</Button>,
    'busy, with a label': (
      <Button busy busyLabel="Processing...">
        Unsubscribe
      </Button>
    ),
  },
  ButtonLink: {
    primary: <ButtonLink href="/">Return to Home</ButtonLink>,
    secondary: (
      <ButtonLink href="/" variant="secondary">
        Return to Home
      </ButtonLink>
    ),
  },
  TextField: {
    empty: <TextField id="field" label="Email address" type="email" />,
    'with a hint': <TextField id="field-hint" label="ZIP code" hint={notes.hint} defaultValue="04101" />,
    'with an error': <TextField id="field-error" label="ZIP code" {...notes} defaultValue="4101" />,
  },
  TextArea: {
    empty: <TextArea id="area" label="Comments" />,
    'with an error': <TextArea id="area-error" label="Comments" {...notes} defaultValue="All of it." />,
  },
  Select: {
    plain: <Select id="select" label="State" options={requests} />,
    'with an error': <Select id="select-error" label="State" options={requests} {...notes} />,
  },
  Checkbox: {
    unchecked: <Checkbox id="unchecked" label="Precise location" />,
    'checked, with a description': <Checkbox id="checked" label="Health" description="Treatments" defaultChecked />,
  },
  CheckboxGroup: {
    'with a hint': (
      <CheckboxGroup id="group" name="group" legend="What to limit" options={topics} hint="One or more." />
    ),
    'with an error': (
      <CheckboxGroup id="group-error" name="group-error" legend="What to limit" options={topics} {...notes} />
    ),
  },
  Dialog: { closed: <DialogState /> },
  ErrorMessage: { 'of a form': <ErrorMessage>Something went wrong. Please try again.</ErrorMessage> },
  Spinner: { plain: <Spinner />, 'with a label for screen readers': <Spinner label="Loading your offers..." /> },
  NeedsScript: { 'visible without JavaScript only': <NeedsScript>This form needs JavaScript.</NeedsScript> },
  VisuallyHidden: { 'for screen readers only': <VisuallyHidden>Screen readers read this.</VisuallyHidden> },
  Tooltip: {
    'on hover, focus and tap': (
      <Tooltip content="Paid for by the sponsor">
        <Button variant="secondary">Sponsored</Button>
      </Tooltip>
    ),
  },
  Optional: {
    'of something that works': <Optional>Shown.</Optional>,
    'of something that fails: nothing': (
      <Optional>
        <Failing />
      </Optional>
    ),
  },
  Panel: {
    plain: <Panel aria-label="Plain">Your address is not stored.</Panel>,
    success: (
      <Panel tone="success" aria-label="Success">
        You are unsubscribed.
      </Panel>
    ),
    notice: (
      <Panel tone="notice" aria-label="Notice">
        Allow 48 hours.
      </Panel>
    ),
  },
  Container: {
    narrow: <Container width="narrow">For a form.</Container>,
    regular: <Container>For text.</Container>,
    wide: <Container width="wide">For several columns.</Container>,
  },
  Cover: {
    'with other components': (
      <Cover aria-label="On the cover">
        <Container>
          <p>
            Its content uses the colors on dark. <a href="/terms">Terms</a>
          </p>
          <ButtonLink href="/">Subscribe</ButtonLink>
        </Container>
      </Cover>
    ),
  },
  SideBySide: {
    stretched: (
      <SideBySide>
        <Panel aria-label="Left">One line.</Panel>
        <Panel aria-label="Right">Beside it if there is room, else below it.</Panel>
      </SideBySide>
    ),
  },
  PageHeading: {
    'with a lead': <PageHeading lead="Allow 48 hours.">Unsubscribe</PageHeading>,
    'for screen readers only': <PageHeading visuallyHidden>Terms of Service</PageHeading>,
  },
  Introduction: {
    'with a picture': (
      <Introduction
        label={<p>Daybook Silver</p>}
        heading="Your money, in five minutes a day"
        lead="Market trends, saving strategies and financial news."
        picture={picture}
      >
        <Button size="large">Subscribe</Button>
      </Introduction>
    ),
  },
  LedgerPage: {
    'with an entry': <LedgerPage heading="Tomorrow" entry="Your first issue" />,
  },
  NotFound: {
    'with an explanation': (
      <NotFound
        heading="Registration Not Found"
        lead="This link doesn’t lead to a registration."
        text="Signing up takes a minute."
        home="Return to Homepage"
        supportAddress="support@daybook.example"
      />
    ),
  },
  Prose: {
    'with what a text may have': (
      <Prose>
        <h3>A heading</h3>
        <p>
          A paragraph with <a href="/terms">our terms</a>, <strong>weight</strong> and <em>stress</em>.
        </p>
        <ul>
          <li>A list</li>
          <li>of two items</li>
        </ul>
        <blockquote>A quotation.</blockquote>
      </Prose>
    ),
  },
  SiteHeader: { 'of most pages': <SiteHeader /> },
  PrivacyHeader: { 'of the privacy pages': <PrivacyHeader /> },
  SiteFooter: { 'of most pages': <SiteFooter supportAddress="help@daybook.example" /> },
};
