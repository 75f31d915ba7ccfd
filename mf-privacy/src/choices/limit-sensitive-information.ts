import type { Choice } from '../choice-form/choice.ts';
import { categoriesField } from '../choice-form/fields/categories-field.tsx';
import { emailField } from '../choice-form/fields/email-field.tsx';

/** /limit-sensitive-info (product document, sections 2, 3 and 9: 15 business days). */
export const limitSensitiveInformation: Choice = {
  kind: 'limit-sensitive-info',
  requestName: 'Request to limit sensitive information',
  heading: 'Limit Use of Sensitive Information',
  lead: 'Tell us which sensitive information about you we may use only where the newsletter cannot do without it.',
  explanation: 'You keep receiving the newsletter. We process requests within 15 business days.',
  fields: [emailField, categoriesField],
  submitLabel: 'Submit Request',
  confirmation: {
    heading: 'Request Submitted Successfully',
    paragraphs: [
      'Your request will be processed within 15 business days.',
      'A confirmation email will follow at the address you gave.',
    ],
  },
  supportNote: 'The sure way to make this request, or to ask about it, is to email',
  background: [
    {
      heading: 'What sensitive information means',
      paragraphs: [
        'The California Consumer Privacy Act (CCPA), as amended by the California Privacy Rights Act (CPRA), gives special protection to sensitive personal information: among other things health, precise location, ethnic origin, religious beliefs, biometric data that identifies you, and the access details of financial accounts. Residents of California have the right to limit its use and disclosure.',
        'We take the request wherever you live, and for all six categories, although not everything in them counts as sensitive under that law. Browsing history, for one, does not.',
      ],
    },
    {
      heading: 'How a newsletter comes by it',
      paragraphs: [
        'Subscribing takes an email address and nothing from this list. But information can say more than it seems to: choosing a free hearing test among the bonus offers, for example, may suggest something about your health. We keep such a choice as a choice, draw no conclusion from it about you, and leave it out of any profiling.',
      ],
    },
    {
      heading: 'What changes, and what does not',
      points: [
        {
          subject: 'Is ruled out:',
          text: 'using what you selected to draw conclusions about you, to personalize, or to advertise.',
        },
        {
          subject: 'Stays:',
          text: 'what is needed to send you the newsletter, to keep our service secure, or to meet a legal duty.',
        },
        {
          subject: 'Is separate:',
          text: 'seeing or deleting what we hold about you. For that, make a',
          link: { href: '/privacy-rights-request', label: 'Privacy Rights Request' },
        },
      ],
    },
  ],
};
