import type { PageRouteDefinition } from '@daybook/platform/page';
import Background from '../../content/unsubscribe.md';
import { type Choice, emailField } from '../choice-form/choice.tsx';
import { choicePage } from '../choice-form/choice-page.tsx';

export const route = {
  path: '/unsubscribe',
  title: 'Unsubscribe',
  description: 'Stop receiving the Daybook newsletter. Just enter your email address. No account, no questions asked.',
  frame: 'privacy',
} satisfies PageRouteDefinition;

export const unsubscribe: Choice = {
  kind: 'unsubscribe',
  requestName: 'Unsubscribe request',
  heading: 'Unsubscribe',
  lead: 'Sorry to see you go. Enter your email address, and we’ll stop sending you the newsletter.',
  explanation: 'Processing may take up to 48 hours, so you may still get an issue or two.',
  fields: [emailField],
  submitLabel: 'Unsubscribe',
  confirmation: {
    heading: 'Unsubscribe Request Submitted',
    paragraphs: [
      'Please allow up to 48 hours for your request to be processed.',
      'After that, you won’t get any more newsletters or promotional emails from us. You’re welcome back anytime.',
    ],
  },
  supportNote: 'Still getting emails after 48 hours? Email',
  recordedSupportNote: 'Still getting emails after 48 hours? Include the reference number when you email',
  Background,
};

export default choicePage(unsubscribe);
