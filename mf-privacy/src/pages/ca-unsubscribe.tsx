import type { PageRouteDefinition } from '@daybook/platform/page';
import Background from '../../content/california-unsubscribe.md';
import { type Choice, emailField } from '../choice-form/choice.tsx';
import { choicePage } from '../choice-form/choice-page.tsx';

export const route = {
  path: '/ca-unsubscribe',
  title: 'California Specific Unsubscribe',
  description:
    'For California residents: unsubscribe from the Daybook newsletter, and see your other rights under the CCPA and CPRA.',
  frame: 'privacy',
} satisfies PageRouteDefinition;

export const californiaUnsubscribe: Choice = {
  kind: 'ca-unsubscribe',
  requestName: 'California unsubscribe request',
  heading: 'California Specific Unsubscribe',
  lead: 'For California residents: stop our emails here, and see what other rights your state gives you.',
  explanation: 'Processing may take up to 48 hours, so you may still get an issue or two.',
  fields: [emailField],
  submitLabel: 'Unsubscribe',
  confirmation: {
    heading: 'Unsubscribe Request Submitted',
    paragraphs: [
      'Please allow up to 48 hours for your request to be processed.',
      'After that, you will receive no more newsletter or promotional emails from us.',
    ],
  },
  supportNote: 'If you still receive emails after 48 hours, please contact support at',
  recordedSupportNote:
    'If you still receive emails after 48 hours, please contact support. Include the reference number when you email',
  Background,
};

export default choicePage(californiaUnsubscribe);
