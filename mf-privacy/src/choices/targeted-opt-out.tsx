import type { Choice } from '../choice-form/choice.ts';
import { ChoicePage } from '../choice-form/choice-page.tsx';
import { emailField } from '../choice-form/field.tsx';

/** /targeted-opt-out (product document, sections 2 and 9: 15 business days). */
export const targetedOptOut: Choice = {
  kind: 'targeted-opt-out',
  requestName: 'Targeted advertising opt-out request',
  heading: 'Targeted Advertising Opt-Out',
  lead: 'Keep our emails, without offers chosen by your interests or by what you do online.',
  explanation:
    'After you opt out, newsletter and promotional emails continue, but they are no longer tailored to your browsing behavior or interests. We process requests within 15 business days.',
  fields: [emailField],
  submitLabel: 'Opt Out of Targeted Ads',
  confirmation: {
    heading: 'Opt-Out Request Submitted',
    paragraphs: [
      'Your request will be processed within 15 business days.',
      'You will continue to receive newsletter and promotional emails, but they will no longer be tailored to your browsing behavior or interests.',
    ],
  },
  supportNote: 'The sure way to make this request, or to ask about it, is to email',
  background: [
    {
      heading: 'What targeted advertising means',
      paragraphs: [
        'Advertising is targeted when it is chosen for you from information about your activity over time, on websites and in apps other than the one you are using.',
        'California law calls this cross-context behavioral advertising, and disclosing personal information for it “sharing”. The California Consumer Privacy Act (CCPA), as amended by the California Privacy Rights Act (CPRA), gives residents the right to opt out of the sale and the sharing of their personal information. We take the request wherever you live.',
      ],
    },
    {
      heading: 'What changes, and what does not',
      points: [
        {
          subject: 'Ends:',
          text: 'any tailoring of promotional emails and offers to your browsing behavior or interests. At present we do none.',
        },
        {
          subject: 'Stays:',
          text: 'advertising as such. Sponsors pay for the newsletter; what you see is what every reader sees.',
        },
        {
          subject: 'Does not happen anyway:',
          text: 'selling your personal information, or sharing it for advertising that follows you from website to website. We do neither.',
        },
        {
          subject: 'Is separate:',
          text: 'whether the newsletter itself may be personalized. For that, see',
          link: { href: '/profiling-opt-out', label: 'Profiling Opt-Out' },
        },
        {
          subject: 'Is separate, too:',
          text: 'the emails themselves. To end them,',
          link: { href: '/unsubscribe', label: 'unsubscribe' },
        },
      ],
    },
  ],
};

/** /targeted-opt-out (product document, section 2). */
export default function TargetedOptOutPage() {
  return <ChoicePage choice={targetedOptOut} />;
}
