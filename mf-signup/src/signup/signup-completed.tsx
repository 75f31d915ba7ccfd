import { Button, ButtonLink } from '@daybook/ui';
import { type MouseEvent, useEffect, useRef } from 'react';
import styles from './signup.module.css';
import { signupCopy } from './signup-copy.ts';
import { type CompletedSignup, offersAddress } from './signup-flow.ts';

export interface SignupCompletedProps {
  readonly completed: CompletedSignup;
  readonly titleId: string;
  readonly onFollowOffers: () => void;
  readonly onStartOver: () => void;
}

/** With a modifier key the browser opens a link in another tab or window; this one goes on as before. */
const staysInTab = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => !(ctrlKey || metaKey || shiftKey || altKey);

/** What the modal shows after signing up. It takes the focus, which the form's button took away with itself. */
export function SignupCompleted({
  completed: { email, entryId },
  titleId,
  onFollowOffers,
  onStartOver,
}: SignupCompletedProps) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => content.current?.focus(), []);
  const { subscribed, offers, again } = signupCopy.completed;
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form, so no fieldset; the role lets the title be read out with the focus
    <div ref={content} className={styles.completed} role="group" tabIndex={-1} aria-labelledby={titleId}>
      <p>
        <strong className={styles.address}>{email}</strong> {subscribed}
      </p>
      <div className={styles.actions}>
        {entryId !== undefined && (
          <ButtonLink href={offersAddress(entryId, email)} onClick={(event) => staysInTab(event) && onFollowOffers()}>
            {offers}
          </ButtonLink>
        )}
        <Button variant="secondary" onClick={onStartOver}>
          {again}
        </Button>
      </div>
    </div>
  );
}
