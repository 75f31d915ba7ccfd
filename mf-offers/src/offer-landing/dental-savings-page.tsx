import { offerLandingPage } from './offer-landing-page.tsx';

/** /offer-landing/dental-savings (docs/product.md, Sponsor offers). */
export default offerLandingPage({
  drawing: 'tooth',
  heading: 'Pay less at the dentist',
  lead: 'A dental savings plan is a membership, not insurance: for a small fee, participating dentists charge you less than their usual price.',
  figure: { before: 'Plans from', value: '$9.95', after: 'a month' },
  stepsHeading: 'How it works',
  steps: [
    { title: 'Choose a plan', text: 'For yourself or for everyone at home. You pay by the month or by the year.' },
    { title: 'Find a dentist', text: 'Look up who takes part near you, and ask whether your own dentist does.' },
    {
      title: 'Show your card',
      text: 'You pay the lower price at the counter. There are no claims to file, and no yearly limit.',
    },
  ],
  questions: [
    {
      title: 'Is my dentist in it?',
      text: 'A plan is worth something only where it is taken. Ask the dentist’s office, not just the list.',
    },
    {
      title: 'What would I have paid last year?',
      text: 'Take your last bills, ask for the plan’s price of each, and subtract the fee of twelve months.',
    },
    {
      title: 'What is not included?',
      text: 'Ask about crowns, implants and dentures, which is where the money goes, and about the fee to join.',
    },
  ],
  action: { kind: 'demo-form', heading: 'Ask for plans near you', button: 'See plans near me' },
});
