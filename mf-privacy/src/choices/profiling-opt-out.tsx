import type { Choice } from '../choice-form/choice.ts';
import { ChoicePage } from '../choice-form/choice-page.tsx';
import { emailField } from '../choice-form/field.tsx';

/** /profiling-opt-out (product document, sections 2 and 9: 15 business days). */
export const profilingOptOut: Choice = {
  kind: 'profiling-opt-out',
  requestName: 'Profiling opt-out request',
  heading: 'Profiling Opt-Out',
  lead: 'Keep the newsletter, without having its content chosen by what we work out about you.',
  explanation:
    'After you opt out, you continue to receive the newsletter, but it is no longer personalized. We process requests within 15 business days.',
  fields: [emailField],
  submitLabel: 'Opt Out of Profiling',
  confirmation: {
    heading: 'Opt-Out Request Submitted',
    paragraphs: [
      'Your request will be processed within 15 business days.',
      'You will continue to receive the newsletter, but it will no longer be personalized for you.',
    ],
  },
  supportNote: 'The sure way to make this request, or to ask about it, is to email',
  background: [
    {
      heading: 'What profiling means',
      paragraphs: [
        'Profiling is the automated processing of personal information to evaluate or predict something about a person: interests, for example, or economic situation, health or behavior.',
        'At present we do none: every reader gets the same newsletter. If we ever choose topics and offers that may suit you, we will go by the bonus offers you chose, except offers that may hint at your health, and by the language of your browser. We do not use profiling to decide about credit, insurance, housing, employment or the like.',
      ],
    },
    {
      heading: 'What changes, and what does not',
      points: [
        { subject: 'Ends:', text: 'any choosing of topics and offers by a profile of you, before it has begun.' },
        {
          subject: 'Stays:',
          text: 'the newsletter, every day and free. You get the edition that is the same for everyone.',
        },
        {
          subject: 'Is separate:',
          text: 'promotional emails tailored to your interests. For those, see',
          link: { href: '/targeted-opt-out', label: 'Targeted Advertising Opt-Out' },
        },
        {
          subject: 'Is separate, too:',
          text: 'the newsletter itself. To end it,',
          link: { href: '/unsubscribe', label: 'unsubscribe' },
        },
      ],
    },
  ],
};

/** /profiling-opt-out (product document, section 2). */
export default function ProfilingOptOutPage() {
  return <ChoicePage choice={profilingOptOut} />;
}
