import type { PageRouteDefinition } from '@daybook/platform/page';
import Background from '../../content/california-unsubscribe.md';
import { type Choice, emailField } from '../choice-form/choice.tsx';
import { choicePage } from '../choice-form/choice-page.tsx';

export const route = {
  path: '/ca-unsubscribe',
  title: 'California Specific Unsubscribe',
  description:
    'For residents of California: unsubscribe from the Daybook newsletter, and see your further rights under the CCPA and the CPRA.',
  frame: 'privacy',
} satisfies PageRouteDefinition;

/** /ca-unsubscribe (docs/product.md, Privacy choices: allow up to 48 hours). */
export const californiaUnsubscribe: Choice = {
  kind: 'ca-unsubscribe',
  requestName: 'California unsubscribe request',
  heading: 'California Specific Unsubscribe',
  lead: 'For residents of California: stop our emails here, and see which further rights your state gives you.',
  explanation:
    'Unsubscribing ends the newsletter and all promotional emails. Processing may take up to 48 hours, so an issue or two may still reach you.',
  fields: [emailField],
  submitLabel: 'Unsubscribe',
  confirmation: {
    heading: 'Unsubscribe Request Submitted',
    paragraphs: [
      'Please allow up to 48 hours for your request to be processed.',
      'Once it has been processed, you will receive no more newsletter or promotional emails from us.',
    ],
  },
  supportNote: 'If you still receive emails after 48 hours, please contact support. The sure way is to email',
  recordedSupportNote:
    'If you still receive emails after 48 hours, please contact support. Quote the reference number when you email',
  Background,
};

export default choicePage(californiaUnsubscribe);
