import type { PageRouteDefinition } from '@daybook/platform/page';
import { DemoForm } from '../offer-landing/demo-form.tsx';
import styles from '../offer-landing/offer-drawing.module.css';
import { offerLandingPage } from '../offer-landing/offer-landing-page.tsx';

export const route = {
  path: '/offer-landing/dental-savings',
  title: 'Dental savings plans from $9.95 a month',
  description:
    'Sponsored: a dental savings plan lowers the price of checkups, fillings and crowns at participating dentists. Plans from $9.95 a month. See how it works.',
  frame: 'site',
} satisfies PageRouteDefinition;

export default offerLandingPage({
  // A healthy tooth, and a crossed-out price.
  drawing: (
    <>
      <path
        className={styles.body}
        d="M170 60c22-16 38-2 60-2s38-14 60 2c26 20 22 62 8 96c-10 26-10 92-30 94c-20 0-12-66-38-66s-18 66-38 66c-20-2-20-68-30-94c-14-34-18-76 8-96z"
      />
      <path className={styles.ring} d="M182 82c10-10 24-8 34-2" />
      <path className={styles.entry} d="M352 92h84" />
      <path className={styles.line} d="M344 100l100-16" />
      <path className={styles.found} d="M352 142h52" />
      <path className={styles.entry} d="M352 192h84" />
      <path className={styles.line} d="M344 200l100-16" />
      <path className={styles.found} d="M352 242h44" />
    </>
  ),
  heading: 'Pay less at the dentist',
  lead: 'A dental savings plan is a membership, not insurance. You pay a small fee, and participating dentists charge you less than their usual price.',
  figure: { before: 'Plans from', value: '$9.95', after: 'a month' },
  stepsHeading: 'How it works',
  steps: [
    { title: 'Choose a plan', text: 'For yourself or your whole household. Pay by the month or by the year.' },
    { title: 'Find a dentist', text: 'Look up participating dentists near you, and ask whether yours is one of them.' },
    {
      title: 'Show your card',
      text: 'You pay the lower price at the front desk. There are no claims to file and no annual limit.',
    },
  ],
  questions: [
    {
      title: 'Does my dentist take it?',
      text: 'A plan is only worth something where it’s accepted. Ask the dentist’s office; don’t just check the list.',
    },
    {
      title: 'What would I have paid last year?',
      text: 'Dig out last year’s bills, ask what each would cost on the plan, and subtract 12 months of fees.',
    },
    {
      title: 'What’s not included?',
      text: 'Ask about crowns, implants and dentures, since that’s where the money goes, and about any fee to join.',
    },
  ],
  action: <DemoForm heading="Ask about plans near you" button="See plans near me" />,
});
