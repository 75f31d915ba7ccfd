import { useSiteSettings } from '@daybook/platform';
import type { PageRouteDefinition } from '@daybook/platform/page';
import { ButtonLink, Panel } from '@daybook/ui';
import drawing from '../offer-landing/offer-drawing.module.css';
import { offerLandingPage } from '../offer-landing/offer-landing-page.tsx';
import styles from './offer-landing-emergency-pendant.module.css';

export const route = {
  path: '/offer-landing/emergency-pendant',
  title: 'Emergency pendant with home security',
  description:
    'Sponsored: help at the press of a button. An emergency pendant that works with a home security system, and $150 off the system for Daybook readers.',
  frame: 'site',
} satisfies PageRouteDefinition;

export default offerLandingPage({
  // A pendant on its cord, sending a call.
  drawing: (
    <>
      <path className={drawing.line} d="M214 0c4 62 22 92 50 104M326 0c-4 62-22 92-50 104" />
      <rect className={drawing.body} x="232" y="102" width="76" height="104" rx="36" />
      <circle className={drawing.fill} cx="270" cy="160" r="22" />
      <path className={drawing.ring} d="M258 116h24" />
      <path
        className={drawing.signal}
        d="M334 128a46 46 0 0 1 0 64M356 106a78 78 0 0 1 0 108M378 84a110 110 0 0 1 0 152M206 128a46 46 0 0 0 0 64M184 106a78 78 0 0 0 0 108M162 84a110 110 0 0 0 0 152"
      />
    </>
  ),
  heading: 'Help at the press of a button',
  lead: 'An emergency pendant connects to your home security system. Wherever you are in the house, one press puts a trained responder on the line.',
  figure: { value: '$150', after: 'off a home security system' },
  stepsHeading: 'How it works',
  steps: [
    {
      title: 'Wear it',
      text: 'Around your neck or on your wrist, in the shower and at night. Falls don’t keep office hours.',
    },
    { title: 'Press it', text: 'The pendant signals the system’s control panel. There’s no number to dial.' },
    {
      title: 'Talk to a person',
      text: 'A responder asks what happened and calls the person you chose: a neighbor, a relative or 911.',
    },
  ],
  questions: [
    {
      title: 'What does it cost a month, and for how long?',
      text: 'Ask about the price of monitoring, the length of the contract and the fee for canceling early.',
    },
    {
      title: 'Does it work in the yard, and when the power is out?',
      text: 'Ask how many feet it reaches and how many hours the backup battery lasts.',
    },
    {
      title: 'Who else pays?',
      text: 'Original Medicare doesn’t cover pendants. Some Medicare Advantage plans and Medicaid programs do.',
    },
  ],
  disclosure: 'The company behind this offer may pay us if you take it. Your newsletter is free either way.',
  action: <SponsorLink />,
});

function SponsorLink() {
  const { sponsorAddresses } = useSiteSettings();
  if (!sponsorAddresses.vivint) return null;
  return (
    <Panel aria-labelledby="bonus-offer">
      <h2 id="bonus-offer">Take $150 off the system</h2>
      <p>For new customers, on the home security system that works with the pendant.</p>
      <ButtonLink
        href={sponsorAddresses.vivint}
        size="large"
        target="_blank"
        rel="noopener noreferrer sponsored"
        aria-describedby="bonus-offer-tab"
      >
        See the offer at Vivint
      </ButtonLink>
      <p id="bonus-offer-tab" className={styles.note}>
        Opens the sponsor’s website in a new tab.
      </p>
    </Panel>
  );
}
