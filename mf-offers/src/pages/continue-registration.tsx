import { useSiteSettings } from '@daybook/platform';
import type { PageRouteDefinition } from '@daybook/platform/page';
import {
  Button,
  Checkbox,
  Container,
  ErrorMessage,
  NeedsScript,
  NotFound,
  PageHeading,
  Spinner,
  Tooltip,
  TooltipProvider,
} from '@daybook/ui';
import { type RefObject, useEffect, useState } from 'react';
import { useLiteralParameters } from '../literal-parameters.ts';
import { type Offer, offers } from '../offers.ts';
import sponsoredStyles from '../sponsored.module.css';
import { type RegisteredVisitor, useOfferPicker } from '../use-offer-picker.ts';
import { parseEmail, parseRegistrationId } from '../visitor.ts';
import styles from './continue-registration.module.css';

export const route = {
  path: '/continue-registration',
  title: 'Your bonus offers',
  description: 'Bonus offers from Daybook’s sponsors for new readers. Pick any you like, or skip them all.',
  frame: 'site',
  noIndex: true,
} satisfies PageRouteDefinition;

/** The offers are the same for everyone: visitors can check them before the registration is known. */
export default function ContinueRegistrationPage() {
  const parameters = useLiteralParameters();
  const id = parseRegistrationId(parameters?.get('id'));
  if (parameters !== undefined && id === undefined) return <RegistrationNotFound />;
  const visitor = id === undefined ? undefined : { id, email: parseEmail(parameters?.get('email')) };
  return <OfferPicker visitor={visitor} />;
}

function RegistrationNotFound() {
  return <NotFound {...notFoundCopy} supportAddress={useSiteSettings().supportAddress} />;
}

const errorId = 'offers-error';

function OfferPicker({ visitor }: { readonly visitor: RegisteredVisitor | undefined }) {
  const { choices, state, available, choose, proceed, decline } = useOfferPicker(visitor);
  const nothingChosen = state === 'nothing-chosen';
  const [count, setCount] = useState(0);
  const recount = () => setCount(choices.current?.querySelectorAll(':checked').length ?? 0);
  // Browsers restore checked offers, and visitors check some before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes are events
  useEffect(recount, []);
  return (
    <Container width="wide" className={styles.page}>
      <PageHeading lead={pickerCopy.lead}>{pickerCopy.heading}</PageHeading>
      {!visitor && (
        <p role="status" className={styles.loading}>
          <Spinner />
          <span>{loadingLabel}</span>
        </p>
      )}
      <div className={styles.columns}>
        <Disclosure />
        <div>
          <OfferChoices
            ref={choices}
            // The first render is that of the prerendered page, which contains all offers.
            offers={visitor ? available : offers}
            onChoice={() => {
              choose();
              recount();
            }}
            errorId={nothingChosen ? errorId : undefined}
          />
          {nothingChosen && (
            <div className={styles.error}>
              <ErrorMessage id={errorId}>{pickerCopy.nothingChosen}</ErrorMessage>
            </div>
          )}
          <div className={styles.actions}>
            <Button size="large" busy={state === 'proceeding'} busyLabel={pickerCopy.proceeding} onClick={proceed}>
              {pickerCopy.proceed(count)}
            </Button>
            <Button
              variant="secondary"
              size="large"
              busy={state === 'declining'}
              busyLabel={pickerCopy.declining}
              onClick={decline}
            >
              {pickerCopy.decline}
            </Button>
          </div>
          <p className={styles.note}>{pickerCopy.newTabsNote}</p>
          <NeedsScript>{needsScript}</NeedsScript>
        </div>
      </div>
    </Container>
  );
}

function Disclosure() {
  return (
    <aside className={styles.disclosure}>
      <TooltipProvider>
        <Tooltip content={pickerCopy.disclosureDetail}>
          <button type="button" className={`${sponsoredStyles.badge} ${styles.badge}`}>
            {pickerCopy.disclosure}
          </button>
        </Tooltip>
      </TooltipProvider>
      <p>{pickerCopy.disclosureExplanation}</p>
    </aside>
  );
}

interface OfferChoicesProps {
  readonly ref: RefObject<HTMLFieldSetElement | null>;
  readonly offers: readonly Offer[];
  readonly onChoice: () => void;
  readonly errorId: string | undefined;
}

function OfferChoices({ ref, offers, onChoice, errorId }: OfferChoicesProps) {
  return (
    <fieldset ref={ref} className={styles.sheet} aria-describedby={errorId} onChange={onChoice}>
      <legend className={styles.legend}>{pickerCopy.legend}</legend>
      {offers.map(({ id, title, description, sponsor, drawing }) => (
        <div key={id} className={styles.offer}>
          <Checkbox
            id={`offer-${id}`}
            name="offers"
            value={id}
            label={title}
            description={`${description}\n${pickerCopy.sponsoredBy} ${sponsor}.`}
          />
          <svg className={styles.icon} viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
            <path d={drawing} />
          </svg>
        </div>
      ))}
    </fieldset>
  );
}

const loadingLabel = 'Loading your offers...';

const needsScript =
  'Picking offers needs JavaScript. You won’t miss anything else without it: if you signed up, your first issue is on its way.';

const pickerCopy = {
  heading: 'Your bonus offers',
  lead: 'A few extras for new readers. Pick any you like, or skip them all.',
  legend: 'Which offers would you like?',
  disclosure: 'Sponsored',
  disclosureDetail: 'Sponsors pay for the newsletter so you don’t have to.',
  disclosureExplanation:
    'These companies may pay us if you take them up on an offer. Your newsletter is free whether you pick any or not.',
  sponsoredBy: 'Sponsored by',
  newTabsNote: 'Each offer you pick opens on the sponsor’s website in a new tab.',
  nothingChosen: 'Please select at least one offer to continue',
  proceed: (count: number) => `Continue with selected offers${count === 0 ? '' : ` (${count})`}`,
  proceeding: 'Opening your offers...',
  decline: 'No thanks',
  declining: 'One moment...',
} as const;

const notFoundCopy = {
  heading: 'Registration Not Found',
  lead: 'This link doesn’t lead to a registration. Part of it may have been cut off.',
  text: 'If you’ve already signed up, your subscription is safe, and you don’t need to do anything here. If you haven’t, signing up takes a minute on our homepage.',
  home: 'Return to Homepage',
} as const;
