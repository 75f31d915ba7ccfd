import { useLocation } from '@daybook/platform';
import { ButtonLink, Container } from '@daybook/ui';
import { useState } from 'react';
import { readBlockedTabs } from '../new-tab/blocked-tabs-state.ts';
import { FinanceTip } from '../thank-you/finance-tip.tsx';
import { NextSteps } from '../thank-you/next-steps.tsx';
import { Subscription } from '../thank-you/subscription.tsx';
import { thankYouCopy } from '../thank-you/thank-you-copy.ts';
import styles from '../thank-you/thank-you-page.module.css';
import { useCompletion } from '../thank-you/use-completion.ts';
import { VisitorNotes } from '../thank-you/visitor-notes.tsx';
import { useLiteralParameters } from '../visitor/use-literal-parameters.ts';
import { readVisitor } from '../visitor/visitor.ts';

/** /thank-you (product document, sections 2 and 4). The registration is completed behind it; nothing on the page waits for that. */
export default function ThankYouPage() {
  const parameters = useLiteralParameters();
  const visitor = parameters && readVisitor(parameters);
  const blockedTabs = readBlockedTabs(useLocation()?.state);
  const complete = useCompletion(visitor);
  // What a page that was read before it knew its visitor learns of them goes below the rest, so that nothing moves.
  const [knewVisitor] = useState(visitor !== undefined);
  const notes = visitor && <VisitorNotes visitor={visitor} blockedTabs={blockedTabs} />;
  return (
    <Container className={styles.page}>
      <Subscription visitor={visitor} complete={complete} />
      {knewVisitor && notes}
      <NextSteps />
      <FinanceTip />
      <p>
        <ButtonLink href="/" variant="secondary">
          {thankYouCopy.returnHome}
        </ButtonLink>
      </p>
      {!knewVisitor && notes}
    </Container>
  );
}
