import type { PageRouteDefinition } from '@daybook/platform/page';
import { DemoForm } from '../offer-landing/demo-form.tsx';
import styles from '../offer-landing/offer-drawing.module.css';
import { offerLandingPage } from '../offer-landing/offer-landing-page.tsx';

export const route = {
  path: '/offer-landing/hearing-aids',
  title: 'Hearing aids: 45-day free trial',
  description:
    'Sponsored: try modern hearing aids at home for 45 days, free, and send them back if they’re not for you. See what the trial includes.',
  frame: 'site',
} satisfies PageRouteDefinition;

/** Nine columns of five. */
const trialDays = Array.from(
  { length: 45 },
  (_, day) => `M${92 + (day % 9) * 18} ${178 + Math.floor(day / 9) * 20}h11`,
);

export default offerLandingPage({
  // A faint signal becomes clear, and the days to try it.
  drawing: (
    <>
      <g transform="translate(-26 0)">
        <path
          className={styles.line}
          d="M296 132c0-46 32-76 72-76s70 32 70 74c0 32-18 50-32 70c-10 14-12 26-16 42c-6 26-38 32-54 12M322 136c0-28 20-48 46-48s44 18 44 42c0 20-16 28-24 40c-6 10-4 22-18 26"
        />
        <path className={styles.ring} d="M430 52c-34-32-98-26-112 24c-6 22 2 46 22 58" />
        <circle className={styles.fill} cx="343" cy="138" r="8" />
        <path
          className={styles.body}
          d="M426 46c30 26 38 66 22 108c-4 11-10 20-19 28l15 12c15-13 24-26 30-43c15-46 5-92-25-119c-10-8-22-4-23 14z"
        />
      </g>
      <path className={styles.entry} d="M92 106v-4M106 108v-8M120 106v-4M134 110v-12M148 107v-6" />
      <path
        className={styles.found}
        d="M164 116v-24M178 128v-48M192 138v-68M206 126v-44M220 142v-76M234 122v-36M248 110v-12"
      />
      <path className={styles.entry} d={trialDays.slice(0, 44).join('')} />
      <path className={styles.found} d={trialDays[44]} />
    </>
  ),
  heading: 'Hear it for yourself',
  lead: 'Try modern hearing aids where you’ll actually use them, at your own table and in your own pew, before you decide to keep them.',
  figure: { value: '45 days', after: 'free trial at home' },
  stepsHeading: 'How the trial works',
  steps: [
    {
      title: 'They come to you',
      text: 'You get a pair you fit yourself, large-print instructions and a helpline.',
    },
    {
      title: 'Wear them for 45 days',
      text: 'A few hours at first, then all day. Most people need two weeks to get used to the new sound.',
    },
    {
      title: 'Keep them or send them back',
      text: 'The trial costs you nothing. Mark the last day on your calendar: the decision is yours.',
    },
  ],
  questions: [
    {
      title: 'What happens on day 46?',
      text: 'Ask what the pair costs, when your card gets charged, and who pays for return shipping.',
    },
    {
      title: 'Are they right for my hearing?',
      text: 'Over-the-counter hearing aids are for adults with mild to moderate hearing loss. An audiologist can tell you.',
    },
    {
      title: 'Should I see a doctor first?',
      text: 'Yes, if you lost your hearing suddenly, if it’s worse in one ear, or if you have pain or dizziness.',
    },
  ],
  action: <DemoForm heading="Start with a free trial" button="Start my free trial" />,
});
