import { isTooLong, type PrivacyRightsRequestType, tooLongMessages } from '@daybook/contract/privacy-choices';
import type { PageRouteDefinition } from '@daybook/platform/page';
import { Select, TextArea, TextField } from '@daybook/ui';
import Background from '../../content/privacy-rights-request.md';
import { type Choice, emailField, type Field } from '../choice-form/choice.tsx';
import { choicePage } from '../choice-form/choice-page.tsx';

export const route = {
  path: '/privacy-rights-request',
  title: 'Privacy Rights Request',
  description:
    'Ask Daybook for a copy of your personal information, or have it corrected, deleted, transferred or restricted. We process requests within 45 days.',
  frame: 'privacy',
} satisfies PageRouteDefinition;

const nameField: Field = {
  name: 'name',
  errorIn: (value) => {
    if (value.length === 0) return { message: 'Please enter your full name', shownAs: 'text' };
    return isTooLong.name(String(value)) ? { message: tooLongMessages.name, shownAs: 'text' } : undefined;
  },
  Control: ({ error }) => (
    <TextField id="name" name="name" label="Full name" autoComplete="name" required error={error} />
  ),
};

/** The first is the default. */
const requestTypeLabels: Readonly<Record<PrivacyRightsRequestType, string>> = {
  access: 'Access My Data',
  delete: 'Delete My Data',
  correct: 'Correct My Data',
  portability: 'Data Portability',
  restrict: 'Restrict Processing',
  object: 'Object to Processing',
};

const requestTypeField: Field = {
  name: 'requestType',
  Control: ({ error }) => (
    <Select
      id="request-type"
      name="requestType"
      label="Request type"
      options={Object.entries(requestTypeLabels).map(([value, label]) => ({ value, label }))}
      required
      error={error}
    />
  ),
};

const commentsField: Field = {
  name: 'comments',
  errorIn: (value) =>
    isTooLong.comments(String(value)) ? { message: tooLongMessages.comments, shownAs: 'text' } : undefined,
  Control: ({ error }) => (
    <TextArea
      id="comments"
      name="comments"
      label="Additional comments (optional)"
      hint="Anything that helps us understand your request. Please don’t include passwords or account numbers."
      error={error}
    />
  ),
};

export const privacyRightsRequest: Choice = {
  kind: 'privacy-rights-request',
  requestName: 'Privacy rights request',
  heading: 'Privacy Rights Request',
  lead: 'See what we have on you, have it corrected or deleted, or tell us to stop using it.',
  explanation:
    'We process requests within 45 days, as required by law. We may first ask you to confirm that the email address is yours.',
  fields: [emailField, nameField, requestTypeField, commentsField],
  submitLabel: 'Submit Request',
  confirmation: {
    heading: 'Request Submitted Successfully',
    paragraphs: [
      'Your request will be processed within 45 days as required by law.',
      'A confirmation email will follow.',
    ],
  },
  Background,
};

export default choicePage(privacyRightsRequest);
