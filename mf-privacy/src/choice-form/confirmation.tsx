import { ButtonLink, Panel } from '@daybook/ui';
import { useEffect, useRef } from 'react';
import type { ChoiceConfirmation } from './choice.ts';
import { referenceCopy, returnLabel } from './choice-form-copy.ts';
import styles from './confirmation.module.css';
import sheet from './sheet.module.css';

const headingId = 'confirmation';
const messageId = 'confirmation-message';

interface ConfirmationProperties {
  readonly confirmation: ChoiceConfirmation;
  /** The number under which the request is stored; none where it is not. */
  readonly reference: string | undefined;
}

/**
 * The success panel of a privacy choice. The form that had the focus is gone, so the heading takes it; the
 * message describes the heading, so that a screen reader says both.
 */
export function Confirmation({ confirmation, reference }: ConfirmationProperties) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Panel className={sheet.sheet} tone="success" aria-labelledby={headingId}>
      <h2 id={headingId} ref={heading} tabIndex={-1} aria-describedby={messageId}>
        {confirmation.heading}
      </h2>
      <div id={messageId} className={styles.message}>
        {confirmation.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {reference && (
          <p>
            {referenceCopy.label} <strong className={styles.reference}>{reference}</strong> {referenceCopy.advice}
          </p>
        )}
      </div>
      <ButtonLink className={sheet.action} href="/">
        {returnLabel}
      </ButtonLink>
    </Panel>
  );
}
