import type { PageRouteDefinition } from '@daybook/platform/page';
import {
  Button,
  ButtonLink,
  Checkbox,
  Container,
  ErrorMessage,
  NeedsScript,
  PageHeading,
  Spinner,
  Tooltip,
  TooltipProvider,
} from '@daybook/ui';
import type { RefObject } from 'react';
import { useLiteralParameters } from '../literal-parameters.ts';
import { type Offer, offers } from '../offers.ts';
import { type RegisteredVisitor, useOfferPicker } from '../use-offer-picker.ts';
import { parseEmail, parseRegistrationId } from '../visitor.ts';
import styles from './continue-registration.module.css';

export const route = {
  path: '/continue-registration',
  title: 'Your bonus offers',
  description: 'Bonus offers from Daybook’s sponsors for new readers: pick any that help you, or none.',
  frame: 'site',
  noIndex: true,
} satisfies PageRouteDefinition;

/**
 * /continue-registration (docs/product.md, Offer picker): the offers for the registration in the page's URL. They are the
 * same for everyone, so visitors can read and check them before the registration is known.
 */
export default function ContinueRegistrationPage() {
  const parameters = useLiteralParameters();
  const id = parseRegistrationId(parameters?.get('id'));
  if (parameters !== undefined && id === undefined) return <RegistrationNotFound />;
  const visitor = id === undefined ? undefined : { id, email: parseEmail(parameters?.get('email')) };
  return <OfferPicker visitor={visitor} />;
}

/** The page for a URL without a registration id (docs/product.md, Offer picker and Errors). */
function RegistrationNotFound() {
  return (
    <Container width="narrow" className={styles.page}>
      <PageHeading lead={notFoundCopy.lead}>{notFoundCopy.heading}</PageHeading>
      <p className={styles.reassurance}>{notFoundCopy.reassurance}</p>
      <ButtonLink href="/">{notFoundCopy.action}</ButtonLink>
    </Container>
  );
}

const errorId = 'offers-error';

/**
 * The picker of the bonus offers (docs/product.md, Offer picker and Offer selection): any number of them, or none.
 *
 * @param visitor `undefined` while the page's URL is not known yet
 */
function OfferPicker({ visitor }: { readonly visitor: RegisteredVisitor | undefined }) {
  const { choices, state, available, choose, proceed, decline } = useOfferPicker(visitor);
  const nothingChosen = state === 'nothing-chosen';
  return (
    <Container className={styles.page}>
      <PageHeading lead={pickerCopy.lead}>{pickerCopy.heading}</PageHeading>
      {!visitor && (
        <p role="status" className={styles.loading}>
          <Spinner />
          <span>{loadingLabel}</span>
        </p>
      )}
      <TooltipProvider>
        <OfferChoices
          ref={choices}
          // The first render is that of the prerendered page, which contains all offers.
          offers={visitor ? available : offers}
          onChoice={choose}
          errorId={nothingChosen ? errorId : undefined}
        />
      </TooltipProvider>
      {nothingChosen && (
        <div className={styles.error}>
          <ErrorMessage id={errorId}>{pickerCopy.nothingChosen}</ErrorMessage>
        </div>
      )}
      <div className={styles.actions}>
        <Button size="large" busy={state === 'proceeding'} busyLabel={pickerCopy.proceeding} onClick={proceed}>
          {pickerCopy.proceed}
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
    </Container>
  );
}

interface OfferChoicesProps {
  readonly ref: RefObject<HTMLFieldSetElement | null>;
  readonly offers: readonly Offer[];
  readonly onChoice: () => void;
  readonly errorId: string | undefined;
}

/** The offers as checkboxes, labelled as sponsored before the first one. */
function OfferChoices({ ref, offers, onChoice, errorId }: OfferChoicesProps) {
  return (
    <fieldset ref={ref} className={styles.sheet} aria-describedby={errorId} onChange={onChoice}>
      <legend className={styles.legend}>{pickerCopy.legend}</legend>
      <div className={styles.disclosure}>
        <Tooltip content={pickerCopy.disclosureDetail}>
          <button type="button" className={styles.badge}>
            {pickerCopy.disclosure}
          </button>
        </Tooltip>
        <span>{pickerCopy.disclosureExplanation}</span>
      </div>
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

/** Texts of docs/product.md (Offer picker and Validation), and those that it leaves open. */
const loadingLabel = 'Loading your offers...';

const needsScript =
  'Picking offers needs JavaScript. Without it you miss nothing else: if you have signed up, your first issue is on its way.';

const pickerCopy = {
  heading: 'Your bonus offers',
  lead: 'Here are our offers for new readers: pick any that help you, or none.',
  legend: 'Which offers would you like?',
  disclosure: 'Sponsored',
  disclosureDetail: 'Sponsors pay for the newsletter, so that you don’t have to.',
  disclosureExplanation:
    'These companies may pay us when you take up an offer. Your newsletter stays free whether you pick any or none.',
  sponsoredBy: 'Sponsored by',
  newTabsNote: 'Each offer you pick opens on its sponsor’s website, in a new tab.',
  nothingChosen: 'Please select at least one offer to continue',
  proceed: 'Continue with selected offers',
  proceeding: 'Opening your offers...',
  decline: 'No thanks',
  declining: 'One moment...',
} as const;

const notFoundCopy = {
  heading: 'Registration Not Found',
  lead: 'This address doesn’t lead to a registration. It may have been cut off when it was copied.',
  reassurance:
    'If you have signed up already, your subscription is safe and there is nothing you need to do here. If not, it takes a minute on our homepage.',
  action: 'Return to Homepage',
} as const;
