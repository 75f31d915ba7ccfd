import { offerLandingPage } from './offer-landing-page.tsx';

/** /offer-landing/hearing-aids (docs/product.md, Sponsor offers). */
export default offerLandingPage({
  drawing: 'hearing',
  heading: 'Hear it for yourself',
  lead: 'Wear modern hearing aids where you need them, at your own table and in your own pew, before you decide whether to keep them.',
  figure: { value: '45 days', after: 'free trial at home' },
  stepsHeading: 'How the trial works',
  steps: [
    {
      title: 'They come to you',
      text: 'A pair that you fit yourself, with instructions in large type and a helpline.',
    },
    {
      title: 'Wear them for 45 days',
      text: 'A few hours at first, then all day. Most people need two weeks to get used to the new sound.',
    },
    {
      title: 'Keep them or send them back',
      text: 'You pay nothing for the trial. Write the last day on the calendar: the decision is yours.',
    },
  ],
  questions: [
    {
      title: 'What happens on day 46?',
      text: 'Ask for the price of the pair, when your card is charged, and who pays to send them back.',
    },
    {
      title: 'Are they right for my hearing?',
      text: 'Aids without a prescription are for adults with mild to moderate loss. An audiologist can tell.',
    },
    {
      title: 'Should I see a doctor first?',
      text: 'Yes, if your hearing went suddenly, is worse in one ear, or comes with pain or dizziness.',
    },
  ],
  action: { kind: 'demo-form', heading: 'Start with a free trial', button: 'Start my free trial' },
});
