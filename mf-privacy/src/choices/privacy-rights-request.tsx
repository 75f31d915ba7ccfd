import { type PrivacyRightsRequestType, privacyRequestLimits, tooLongMessages } from '@daybook/contract';
import { Select, TextArea, TextField } from '@daybook/ui';
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
  background: [
    {
      heading: 'What you can ask for',
      points: [
        {
          subject: `${requestTypeLabels.access}:`,
          text: 'a copy of your personal information, with where it came from, why we use it and whom we disclosed it to.',
        },
        {
          subject: `${requestTypeLabels.delete}:`,
          text: 'we erase what we hold about you, except what the law requires or allows us to keep. Your subscription ends with it.',
        },
        {
          subject: `${requestTypeLabels.correct}:`,
          text: 'we put right what is wrong. Please say in the comments what it should be.',
        },
        {
          subject: `${requestTypeLabels.portability}:`,
          text: 'your personal information in a common file format that you can take elsewhere.',
        },
        {
          subject: `${requestTypeLabels.restrict}:`,
          text: 'we keep your information but do not use it, for instance while a correction is being checked.',
        },
        {
          subject: `${requestTypeLabels.object}:`,
          text: 'we stop a use of your information that you object to. Please say in the comments which.',
        },
      ],
    },
    {
      heading: 'Who can ask',
      paragraphs: [
        'Anyone whose information we hold. Access, deletion, correction and portability are rights of California residents under the California Consumer Privacy Act (CCPA), as amended by the California Privacy Rights Act (CPRA). Restricting and objecting come from European law. We take each of these requests wherever you live.',
        'An authorized agent may ask for you. They should email support with your email address and your name, say that they act for you, and attach your signed permission.',
      ],
    },
  ],
};

/** /privacy-rights-request (product document, section 2). */
export default function PrivacyRightsRequestPage() {
  return <ChoicePage choice={privacyRightsRequest} />;
}
