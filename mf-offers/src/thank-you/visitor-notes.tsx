import type { BlockedTabs as Blocked } from '../new-tab/blocked-tabs-state.ts';
import { wereOffersAnswered } from '../offers/answered-offers.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { BlockedTabs } from './blocked-tabs.tsx';
import { Invitation } from './invitation.tsx';
import { thankYouCopy } from './thank-you-copy.ts';
import styles from './visitor-notes.module.css';

interface VisitorNotesProperties {
  readonly visitor: Visitor;
  readonly blockedTabs: Blocked;
}

/** What concerns some visitors: that their details are missing, tabs that did not open, the way to the bonus offers. */
export function VisitorNotes({ visitor, blockedTabs }: VisitorNotesProperties) {
  const { id, email } = visitor;
  const answered = blockedTabs.offers !== undefined || id === undefined || wereOffersAnswered(id);
  return (
    <>
      {id === undefined && email === undefined && <p className={styles.note}>{thankYouCopy.detailsMissing}</p>}
      <BlockedTabs tabs={blockedTabs} />
      {!answered && <Invitation visitor={visitor} />}
    </>
  );
}
