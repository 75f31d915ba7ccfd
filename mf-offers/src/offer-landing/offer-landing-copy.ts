import type { OfferLanding } from './offer-landing.ts';

/** Wording that the three pages share. */
export const landingCopy = {
  label: 'Sponsored',
  /** Where an offer can be taken up. */
  disclosure: 'The company behind this offer may pay us when you take it up. Your newsletter stays free either way.',
  questionsHeading: 'Ask before you say yes',
  seeOffer: (sponsor: string) => `See the offer at ${sponsor}`,
  newTab: 'Opens the sponsor’s website in a new tab.',
  back: 'Back to your subscription',
} as const;

/** The demo forms: their button shows an alert, and nothing is sent (product document, section 2). */
export const demoFormCopy = {
  note: 'This form is a demo: nothing you enter is sent or kept.',
  alert: 'This is a demo. Nothing you entered was sent.',
  fields: [
    { name: 'name', label: 'Full name', type: 'text', autoComplete: 'name' },
    { name: 'phone', label: 'Phone number', type: 'tel', autoComplete: 'tel' },
    { name: 'email', label: 'Email address', type: 'email', autoComplete: 'email' },
    { name: 'zip', label: 'ZIP code', type: 'text', autoComplete: 'postal-code', inputMode: 'numeric' },
  ],
} as const;

export const emergencyPendant: OfferLanding = {
  drawing: 'pendant',
  heading: 'Help at the press of a button',
  lead: 'An emergency pendant joins your home security system: wherever you are in the house, one press brings a trained responder on the line.',
  figure: { value: '$150', after: 'off a home security system' },
  stepsHeading: 'How it works',
  steps: [
    {
      title: 'Wear it',
      text: 'Around the neck or on the wrist, in the shower and at night: falls don’t keep office hours.',
    },
    { title: 'Press it', text: 'The pendant reaches the system’s control panel by radio. There is no number to dial.' },
    {
      title: 'Talk to a person',
      text: 'A responder asks what happened and calls whom you chose: a neighbor, your family, or 911.',
    },
  ],
  questions: [
    {
      title: 'What does it cost a month, and for how long?',
      text: 'Ask for the price of monitoring, the length of the contract, and the fee for leaving early.',
    },
    {
      title: 'Does it work in the yard, and when the power is out?',
      text: 'Ask for the range in feet, and how many hours the backup battery lasts.',
    },
    {
      title: 'Who else pays?',
      text: 'Original Medicare doesn’t cover pendants. Some Medicare Advantage plans and Medicaid programs do.',
    },
  ],
  action: {
    kind: 'bonus-offer',
    id: 'vivint',
    heading: 'Take $150 off the system',
    text: 'The saving is for new customers, on the home security system that the pendant belongs to.',
  },
};

export const dentalSavings: OfferLanding = {
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
};

export const hearingAids: OfferLanding = {
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
};
