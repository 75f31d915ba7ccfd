import type { Choice } from '../choice-form/choice.ts';
import { ChoicePage } from '../choice-form/choice-page.tsx';
import { emailField } from '../choice-form/field.tsx';

/** /ca-unsubscribe (product document, sections 2 and 9: allow up to 48 hours). */
export const californiaUnsubscribe: Choice = {
  kind: 'ca-unsubscribe',
  requestName: 'California unsubscribe request',
  heading: 'California Specific Unsubscribe',
  lead: 'For residents of California: stop our emails here, and see which further rights your state gives you.',
  explanation:
    'Unsubscribing ends the newsletter and all promotional emails. Processing may take up to 48 hours, so an issue or two may still reach you.',
  fields: [emailField],
  submitLabel: 'Unsubscribe',
  confirmation: {
    heading: 'Unsubscribe Request Submitted',
    paragraphs: [
      'Please allow up to 48 hours for your request to be processed.',
      'Once it has been processed, you will receive no more newsletter or promotional emails from us.',
    ],
  },
  supportNote: 'If you still receive emails after 48 hours, please contact support. The sure way is to email',
  recordedSupportNote:
    'If you still receive emails after 48 hours, please contact support. Quote the reference number when you email',
  background: [
    {
      heading: 'Your rights as a California resident',
      paragraphs: [
        'The California Consumer Privacy Act (CCPA), as amended by the California Privacy Rights Act (CPRA), gives you rights over your personal information. You have them whether you unsubscribe or not.',
      ],
      points: [
        {
          subject: 'To know, delete and correct.',
          text: 'Ask what we hold about you and receive a copy, have it deleted, or have mistakes put right.',
          link: { href: '/privacy-rights-request', label: 'Privacy Rights Request' },
        },
        {
          subject: 'To opt out of sale and sharing.',
          text: 'The law speaks of sharing when personal information is disclosed for advertising based on what you do on other websites. We do neither.',
          link: { href: '/targeted-opt-out', label: 'Targeted Advertising Opt-Out' },
        },
        {
          subject: 'To limit sensitive information.',
          text: 'Restrict how we use and disclose, for example, what concerns your health or your finances.',
          link: { href: '/limit-sensitive-info', label: 'Limit Use of Sensitive Information' },
        },
        {
          subject: 'Not to be treated worse.',
          text: 'We may not retaliate against you for using any of these rights.',
        },
        {
          subject: 'To ask about direct marketing.',
          text: 'Under the Shine the Light law (Civil Code section 1798.83) you can ask which personal information we gave to others for their own direct marketing. We give none.',
        },
        {
          subject: 'To be told beforehand.',
          text: 'What we collect, for which purposes and for how long is set out in the',
          link: { href: '/california-privacy-notice', label: 'California Privacy Notice' },
        },
      ],
    },
  ],
};

/** /ca-unsubscribe (product document, section 2). */
export default function CaliforniaUnsubscribePage() {
  return <ChoicePage choice={californiaUnsubscribe} />;
}
