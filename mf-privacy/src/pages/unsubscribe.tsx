import type { PageRouteDefinition } from '@daybook/platform/page';
import Background from '../../content/unsubscribe.md';
import { type Choice, emailField } from '../choice-form/choice.tsx';
import { choicePage } from '../choice-form/choice-page.tsx';

export const route = {
  path: '/unsubscribe',
  title: 'Unsubscribe',
  description: 'Stop receiving the Daybook newsletter. Enter your email address; no account and no reason needed.',
  frame: 'privacy',
} satisfies PageRouteDefinition;

/** /unsubscribe (docs/product.md, Privacy choices: processing may take up to 48 hours). */
export const unsubscribe: Choice = {
  kind: 'unsubscribe',
  requestName: 'Unsubscribe request',
  heading: 'Unsubscribe',
  lead: 'Sorry to see you go. Tell us your email address and we will stop sending you the newsletter.',
  explanation:
    'There is no account to close and no reason to give. Processing may take up to 48 hours, so an issue or two may still reach you.',
  fields: [emailField],
  submitLabel: 'Unsubscribe',
  confirmation: {
    heading: 'Unsubscribe Request Submitted',
    paragraphs: [
      'Please allow up to 48 hours for your request to be processed.',
      'After that you will get no more newsletters or promotional emails from us. You are welcome back at any time.',
    ],
  },
  supportNote: 'Still getting emails after 48 hours, or want to be certain? The sure way is to email',
  recordedSupportNote: 'Still getting emails after 48 hours? Please quote the reference number when you email',
  Background,
};

export default choicePage(unsubscribe);
