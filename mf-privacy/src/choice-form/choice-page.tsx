import { useSiteSettings } from '@daybook/platform';
import { Button, ButtonLink, Container, ErrorMessage, NeedsScript, PageHeading, Panel } from '@daybook/ui';
import { type ComponentProps, useEffect, useRef } from 'react';
import type { Choice } from './choice.tsx';
import styles from './choice-page.module.css';
import { useChoiceForm } from './use-choice-form.ts';

/** A form next to an explanation of the choice; the confirmation replaces the form. */
export function ChoicePage({ choice }: { readonly choice: Choice }) {
  const form = useChoiceForm(choice);
  const submitted = form.status === 'submitted';
  return (
    <Container width="wide" className={styles.page}>
      {/* The confirmation has a heading that says it again. */}
      <PageHeading lead={submitted ? undefined : choice.lead} visuallyHidden={submitted}>
        {choice.heading}
      </PageHeading>
      <div className={styles.columns}>
        <div>
          {submitted ? (
            <Confirmation confirmation={choice.confirmation} reference={form.reference} />
          ) : (
            <ChoiceForm choice={choice} form={form} />
          )}
          <SupportNote
            note={
              form.reference ? (choice.recordedSupportNote ?? recordedSupportNote) : (choice.supportNote ?? supportNote)
            }
          />
        </div>
        <div className={styles.background}>
          <choice.Background components={background} />
        </div>
      </div>
    </Container>
  );
}

/** Returns the component of a choice's page, for the default export of its module. */
export const choicePage = (choice: Choice) => () => <ChoicePage choice={choice} />;

function ChoiceForm({ choice, form }: { readonly choice: Choice; readonly form: ReturnType<typeof useChoiceForm> }) {
  const button = useRef<HTMLButtonElement>(null);
  const { failure } = form;
  const submitting = form.status === 'submitting';
  // The disabled button has lost the focus to what is around it.
  useEffect(() => {
    if (failure !== undefined && document.activeElement?.contains(button.current)) button.current?.focus();
  }, [failure]);
  return (
    <Panel className={styles.sheet}>
      <DemoNote copy={demoCopy.before} />
      <form
        className={styles.form}
        // Before the script is loaded, a press must neither send anything nor put it into the URL.
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.submit(event.currentTarget);
        }}
        onChange={(event) => form.change(event.currentTarget)}
      >
        <p>{choice.explanation}</p>
        {choice.fields.map((field) => (
          <field.Control key={field.name} error={form.errorOf(field)} />
        ))}
        {failure !== undefined && <ErrorMessage>{failure}</ErrorMessage>}
        <div>
          <Button
            ref={button}
            className={styles.action}
            type="submit"
            busy={submitting}
            disabled={submitting}
            busyLabel={busyLabel}
          >
            {choice.submitLabel}
          </Button>
          <NeedsScript>{needsScript}</NeedsScript>
        </div>
      </form>
    </Panel>
  );
}

interface ConfirmationProps {
  readonly confirmation: Choice['confirmation'];
  readonly reference: string | undefined;
}

/** Its heading takes the focus of the removed form, and is described by the rest, so that a screen reader reads all. */
function Confirmation({ confirmation, reference }: ConfirmationProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Panel className={styles.sheet} tone="success" aria-labelledby="confirmation">
      {reference === undefined && <DemoNote id="demo-note" copy={demoCopy.after} />}
      <h2
        id="confirmation"
        ref={heading}
        tabIndex={-1}
        aria-describedby={`${reference === undefined ? 'demo-note ' : ''}confirmation-message`}
      >
        {confirmation.heading}
      </h2>
      <div id="confirmation-message" className={styles.message}>
        {confirmation.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {reference && (
          <p>
            {referenceCopy.label}{' '}
            <strong className={styles.reference} translate="no">
              {reference}
            </strong>{' '}
            {referenceCopy.advice}
          </p>
        )}
      </div>
      <ButtonLink className={styles.action} href="/">
        {returnLabel}
      </ButtonLink>
    </Panel>
  );
}

/** Says that nothing is sent. Styles hide it on sites that record requests: its HTML is made before that is known. */
function DemoNote({ id, copy }: { readonly id?: string; readonly copy: readonly [string, string] }) {
  const { privacyRequests, supportAddress } = useSiteSettings();
  const [before, after] = copy;
  return (
    <p id={id} className={styles.demoNote} data-privacy-requests={privacyRequests}>
      {before}{' '}
      <a href={`mailto:${supportAddress}`} translate="no">
        {supportAddress}
      </a>
      {after}
    </p>
  );
}

/** Without list marks, Safari reads no list out unless the role is given. */
const background = {
  // biome-ignore lint/a11y/noRedundantRoles: see above
  ul: (properties: ComponentProps<'ul'>) => <ul role="list" {...properties} />,
};

function SupportNote({ note }: { readonly note: string }) {
  const { supportAddress } = useSiteSettings();
  return (
    <p className={styles.note}>
      {/* An element, because it changes with the confirmation, and a translator may have replaced the text. */}
      <span>{note}</span>{' '}
      <a href={`mailto:${supportAddress}`} translate="no">
        {supportAddress}
      </a>
      .
    </p>
  );
}

const busyLabel = 'Processing...';
const needsScript = 'This form needs JavaScript. Please turn it on and reload the page, or email us instead.';
const returnLabel = 'Return to Home';

/** Before and after the support address. */
const demoCopy = {
  before: ['This form is a demo and sends nothing. To make this request, email', '.'],
  after: ['This was a demo: nothing was sent. To make this request, email', '. A real one ends like this:'],
} as const;

const referenceCopy = {
  label: 'Your reference number:',
  advice: 'Please save it, and include it if you write to us.',
} as const;
const supportNote = 'Questions about this request? Email';
const recordedSupportNote = 'Questions about your request? Include the reference number when you email';
