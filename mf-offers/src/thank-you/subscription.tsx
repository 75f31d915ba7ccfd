import { PageHeading } from '@daybook/ui';
import type { Visitor } from '../visitor/visitor.ts';
import styles from './subscription.module.css';
import { thankYouCopy } from './thank-you-copy.ts';

interface SubscriptionProperties {
  /** `undefined` while the page's address is not known yet. */
  readonly visitor: Visitor | undefined;
  /** Whether the completion callback has fired. */
  readonly complete: boolean;
}

/** That the visitor is subscribed, with which address, and how far the registration is. */
export function Subscription({ visitor, complete }: SubscriptionProperties) {
  return (
    <header className={styles.subscription}>
      <PageHeading lead={thankYouCopy.lead}>{thankYouCopy.heading}</PageHeading>
      <p className={styles.destination}>
        {visitor?.email !== undefined && (
          <>
            {thankYouCopy.subscribedAs} <strong className={styles.email}>{visitor.email}</strong>
          </>
        )}
      </p>
      {/* Always there, so that a screen reader listens to it before it says something. */}
      <p role="status" className={styles.note}>
        {complete && thankYouCopy.complete}
      </p>
    </header>
  );
}
