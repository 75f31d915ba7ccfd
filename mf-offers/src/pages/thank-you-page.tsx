import { useLocation } from '@daybook/platform';
import { ButtonLink, Container } from '@daybook/ui';
import { readBlockedTabs } from '../new-tab/blocked-tabs-state.ts';
import { wereOffersAnswered } from '../offers/answered-offers.ts';
import { BlockedTabs } from '../thank-you/blocked-tabs.tsx';
import { FinanceTip } from '../thank-you/finance-tip.tsx';
import { Invitation } from '../thank-you/invitation.tsx';
import { NextSteps } from '../thank-you/next-steps.tsx';
import { Subscription } from '../thank-you/subscription.tsx';
import { thankYouCopy } from '../thank-you/thank-you-copy.ts';
import styles from '../thank-you/thank-you-page.module.css';
import { useCompletion } from '../thank-you/use-completion.ts';
import { useLiteralParameters } from '../visitor/use-literal-parameters.ts';
import { readVisitor } from '../visitor/visitor.ts';

/** /thank-you (product document, sections 2 and 4). The registration is completed behind it; nothing on the page waits for that. */
export default function ThankYouPage() {
  const parameters = useLiteralParameters();
  const visitor = parameters && readVisitor(parameters);
  const blockedTabs = readBlockedTabs(useLocation()?.state);
  const complete = useCompletion(visitor);
  const answered = blockedTabs.offers !== undefined || visitor?.id === undefined || wereOffersAnswered(visitor.id);
  return (
    <Container className={styles.page}>
      <Subscription visitor={visitor} complete={complete} />
      <BlockedTabs tabs={blockedTabs} />
      {visitor !== undefined && !answered && <Invitation visitor={visitor} />}
      <NextSteps />
      <FinanceTip />
      <p>
        <ButtonLink href="/" variant="secondary">
          {thankYouCopy.returnHome}
        </ButtonLink>
      </p>
    </Container>
  );
}
