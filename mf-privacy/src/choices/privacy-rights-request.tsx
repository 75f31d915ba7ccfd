import { type PrivacyRightsRequestType, privacyRequestLimits, tooLongMessages } from '@daybook/contract';
import { Select, TextArea, TextField } from '@daybook/ui';
import Background from '../../content/privacy-rights-request.md';
import type { Choice } from '../choice-form/choice.ts';
import { ChoicePage } from '../choice-form/choice-page.tsx';
import { emailField, fieldOf } from '../choice-form/field.tsx';

export const nameField = fieldOf<string>({
  name: 'name',
  focusId: 'name',
  initialAnswer: '',
  problemWith: (answer) => {
    const { length } = answer.trim();
    // The product document requires the name, but gives no text for a missing one.
    if (length === 0) return { message: 'Please enter your full name', shownAs: 'text' };
    return length > privacyRequestLimits.name ? { message: tooLongMessages.name, shownAs: 'text' } : undefined;
  },
  Control: ({ answer, problem, onAnswer }) => (
    <TextField
      id="name"
      name="name"
      label="Full name"
      autoComplete="name"
      required
      value={answer}
      onChange={onAnswer}
      error={problem}
    />
  ),
});

/** Labels of section 3 of the product document, in its order. */
const requestTypeLabels: Readonly<Record<PrivacyRightsRequestType, string>> = {
  access: 'Access My Data',
  delete: 'Delete My Data',
  correct: 'Correct My Data',
  portability: 'Data Portability',
  restrict: 'Restrict Processing',
  object: 'Object to Processing',
};

/** One type is always chosen, so no answer can be refused. */
const requestTypeField = fieldOf<string>({
  name: 'requestType',
  focusId: 'request-type',
  initialAnswer: 'access' satisfies PrivacyRightsRequestType,
  problemWith: () => undefined,
  Control: ({ answer, problem, onAnswer }) => (
    <Select
      id="request-type"
      name="requestType"
      label="Request type"
      options={Object.entries(requestTypeLabels).map(([value, label]) => ({ value, label }))}
      required
      value={answer}
      onChange={onAnswer}
      error={problem}
    />
  ),
});

const commentsField = fieldOf<string>({
  name: 'comments',
  focusId: 'comments',
  initialAnswer: '',
  problemWith: (answer) =>
    answer.trim().length > privacyRequestLimits.comments
      ? { message: tooLongMessages.comments, shownAs: 'text' }
      : undefined,
  Control: ({ answer, problem, onAnswer }) => (
    <TextArea
      id="comments"
      name="comments"
      label="Additional comments (optional)"
      hint="Anything that helps us understand your request. Please leave out passwords and account numbers."
      value={answer}
      onChange={onAnswer}
      error={problem}
    />
  ),
});

/** /privacy-rights-request (product document, sections 2, 3 and 9: 45 days). */
export const privacyRightsRequest: Choice = {
  kind: 'privacy-rights-request',
  requestName: 'Privacy rights request',
  heading: 'Privacy Rights Request',
  lead: 'See what we hold about you, have it corrected or deleted, or tell us to stop using it.',
  explanation:
    'We process requests within 45 days, as required by law. To protect you, we may first ask you to confirm that the email address is yours.',
  fields: [emailField, nameField, requestTypeField, commentsField],
  submitLabel: 'Submit Request',
  confirmation: {
    heading: 'Request Submitted Successfully',
    paragraphs: [
      'Your request will be processed within 45 days as required by law.',
      'A confirmation email will follow at the address you gave.',
    ],
  },
  supportNote: 'The sure way to make this request, or to ask about it, is to email',
  Background,
};

/** /privacy-rights-request (product document, section 2). */
export default function PrivacyRightsRequestPage() {
  return <ChoicePage choice={privacyRightsRequest} />;
}
