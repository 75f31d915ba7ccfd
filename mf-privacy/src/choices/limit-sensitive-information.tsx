import type { SensitiveCategory } from '@daybook/contract';
import { CheckboxGroup, checkboxIdOf } from '@daybook/ui';
import type { Choice } from '../choice-form/choice.ts';
import { ChoicePage } from '../choice-form/choice-page.tsx';
import { emailField, fieldOf } from '../choice-form/field.tsx';

/** Labels of section 3 of the product document, in its order; the descriptions are ours. */
const categoryCopy: Readonly<Record<SensitiveCategory, { label: string; description: string }>> = {
  financial: { label: 'Financial Information', description: 'Such as income, debts, or access to an account' },
  health: { label: 'Health Information', description: 'Such as a condition, a treatment, or hearing loss' },
  location: { label: 'Precise Location Data', description: 'Where you are, to within a few streets' },
  demographic: { label: 'Demographic Information', description: 'Such as age, ethnic origin, or religious beliefs' },
  biometric: { label: 'Biometric Information', description: 'Such as a fingerprint, a face, or a voice' },
  browsing: { label: 'Browsing History', description: 'Which pages, links and offers you open' },
};

export const categoriesField = fieldOf<readonly string[]>({
  name: 'categoriesToLimit',
  focusId: checkboxIdOf('categories', 'financial' satisfies SensitiveCategory),
  initialAnswer: [],
  problemWith: (answer) =>
    answer.length === 0
      ? { message: 'Please select at least one category of sensitive information', shownAs: 'text and alert' }
      : undefined,
  Control: ({ answer, problem, onAnswer }) => (
    <CheckboxGroup
      id="categories"
      name="categoriesToLimit"
      legend="Information to limit"
      hint="Select one or more."
      options={Object.entries(categoryCopy).map(([value, copy]) => ({ value, ...copy }))}
      values={answer}
      onChange={onAnswer}
      error={problem}
    />
  ),
});

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

/** /limit-sensitive-info (product document, section 2). */
export default function LimitSensitiveInformationPage() {
  return <ChoicePage choice={limitSensitiveInformation} />;
}
