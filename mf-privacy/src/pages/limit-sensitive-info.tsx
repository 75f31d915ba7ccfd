import type { SensitiveCategory } from '@daybook/contract/privacy-choices';
import type { PageRouteDefinition } from '@daybook/platform/page';
import { CheckboxGroup } from '@daybook/ui';
import Background from '../../content/limit-sensitive-information.md';
import { type Choice, emailField, type Field } from '../choice-form/choice.tsx';
import { choicePage } from '../choice-form/choice-page.tsx';

export const route = {
  path: '/limit-sensitive-info',
  title: 'Limit Use of Sensitive Information',
  description: 'Choose which categories of sensitive information Daybook may use only when the newsletter needs it.',
  frame: 'privacy',
} satisfies PageRouteDefinition;

const categoryCopy: Readonly<Record<SensitiveCategory, { label: string; description: string }>> = {
  financial: { label: 'Financial Information', description: 'Such as income, debts or account access' },
  health: { label: 'Health Information', description: 'Such as a condition, a treatment or hearing loss' },
  location: { label: 'Precise Location Data', description: 'Where you are, to within a few blocks' },
  demographic: { label: 'Demographic Information', description: 'Such as age, ethnic origin or religious beliefs' },
  biometric: { label: 'Biometric Information', description: 'Such as your fingerprint, face or voice' },
  browsing: { label: 'Browsing History', description: 'The pages, links and offers you open' },
};

const categoriesField: Field = {
  name: 'categoriesToLimit',
  isList: true,
  errorIn: ({ length }) =>
    length > 0
      ? undefined
      : { message: 'Please select at least one category of sensitive information', shownAs: 'text and alert' },
  Control: ({ error }) => (
    <CheckboxGroup
      id="categories"
      name="categoriesToLimit"
      legend="Information to limit"
      hint="Select one or more."
      options={Object.entries(categoryCopy).map(([value, copy]) => ({ value, ...copy }))}
      error={error}
    />
  ),
};

export const limitSensitiveInformation: Choice = {
  kind: 'limit-sensitive-info',
  requestName: 'Request to limit sensitive information',
  heading: 'Limit Use of Sensitive Information',
  lead: 'Tell us which sensitive information about you to use only when the newsletter can’t run without it.',
  explanation: 'You’ll keep getting the newsletter. We process requests within 15 business days.',
  fields: [emailField, categoriesField],
  submitLabel: 'Submit Request',
  confirmation: {
    heading: 'Request Submitted Successfully',
    paragraphs: ['Your request will be processed within 15 business days.', 'A confirmation email will follow.'],
  },
  Background,
};

export default choicePage(limitSensitiveInformation);
